import { setTimeout as wait } from 'node:timers/promises'
import { TRPCError } from '@trpc/server'
import type { FastifyBaseLogger } from 'fastify'
import { z } from 'zod'
import type { Kind } from '#shared/media.ts'
import { messages } from '#shared/messages.ts'
import type { LiveEvent } from '#shared/reviews.ts'
import { openShares } from '#server/addresses.ts'
import type { Config } from '#server/config.ts'
import { openChannel } from '#server/db/channel.ts'
import type { Db } from '#server/db/open.ts'
import { type Change, histogramOf } from './rules.ts'
import { findRatings } from './store.ts'

/** Tells whoever looks at a title what happens to its reviews, in whichever process it happens. */
export type Live = {
  /** For after the commit; never throws, never waits. */
  publish: (change: Change) => void
  /**
   * The ratings as they stand, then an event after each burst of changes; who is slow gets several in one. Is over with
   * the signal. Throws TOO_MANY_REQUESTS or SERVICE_UNAVAILABLE where too many are open already; when the process ends,
   * an open one throws the latter.
   */
  follow: (
    title: Title,
    caller: { address: string; isFromMember: boolean; signal: AbortSignal | undefined },
  ) => AsyncGenerator<LiveEvent, void>
  /** How many are open. */
  count: () => number
  /** Ends those that are open. */
  end: () => void
  close: () => Promise<void>
}

type Title = { id: number; kind: Kind }
type Ratings = LiveEvent['ratings']
type Listed = LiveEvent['reviews'][number]
/** By the review's id: what came last of it. */
type News = Map<number, Listed>
type Follower = {
  ratings?: Ratings | undefined
  news: News
  isGone: boolean
  isEnded: boolean
  wake: () => void
}
type Topic = { title: Title; followers: Set<Follower>; news: News; isDue: boolean; isTelling: boolean }

const streamsMax = 2_000
/** Of all streams, the last are for addresses from which a member called lately. */
const shareOfMembers = 0.25
/**
 * Of an IPv4 address or a /64 of IPv6, and of a /48. A browser has one for each page that is looked at; an address may be
 * that of a school.
 */
const streamsPerNetworkMax = [100, 200]
const burstMs = 500
/** Reviews that one event names; of more in one burst, the last. */
const newsMax = 100

const sentChange = z.object({
  mediaId: z.int(),
  review: z.object({ id: z.int(), userId: z.int(), isListed: z.boolean() }).optional(),
})

/** Resolves once it hears other processes, or once that has failed for the first time. */
export async function openLive({
  config,
  db,
  log,
  burst = () => wait(burstMs, undefined, { ref: false }),
  max = streamsMax,
  reserved = Math.floor(max * shareOfMembers),
  perNetworkMax = config.hasRateLimits ? streamsPerNetworkMax : [Infinity, Infinity],
}: {
  config: Pick<Config, 'databaseUrl' | 'hasRateLimits'>
  db: Db
  log: Pick<FastifyBaseLogger, 'warn'>
  /** For how long changes of a title are gathered. */
  burst?: () => Promise<unknown>
  max?: number
  /** Of `max`, those that visitors cannot have. */
  reserved?: number
  /** Of the narrowest network of a caller, and of the one around it (see `networksOf`). */
  perNetworkMax?: readonly number[]
}): Promise<Live> {
  const topics = new Map<number, Topic>()
  const shares = openShares(perNetworkMax)
  let count = 0

  const channel = await openChannel(config, 'medley_reviews', {
    onText(text) {
      const { mediaId, review } = sentChange.parse(JSON.parse(text))
      const topic = topics.get(mediaId)
      if (topic) hear(topic, review)
    },
    onGap() {
      for (const topic of topics.values()) hear(topic)
    },
    onProblem: (error) => log.warn({ err: error }, 'live updates may be missing'),
  })

  function hear(topic: Topic, review?: Listed): void {
    topic.isDue = true
    if (review) addNews(topic.news, [review])
    if (!topic.isTelling) void tell(topic)
  }

  /** One burst after the other, so that older figures never come after newer ones. Read once for all who follow. */
  async function tell(topic: Topic): Promise<void> {
    topic.isTelling = true
    while (topic.isDue && topic.followers.size > 0) {
      await burst()
      const reviews = [...topic.news.values()]
      topic.isDue = false
      topic.news.clear()
      try {
        const ratings = await readRatings(topic.title)
        for (const follower of topic.followers) {
          follower.ratings = ratings
          addNews(follower.news, reviews)
          follower.wake()
        }
      } catch (error) {
        log.warn({ err: error }, 'live updates are missing')
      }
    }
    topic.isTelling = false
  }

  async function readRatings({ kind, id }: Title): Promise<Ratings | undefined> {
    const row = await findRatings(db, kind, id)
    return row && histogramOf(row)
  }

  /** Answers how to leave; that can be done twice. */
  function join(title: Title, follower: Follower, address: string): () => void {
    const topic = topics.get(title.id) ?? {
      title,
      followers: new Set(),
      news: new Map(),
      isDue: false,
      isTelling: false,
    }
    topics.set(title.id, topic)
    topic.followers.add(follower)
    count++
    const giveBack = shares.take(address)
    return () => {
      follower.isGone = true
      follower.wake()
      if (!topic.followers.delete(follower)) return
      if (topic.followers.size === 0) topics.delete(title.id)
      count--
      giveBack()
    }
  }

  async function* eventsFor(title: Title, follower: Follower): AsyncGenerator<LiveEvent, void> {
    const ratings = await readRatings(title)
    follower.ratings ??= ratings
    while (!follower.isGone) {
      if (follower.isEnded) throw new TRPCError({ code: 'SERVICE_UNAVAILABLE', message: messages.busy })
      const { ratings, news } = follower
      if (ratings) {
        follower.ratings = undefined
        follower.news = new Map()
        yield { ratings, reviews: [...news.values()] }
      } else {
        await new Promise<void>((resolve) => (follower.wake = resolve))
      }
    }
  }

  const end = () => {
    for (const { followers } of topics.values()) {
      for (const follower of followers) {
        follower.isEnded = true
        follower.wake()
      }
    }
  }

  return {
    publish: (change) => channel.send(JSON.stringify(change)),
    follow(title, { address, isFromMember, signal }) {
      if (count >= (isFromMember ? max : max - reserved))
        throw new TRPCError({ code: 'SERVICE_UNAVAILABLE', message: messages.busy })
      if (shares.isUsedUp(address))
        throw new TRPCError({ code: 'TOO_MANY_REQUESTS', message: messages.tooManyRequests })
      const follower: Follower = { news: new Map(), isGone: false, isEnded: false, wake: () => {} }
      const leave = join(title, follower, address)
      // Not only by the loop's end: who leaves at once never begins it.
      if (signal?.aborted) leave()
      signal?.addEventListener('abort', leave, { once: true })
      return (async function* () {
        try {
          yield* eventsFor(title, follower)
        } finally {
          signal?.removeEventListener('abort', leave)
          leave()
        }
      })()
    },
    count: () => count,
    end,
    async close() {
      end()
      await channel.close()
    },
  }
}

/** The last word of a review counts; of too many reviews, the last are kept. */
function addNews(news: News, reviews: readonly Listed[]): void {
  for (const review of reviews) {
    news.delete(review.id)
    news.set(review.id, review)
  }
  for (const id of news.keys()) {
    if (news.size <= newsMax) return
    news.delete(id)
  }
}
