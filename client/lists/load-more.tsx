import type { ComponentProps } from 'react'
import { ShowMore } from '#client/app/show-more.tsx'

export function LoadMore({ query }: Pick<ComponentProps<typeof ShowMore>, 'query'>) {
  if (!query.hasNextPage) return null
  return (
    <div className="mt-8 grid justify-center">
      <ShowMore query={query} busyLabel="Loading…">
        Load more
      </ShowMore>
    </div>
  )
}
