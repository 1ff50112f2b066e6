import { kindApi, kindUtils, recordOf } from '#client/kinds.ts'
import type { RouterOutputs, trpcUtils } from '#client/trpc.ts'
import { popularDays, popularLimit } from '#shared/limits.ts'
import { type KindFacts, kinds } from '#shared/media.ts'
import { interleave } from './merge.ts'

/** In the order of the tabs. */
export const popularKinds: readonly KindFacts[] = [kinds.movie, kinds.tvShow, kinds.game, kinds.book]

const input = { days: popularDays, limit: popularLimit }

export type PopularEntry = RouterOutputs['movies']['popular']['popular'][number]
export type Popular = { facts: KindFacts; entry: PopularEntry }

/** For the home page's loader: the four lists in one request. A list that fails says so in its own place. */
export async function ensurePopular(utils: typeof trpcUtils): Promise<void> {
  await Promise.allSettled(popularKinds.map((facts) => kindUtils(utils, facts).popular.ensureData(input)))
  // A browser asks for the backdrop once it shows the list.
  if (!import.meta.env.SSR) return
  for (const facts of popularKinds) {
    const first = kindUtils(utils, facts).popular.getData(input)?.popular[0]
    if (first) return kindUtils(utils, facts).byId.prefetch({ id: first.id })
  }
}

/** The popular titles of one kind. */
export function usePopular(facts: KindFacts) {
  const query = kindApi(facts).popular.useQuery(input)
  return { ...query, entries: (query.data?.popular ?? []).map((entry): Popular => ({ facts, entry })) }
}

/** The four lists and what they make together; an error only where all four failed. */
export function usePopularOfAll() {
  const lists = [
    usePopular(kinds.movie),
    usePopular(kinds.tvShow),
    usePopular(kinds.game),
    usePopular(kinds.book),
  ]
  return {
    entries: interleave(
      lists.map((list) => list.entries),
      ({ facts, entry }) => `${facts.kind} ${entry.id}`,
      popularLimit,
    ),
    isPending: lists.some((list) => list.isPending),
    isLoadingError: lists.every((list) => list.isLoadingError),
    isFetching: lists.some((list) => list.isFetching),
    refetch: () => lists.filter((list) => list.isError).forEach((list) => void list.refetch()),
  }
}

/** The wide picture of a title; cards do not carry it. */
export function useBackdrop(facts: KindFacts, id: number) {
  const { data } = kindApi(facts).byId.useQuery({ id }, { staleTime: 600_000 })
  return { src: data && recordOf(facts, data).backdropUrl }
}
