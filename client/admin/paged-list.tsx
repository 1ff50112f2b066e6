import type { ReactNode } from 'react'
import { LoadError } from '#client/load-error.tsx'
import type { ApiError } from '#client/trpc.ts'
import { Button } from '#client/ui/button.tsx'
import { Skeletons } from '#client/ui/skeleton.tsx'

/** The loaded rows of a list (`children` renders them), “Show more”, and the states in which there are none. */
export function PagedList<Row>({
  list,
  rows,
  failure,
  empty,
  pending,
  children,
}: {
  list: {
    error: ApiError | null
    refetch: () => unknown
    hasNextPage: boolean
    isFetchingNextPage: boolean
    fetchNextPage: () => unknown
  }
  rows: Row[] | undefined
  /** The title of the error: “The members did not load”. */
  failure: string
  empty: ReactNode
  /** How many rows are shown while it loads, and their height. */
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
      {list.hasNextPage ? (
        <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()} className="mt-4">
          Show more
        </Button>
      ) : null}
    </>
  )
}
