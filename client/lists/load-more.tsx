import type { ComponentProps } from 'react'
import { ShowMore } from '#client/app/show-more.tsx'

export function LoadMore({ query }: Pick<ComponentProps<typeof ShowMore>, 'query'>) {
  return (
    <ShowMore query={query} busyLabel="Loading…" className="mt-8 justify-items-center">
      Load more
    </ShowMore>
  )
}
