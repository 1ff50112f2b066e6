import { Lock } from 'lucide-react'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { messages } from '#shared/texts/messages.ts'

export function PrivateDiary() {
  return (
    <EmptyState icon={<Lock aria-hidden />} title={messages.diaryPrivate}>
      Its owner has not made it visible to you.
    </EmptyState>
  )
}
