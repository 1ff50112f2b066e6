import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { z } from 'zod'
import type { Kind } from '#shared/domain/kinds.ts'
import type { InboxEvent } from '#shared/contracts/notifications.ts'
import type { LiveEvent } from '#shared/contracts/reviews.ts'
import { openNetworkQuotas } from '#server/process/addresses.ts'
import type { Config } from '#server/config.ts'
import { busy, TooManyRequests } from '#server/calls/errors.ts'
import { openChannel } from '#server/db/channel.ts'
import type { Db } from '#server/db/open.ts'
import { forgetSettings, readSettings } from '#server/members/settings.ts'
import { pause } from '#server/db/slices.ts'
import { versionOf } from '#server/db/version.ts'
import { openSessionWatch, type StreamingMember } from '#server/accounts/session-watch.ts'
import type { InboxWatch } from '#server/notifications/watch.ts'
import { type Change, histogramOf, histogramOfRatings, type Subject } from './rules.ts'
import { findRatings, findRatingsOfPart } from './store.ts'

export type Live = {
  /** Call it after the commit. Never throws. */
  publish: (change: Change) => void
  /**
   * The current ratings, then one event per burst; a slow subscriber gets several bursts in one event. Ends with the signal, and within a
   * second of the session. Throws TOO_MANY_REQUESTS or SERVICE_UNAVAILABLE if too many streams are open, and SERVICE_UNAVAILABLE when the
   * process shuts down.
   */
  subscribe: (title: LiveTitle, caller: LiveCaller) => AsyncGenerator<LiveEvent, void>
  /** The number of unread notifications, now and after each change. Otherwise like `subscribe`. */
  followInbox: (caller: LiveCaller & { member: StreamingMember }) => AsyncGenerator<InboxEvent, void>
  count: () => number
  /** Ends the streams of visitors if they may no longer read. */
  announceSettings: () => void
  end: () => void
  close: () => Promise<void>
}

type LiveCaller = {
  address: string
  isFromMember: boolean
  signal: AbortSignal | undefined
  member: StreamingMember | null
}
type LiveTitle = { id: number; kind: Kind; part_id?: number | null }
type Ratings = LiveEvent['ratings']
type ReviewChange = LiveEvent['reviews'][number]
type ReviewChanges = Map<number, ReviewChange>
type Stream = { isUnsubscribed: boolean; isEnded: boolean; isOfVisitor: boolean; wake: () => void }
const newStream = (): Stream => ({ isUnsubscribed: false, isEnded: false, isOfVisitor: true, wake() {} })
type Subscriber = Stream & { ratings?: Ratings | undefined; changes: ReviewChanges }
type Topic = {
  title: LiveTitle
  subscribers: Set<Subscriber>
  changes: ReviewChanges
  isDue: boolean
  isSending: boolean
}

const streamsMax = 2_000
/** For addresses from which a member called recently. */
const shareOfMembers = 0.25
/** Of an IPv4 address or an IPv6 /64, and of an IPv6 /48. A browser opens one stream per visible page; many users of a school share one address. */
const streamsPerNetworkMax = [100, 200]
const tooManyStreamsSeconds = 10
const burstMs = 500
const changesMax = 100

const changeMessage = z.object({
  subject: z.object({ media_id: z.int().nullable(), part_id: z.int().nullable() }),
  review: z.object({ id: z.int(), userId: z.int(), isListed: z.boolean() }).optional(),
})

const settingsMessage = 'settings'

const nameOf = ({ media_id, part_id }: Subject) =>
  part_id === null ? `title ${media_id}` : `part ${part_id}`
const topicOf = ({ id, part_id = null }: LiveTitle) => nameOf({ media_id: id, part_id })

/** Resolves when the channel to other processes listens, or its first attempt has failed. */
export async function openLive({
  config,
  db,
  log,
  inboxes,
  burst = () => wait(burstMs, undefined, { ref: false }),
  max = streamsMax,
  reserved = Math.floor(max * shareOfMembers),
  perNetworkMax = config.hasRateLimits ? streamsPerNetworkMax : [Infinity, Infinity],
}: {
  config: Pick<Config, 'databaseUrl' | 'hasRateLimits'>
  db: Db
  log: Pick<FastifyBaseLogger, 'warn'>
  inboxes: InboxWatch
  burst?: () => Promise<unknown>
  max?: number
  reserved?: number
  /** Narrowest first (see `networksOf`). */
  perNetworkMax?: readonly number[]
}): Promise<Live> {
  const topics = new Map<string, Topic>()
  const quotas = openNetworkQuotas(perNetworkMax)
  const streams = new Set<Stream>()
  const sessions = openSessionWatch(db, log)

  const channel = await openChannel(config, 'medley_reviews', {
    onMessage(message) {
      if (message === settingsMessage) return void obeySettings()
      const { subject, review } = changeMessage.parse(JSON.parse(message))
      // Before subscribers reload the review: another process may have changed it.
      versionOf(db).bump()
      const topic = topics.get(nameOf(subject))
      if (topic) enqueue(topic, review)
    },
    onGap() {
      versionOf(db).bump()
      for (const topic of topics.values()) enqueue(topic)
    },
    onError: (error) => log.warn({ err: error }, 'live updates may be lost: the channel failed'),
  })

  function enqueue(topic: Topic, review?: ReviewChange): void {
    topic.isDue = true
    if (review) mergeChanges(topic.changes, [review])
    if (!topic.isSending) void send(topic)
  }

  /** One burst after the other, so that no subscriber gets old ratings after new ones. Reads once for all. */
  async function send(topic: Topic): Promise<void> {
    topic.isSending = true
    while (topic.isDue && topic.subscribers.size > 0) {
      await burst()
      const reviews = [...topic.changes.values()]
      topic.isDue = false
      topic.changes.clear()
      try {
        const ratings = await readRatings(topic.title)
        for (const subscriber of topic.subscribers) {
          subscriber.ratings = ratings
          mergeChanges(subscriber.changes, reviews)
          subscriber.wake()
          // Each writes to its connection.
          await pause()
        }
      } catch (error) {
        log.warn({ err: error }, 'live updates were lost: reading the ratings failed')
      }
    }
    topic.isSending = false
  }

  async function readRatings({ kind, id, part_id = null }: LiveTitle): Promise<Ratings | undefined> {
    if (part_id !== null) {
      const ratings = await findRatingsOfPart(db, part_id)
      return ratings && histogramOfRatings(ratings)
    }
    const row = await findRatings(db, kind, id)
    return row && histogramOf(row)
  }

  function addSubscriber(title: LiveTitle, subscriber: Subscriber): () => void {
    const name = topicOf(title)
    const topic = topics.get(name) ?? {
      title,
      subscribers: new Set(),
      changes: new Map(),
      isDue: false,
      isSending: false,
    }
    topics.set(name, topic)
    topic.subscribers.add(subscriber)
    return () => {
      topic.subscribers.delete(subscriber)
      if (topic.subscribers.size === 0) topics.delete(name)
    }
  }

  /** `add` returns the function that ends its supply of events. */
  function open<Event>(
    stream: Stream,
    { address, isFromMember, signal, member }: LiveCaller,
    add: () => () => void,
    take: () => Event | undefined,
    prepare = async () => {},
  ): AsyncGenerator<Event, void> {
    if (streams.size >= (isFromMember ? max : max - reserved)) throw busy()
    if (quotas.wouldExceed(address)) throw new TooManyRequests(tooManyStreamsSeconds)
    stream.isOfVisitor = member === null
    streams.add(stream)
    const giveBack = quotas.take(address)
    const close = () => {
      stream.isUnsubscribed = true
      stream.wake()
      if (!streams.delete(stream)) return
      remove()
      unwatch?.()
      giveBack()
    }
    const remove = add()
    const unwatch = member ? sessions.add(member, close) : undefined
    // The generator's `finally` never runs if the client disconnects before reading.
    if (signal?.aborted) close()
    signal?.addEventListener('abort', close, { once: true })
    return (async function* () {
      try {
        await prepare()
        while (!stream.isUnsubscribed) {
          if (stream.isEnded) throw busy()
          const event = take()
          if (event) yield event
          else await new Promise<void>((resolve) => (stream.wake = resolve))
        }
      } finally {
        signal?.removeEventListener('abort', close)
        close()
      }
    })()
  }

  function end(isDue = (_stream: Stream) => true): void {
    for (const stream of [...streams].filter(isDue)) {
      stream.isEnded = true
      stream.wake()
    }
  }

  async function obeySettings(): Promise<void> {
    forgetSettings(db)
    versionOf(db).bump()
    const { visitorsMayRead } = await readSettings(db).catch(() => ({ visitorsMayRead: false }))
    if (!visitorsMayRead) end(({ isOfVisitor }) => isOfVisitor)
  }

  return {
    announceSettings: () => channel.send(settingsMessage),
    publish: (change) => channel.send(JSON.stringify(change)),
    subscribe(title, caller) {
      const subscriber: Subscriber = { ...newStream(), changes: new Map() }
      return open(
        subscriber,
        caller,
        () => addSubscriber(title, subscriber),
        () => {
          const { ratings, changes } = subscriber
          if (!ratings) return undefined
          subscriber.ratings = undefined
          subscriber.changes = new Map()
          return { ratings, reviews: [...changes.values()] }
        },
        async () => {
          const ratings = await readRatings(title)
          subscriber.ratings ??= ratings
        },
      )
    },
    followInbox(caller) {
      const stream: Stream & { event?: InboxEvent | undefined } = newStream()
      return open(
        stream,
        caller,
        () =>
          inboxes.add(caller.member, (event) => {
            stream.event = event
            stream.wake()
          }),
        () => {
          const { event } = stream
          stream.event = undefined
          return event
        },
      )
    },
    count: () => streams.size,
    end: () => end(),
    async close() {
      end()
      await channel.close()
    },
  }
}

/** Keeps the last change of each review and the last `changesMax` reviews. */
function mergeChanges(changes: ReviewChanges, reviews: readonly ReviewChange[]): void {
  for (const review of reviews) {
    changes.delete(review.id)
    changes.set(review.id, review)
  }
  for (const id of changes.keys()) {
    if (changes.size <= changesMax) return
    changes.delete(id)
  }
}
