import type { ComponentProps, ReactNode } from 'react'
import { LoadError } from '#client/app/load-error.tsx'
import { ShowMore } from '#client/app/show-more.tsx'
import type { ApiError } from '#client/app/trpc.ts'
import { Skeletons } from '#client/ui/skeleton.tsx'

export function PagedList<Row>({
  list,
  rows,
  failure,
  empty,
  pending,
  children,
}: {
  list: ComponentProps<typeof ShowMore>['query'] & { error: ApiError | null; refetch: () => unknown }
  rows: Row[] | undefined
  failure: string
  empty: ReactNode
  pending: { count: number; each: string }
  children: (rows: Row[]) => ReactNode
}) {
  if (rows === undefined)
    return list.error ? (
      <LoadError title={failure} error={list.error} onRetry={list.refetch} className="mt-6" />
    ) : (
      <Skeletons {...pending} className="mt-6 grid gap-2" />
    )
  return (
    <>
      {rows.length === 0 ? empty : children(rows)}
      <ShowMore query={list} className="mt-4" />
    </>
  )
}
