import { cardOf, type CardTitle, kindRouter, titleIn } from '#client/app/kinds.ts'
import type { LoaderUtils } from '#client/app/loader-context.ts'
import { type RouterOutputs, trpc } from '#client/app/trpc.ts'
import { popularDays, popularLimit } from '#shared/domain/limits.ts'
import { type KindDefinition, kinds, kindsOnHome } from '#shared/domain/kinds.ts'
import { interleave } from './interleave.ts'

const input = { days: popularDays, limit: popularLimit }

/** For the example of a review: some may reveal the plot. */
export const reviewsInput = (itemId: number) => ({ itemId, sortBy: 'likeCount' as const, limit: 3 })

type PopularEntry = RouterOutputs['movies']['popular']['popular'][number]
export type Popular = CardTitle & Pick<PopularEntry, 'reviewCount' | 'reviewAverage'>

/** One request for all kinds. Never rejects: a failed list shows its error in its tab. */
export async function ensurePopular(utils: LoaderUtils): Promise<void> {
  await Promise.allSettled(
    kindsOnHome.map((definition) => kindRouter(utils, definition).popular.ensureData(input)),
  )
  // The browser fetches the backdrop when it renders the list.
  if (!import.meta.env.SSR) return
  for (const definition of kindsOnHome) {
    const first = kindRouter(utils, definition).popular.getData(input)?.popular[0]
    if (!first) continue
    await Promise.all([
      kindRouter(utils, definition).byId.prefetch({ id: first.id }),
      utils.reviews.list.prefetch(reviewsInput(first.id)),
    ])
    return
  }
}

export function usePopular(definition: KindDefinition) {
  const query = kindRouter(trpc, definition).popular.useQuery(input)
  return { ...query, entries: entriesOf(definition, query.data) }
}

function entriesOf(definition: KindDefinition, data: { popular: PopularEntry[] } | undefined): Popular[] {
  return (data?.popular ?? []).map(({ reviewCount, reviewAverage, ...title }) => ({
    ...cardOf(definition, title),
    reviewCount,
    reviewAverage,
  }))
}

/** An error only if all lists failed. */
export function usePopularOfAll() {
  const lists = trpc.useQueries((api) =>
    kindsOnHome.map((definition) => kindRouter(api, definition).popular(input)),
  )
  return {
    entries: interleave(
      kindsOnHome.map((definition, index) => entriesOf(definition, lists[index]!.data)),
      ({ id }) => String(id),
      popularLimit,
    ),
    isPending: lists.some((list) => list.isPending),
    isLoadingError: lists.every((list) => list.isLoadingError),
    refetch: () => lists.filter((list) => list.isError).forEach((list) => void list.refetch()),
  }
}

export function useBackdrop({ kind, id }: Popular) {
  const definition = kinds[kind]
  const { data } = kindRouter(trpc, definition).byId.useQuery({ id }, { staleTime: 600_000 })
  return { src: data && titleIn(definition, data).backdropUrl }
}
