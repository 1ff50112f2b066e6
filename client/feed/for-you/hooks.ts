import { useSession } from '#client/session.ts'
import { trpc } from '#client/trpc.ts'
import { feedItemsWithRaters } from '#shared/limits.ts'
import { allKinds, type Kind, type KindFacts, kinds } from '#shared/media.ts'
import { type FeedEntry, mergeFeeds } from './feed.ts'

// One factory on the server makes the routers of all kinds, so each is read as that of movies.
function feedOf<Routers extends Record<KindFacts['router'], unknown>>(
  routers: Routers,
  { router }: KindFacts,
): Routers['movies'] {
  return routers[router] as Routers['movies']
}

type Answer = { forYou: readonly { friendAvg: number; friendCount: number }[] }

/** The wire nests a title under its kind's key, with its kind's words. */
function entriesFrom({ kind, key, nameKey, imageKey }: KindFacts, { forYou }: Answer): FeedEntry[] {
  return forYou.map(({ friendAvg, friendCount, ...rest }) => {
    const record = (rest as Record<string, Record<string, unknown>>)[key] ?? {}
    return {
      kind,
      id: record['id'] as number,
      title: record[nameKey] as string,
      imageUrl: record[imageKey] as string | null,
      friendAvg,
      friendCount,
    }
  })
}

/** The feeds of all kinds as one. Only the first kind's failure (movies) counts; another kind's feed is then empty. */
export function useFeed() {
  const enabled = useSession() !== null
  const answers = trpc.useQueries((api) =>
    allKinds.map((facts) => feedOf(api, facts).forYou({}, { enabled })),
  )
  const [movies] = answers
  return {
    isPending: answers.some((answer) => answer.isLoading),
    isRefetching: answers.some((answer) => answer.isRefetching),
    error: movies?.error ?? null,
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
    asked.map(({ kind, id }) => feedOf(api, kinds[kind]).networkRaters({ id })),
  )
  return ({ kind, id }) =>
    answers[asked.findIndex((entry) => entry.kind === kind && entry.id === id)]?.data?.raters ?? []
}
