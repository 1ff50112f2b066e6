import { Button } from '#client/ui/button.tsx'

/** The button below the pages of an infinite query. Renders nothing after the last page. */
export function LoadMore({
  query: { hasNextPage, isFetchingNextPage, fetchNextPage },
}: {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> }
}) {
  if (!hasNextPage) return null
  return (
    <div className="mt-8 grid justify-center">
      <Button busy={isFetchingNextPage} busyLabel="Loading…" onClick={() => void fetchNextPage()}>
        Load more
      </Button>
    </div>
  )
}
