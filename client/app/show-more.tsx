import { clsx } from 'clsx'
import type { ComponentProps } from 'react'
import { errorText } from './trpc.ts'
import { Button } from '#client/ui/button.tsx'
import { t } from '#shared/domain/message.ts'

type Pages = {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  error: unknown
  fetchNextPage: () => unknown
}

export function ShowMore({
  query: { hasNextPage, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage },
  onPress,
  className,
  children = t`Show more`,
  ...look
}: { query: Pages; onPress?: () => void } & Pick<
  ComponentProps<typeof Button>,
  'busyLabel' | 'className' | 'children'
>) {
  if (!hasNextPage) return null
  return (
    <div className={clsx('grid justify-items-start gap-3', className)}>
      {isFetchNextPageError ? (
        <p role="alert" className="text-meta text-danger">
          The next ones did not load. {errorText(error)}
        </p>
      ) : null}
      <Button
        {...look}
        busy={isFetchingNextPage}
        onClick={() => {
          onPress?.()
          void fetchNextPage()
        }}
      >
        {children}
      </Button>
    </div>
  )
}
