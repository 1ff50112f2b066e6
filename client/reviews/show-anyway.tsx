import { useMutation } from '@tanstack/react-query'
import { errorText, retryOnce } from '#client/app/trpc.ts'
import { Button } from '#client/ui/button.tsx'

/** Use `WithheldText`, which lazy-loads this. */
export function ShowAnyway({
  describedBy,
  reveal,
}: {
  describedBy: string
  /** Asks the server for the text, and shows it. */
  reveal: () => Promise<unknown>
}) {
  const { error, isPending, mutate } = useMutation({ ...retryOnce, mutationFn: reveal })
  return (
    <>
      <Button
        size="sm"
        variant="ghost"
        busy={isPending}
        busyLabel="Loading…"
        aria-describedby={describedBy}
        onClick={() => mutate()}
      >
        Show anyway
      </Button>
      {error === null ? null : (
        <p role="alert" className="w-full pb-1.5 text-meta text-danger">
          {errorText(error)}
        </p>
      )}
    </>
  )
}
