import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { idsMax } from '#shared/domain/limits.ts'
import type { DiaryStatus } from '#shared/domain/kinds.ts'
import { useSession } from '#client/app/session.ts'
import { clientOf, type RouterOutputs } from '#client/app/trpc.ts'

type Rating = number | null
type Mark = RouterOutputs['diary']['marks']['marks'][number]

/** One call of `send` for all titles of a screen, at most `idsMax`. Titles that are missing in its result are null. */
function batched<Value>(
  send: (client: ReturnType<typeof clientOf>, ids: string) => Promise<ReadonlyMap<number, Value>>,
) {
  type Waiting = Map<number, PromiseWithResolvers<Value | null>>
  // The server renders the pages of several members at the same time.
  const waitingOf = new WeakMap<QueryClient, Waiting>()

  async function sendAll(client: QueryClient, waiting: Waiting): Promise<void> {
    waitingOf.delete(client)
    const all = [...waiting]
    const batches = Array.from({ length: Math.ceil(all.length / idsMax) }, (_, at) =>
      all.slice(at * idsMax, (at + 1) * idsMax),
    )
    await Promise.all(
      batches.map(async (batch) => {
        try {
          const values = await send(clientOf(client), batch.map(([id]) => id).join())
          for (const [id, { resolve }] of batch) resolve(values.get(id) ?? null)
        } catch (error) {
          for (const [, { reject }] of batch) reject(error)
        }
      }),
    )
  }

  return (client: QueryClient, id: number): Promise<Value | null> => {
    const waiting: Waiting = waitingOf.get(client) ?? new Map()
    // A timer, because the lists of a screen render one after the other.
    if (waiting.size === 0) setTimeout(() => void sendAll(client, waiting))
    waitingOf.set(client, waiting)
    const known = waiting.get(id) ?? Promise.withResolvers<Value | null>()
    waiting.set(id, known)
    return known.promise
  }
}

const loadRating = batched(async (client, ids) => {
  const { ratings } = await client.reviews.mineFor.query({ ids })
  return new Map(ratings.map(({ titleId, rating }) => [titleId, rating]))
})

const loadMark = batched(async (client, itemIds) => {
  const { marks } = await client.diary.marks.query({ itemIds })
  return new Map(marks.map((mark) => [mark.itemId, mark]))
})

function myRating(id: number) {
  return queryOptions({ queryKey: [['my rating'], id], queryFn: ({ client }) => loadRating(client, id) })
}

function myMark(id: number) {
  // The key makes it part of the diary's queries, which are invalidated together.
  return queryOptions({ queryKey: [['diary', 'marks'], id], queryFn: ({ client }) => loadMark(client, id) })
}

/** Null if there is none; undefined until it is known and for visitors. `percent` is null if it is not known. */
export function useMyMark(id: number): Mark | null | undefined {
  const isMember = useSession() !== null
  const { data } = useQuery({ ...myMark(id), enabled: isMember })
  return isMember ? data : undefined
}

/** Null if there is none; undefined until it is known. */
export function useKnownStatus(id: number): DiaryStatus | null | undefined {
  const { data } = useQuery({ ...myMark(id), enabled: false })
  return data && data.status
}

/** Null if there is none; undefined until it is known and for visitors. */
export function useMyRating(id: number): Rating | undefined {
  const isMember = useSession() !== null
  const { data } = useQuery({ ...myRating(id), enabled: isMember })
  return isMember ? data : undefined
}

export function useKnownRating(id: number): { rating: Rating; at: number } | null {
  const { data, dataUpdatedAt } = useQuery({ ...myRating(id), enabled: false })
  return data === undefined ? null : { rating: data, at: dataUpdatedAt }
}

export function getMyRating(queryClient: QueryClient, id: number): Rating | undefined {
  return queryClient.getQueryData(myRating(id).queryKey)
}

export function loadMyRating(queryClient: QueryClient, id: number): Promise<Rating> {
  return queryClient.ensureQueryData(myRating(id))
}

export function setMyRating(queryClient: QueryClient, id: number, rating: Rating): void {
  const { queryKey } = myRating(id)
  // A response in flight is older.
  void queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData(queryKey, rating)
}
