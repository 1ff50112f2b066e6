import { imageOf, kindUtils, nameOf, recordOf } from '#client/kinds.ts'
import { useSession } from '#client/session.ts'
import { type RouterOutputs, trpc } from '#client/trpc.ts'
import { feedItemsWithRaters } from '#shared/limits.ts'
import { allKinds, type Kind, type KindFacts, kinds } from '#shared/media.ts'
import { type FeedEntry, mergeFeeds } from './feed.ts'

function entriesFrom(facts: KindFacts, { forYou }: RouterOutputs['movies']['forYou']): FeedEntry[] {
  return forYou.map((entry) => {
    const { friendAvg, friendCount } = entry
    const record = recordOf(facts, entry)
    return {
      kind: facts.kind,
      id: record.id,
      title: nameOf(facts, record),
      imageUrl: imageOf(facts, record),
      friendAvg,
      friendCount,
    }
  })
}

/** The feeds of all kinds as one. Only the first kind's failure (movies) counts; another kind's feed is then empty. */
export function useFeed() {
  const enabled = useSession() !== null
  const answers = trpc.useQueries((api) =>
    allKinds.map((facts) => kindUtils(api, facts).forYou({}, { enabled })),
  )
  const [movies] = answers
  return {
    isPending: answers.some((answer) => answer.isLoading),
    isRefetching: answers.some((answer) => answer.isRefetching),
    error: movies?.data ? null : (movies?.error ?? null),
    entries: mergeFeeds(
      allKinds.map((facts, index) => {
        const data = answers[index]?.data
        return data ? entriesFrom(facts, data) : []
      }),
    ),
    retry: () => {
      for (const answer of answers) if (answer.isError) void answer.refetch()
    },
  }
}

export type Rater = { id: number; username: string; avatarUrl: string | null }

/** Who of the network rated the first of these entries; answers by `kind id`. */
export function useRaters(
  entries: readonly FeedEntry[],
): (entry: { kind: Kind; id: number }) => readonly Rater[] {
  const asked = entries.slice(0, feedItemsWithRaters)
  const answers = trpc.useQueries((api) =>
    asked.map(({ kind, id }) => kindUtils(api, kinds[kind]).networkRaters({ id })),
  )
  return ({ kind, id }) =>
    answers[asked.findIndex((entry) => entry.kind === kind && entry.id === id)]?.data?.raters ?? []
}
