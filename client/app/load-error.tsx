import { CloudOff } from 'lucide-react'
import { errorText } from './trpc.ts'
import { Button } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'

export function LoadError({
  title,
  error,
  onRetry,
  className,
}: {
  title: string
  error?: unknown
  onRetry: () => unknown
  className?: string | undefined
}) {
  return (
    <EmptyState
      tone="error"
      icon={<CloudOff aria-hidden />}
      title={title}
      className={className}
      action={<Button onClick={() => void onRetry()}>Try again</Button>}
    >
      {error === undefined ? undefined : errorText(error)}
    </EmptyState>
  )
}
