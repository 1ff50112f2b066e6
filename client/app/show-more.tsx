import type { ComponentProps } from 'react'
import { Button } from '#client/ui/button.tsx'
import { t } from '#shared/domain/message.ts'

type Pages = { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }

export function ShowMore({
  query: { hasNextPage, isFetchingNextPage, fetchNextPage },
  children = t`Show more`,
  ...look
}: { query: Pages } & Pick<ComponentProps<typeof Button>, 'busyLabel' | 'className' | 'children'>) {
  if (!hasNextPage) return null
  return (
    <Button {...look} busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
      {children}
    </Button>
  )
}
