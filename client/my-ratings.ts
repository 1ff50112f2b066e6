import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { idsMax } from '#shared/limits.ts'
import { useSession } from './session.ts'
import { trpcClient } from './trpc.ts'

type Rating = number | null

/** The titles whose ratings the next call will request. */
let waiting = new Map<number, PromiseWithResolvers<Rating>>()

/** Requests the member's rating of a title, together with those of all other titles that a screen shows. */
function loadMyRating(id: number): Promise<Rating> {
  // A timer, since the lists of a screen render one after the other.
  if (waiting.size === 0) setTimeout(() => void send())
  const known = waiting.get(id) ?? Promise.withResolvers<Rating>()
  waiting.set(id, known)
  return known.promise
}

async function send(): Promise<void> {
  const all = [...waiting]
  waiting = new Map()
  const batches = Array.from({ length: Math.ceil(all.length / idsMax) }, (_, at) =>
    all.slice(at * idsMax, (at + 1) * idsMax),
  )
  await Promise.all(
    batches.map(async (batch) => {
      try {
        const ids = batch.map(([id]) => id).join()
        const { ratings } = await trpcClient.reviews.mineFor.query({ ids })
        const byId = new Map(ratings.map(({ titleId, rating }) => [titleId, rating]))
        for (const [id, { resolve }] of batch) resolve(byId.get(id) ?? null)
      } catch (error) {
        for (const [, { reject }] of batch) reject(error)
      }
    }),
  )
}

function myRating(id: number) {
  return queryOptions({ queryKey: [['my rating'], id], queryFn: () => loadMyRating(id) })
}

/** The member's rating of a title; null if there is none, undefined until it is known and for visitors. */
export function useMyRating(id: number): Rating | undefined {
  const isMember = useSession() !== null
  const { data } = useQuery({ ...myRating(id), enabled: isMember })
  return isMember ? data : undefined
}

/** The same without a call: the rating that is known, and the time since when. */
export function useKnownRating(id: number): { rating: Rating; at: number } | null {
  const { data, dataUpdatedAt } = useQuery({ ...myRating(id), enabled: false })
  return data === undefined ? null : { rating: data, at: dataUpdatedAt }
}

export function getMyRating(queryClient: QueryClient, id: number): Rating | undefined {
  return queryClient.getQueryData(myRating(id).queryKey)
}

/** Changes the rating on every poster of the title. */
export function setMyRating(queryClient: QueryClient, id: number, rating: Rating): void {
  const { queryKey } = myRating(id)
  // A response that is still in flight is older.
  void queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData(queryKey, rating)
}
