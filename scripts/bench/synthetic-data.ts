import { sql } from 'kysely'
import { type DiaryStatus, type Kind, kindNames, perKind } from '#shared/domain/kinds.ts'
import { toTenths } from '#shared/domain/ratings.ts'
import { starterTitles } from '#server/starter/titles.ts'
import { recountAll } from '#server/db/counters.ts'
import { insertMany, isSqlite, setLastId } from '#server/db/dialect.ts'
import { titleColumns, usernameColumns } from '#server/db/fold.ts'
import { spreadPlaces } from '#server/lists/places.ts'
import { wordsOf } from '#server/lists/rules.ts'
import { listItemsMax } from '#shared/domain/limits.ts'
import { dayMs } from '#shared/domain/days.ts'
import type { Db } from '#server/db/open.ts'
import { features } from '#server/router.ts'
import type { Tables } from '#server/db/tables.ts'
import { seeded } from '#scripts/testing/random.ts'
import { readCommunity } from '#server/demo/community.ts'

/** By the first members; all others follow 50. */
const heavyFollowers = [500, 500, 500, 5_000, 5_000] as const
const followees = 50

/** Ids 1, 2, 3 …; other tables have composite keys. */
const withIds = new Set(['users', 'media', 'reviews', 'comments', 'diary_entries', 'lists', 'notifications'])

const ageMs = 3 * 365 * dayMs

/**
 * The same for the same seed and time. Popularity and activity are skewed as in production. Reviews are ordered by time, titles by
 * popularity. The members cannot log in. Throws if the database has members or titles.
 */
export async function generateSyntheticData(
  db: Db,
  options: Size & { onProgress?: (done: string) => void },
): Promise<void> {
  const { onProgress = () => {} } = options
  const dataset = drawDataset(options)
  // A cache of 1 GB keeps the index pages of a million reviews.
  if (isSqlite(db)) await sql`pragma cache_size = -1000000`.execute(db)
  await db.transaction().execute(async (trx) => {
    for (const table of ['users', 'media'] as const)
      if (await trx.selectFrom(table).select('id').limit(1).executeTakeFirst())
        throw new Error('The database has members or titles; the synthetic dataset needs an empty one.')
    for (const [table, rows] of Object.entries(dataset)) {
      let count = 0
      let batch: object[] = []
      const insert = async () => {
        await insertMany(trx, table, batch)
        count += batch.length
        batch = []
      }
      for (const row of rows) {
        if (batch.push(row) < 5_000) continue
        await insert()
        if (count % 250_000 === 0) onProgress(`${table}: ${count.toLocaleString('en')} …`)
      }
      await insert()
      // Autovacuum may have analyzed the table while it was empty, which would lead to nested loops over all rows.
      if (!isSqlite(trx)) await sql`analyze ${sql.table(table)}`.execute(trx)
      onProgress(`${table}: ${count.toLocaleString('en')}`)
      if (withIds.has(table)) await setLastId(trx, table, count)
    }
    await trx.deleteFrom('changes').execute()
    onProgress('counters')
    await recountAll(trx, features)
  })
  // Otherwise reads would search a write-ahead log as large as the database until the next checkpoint.
  await (isSqlite(db) ? sql`pragma wal_checkpoint(truncate)` : sql`vacuum analyze`).execute(db)
}

/** `lists`: by default a hundredth of the number of reviews. */
type Size = { reviews: number; lists?: number; seed?: number; now: Date }

type Dataset = {
  [Table in keyof Tables]?: Iterable<Partial<Record<keyof Tables[Table], string | number | null>>>
}

function drawDataset({ reviews, lists: listsGiven, seed = 1, now }: Size): Dataset {
  const random = seeded(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const below = (limit: number) => Math.floor(random() * limit)
  const start = now.getTime() - ageMs
  const iso = (time: number) => new Date(time).toISOString()
  const pick = <T>(from: readonly T[]): T => from[below(from.length)]!

  const memberCount = Math.max(100, Math.round(reviews / 20)) + heavyFollowers.length
  const titleCount = Math.max(200, Math.round(reviews / 100))

  // Zipf–Mandelbrot: with plain Zipf the most popular title would have more reviews than there are members.
  const drawTitle = picker(
    random,
    Array.from({ length: titleCount }, (_, rank) => 1 / (rank + 9)),
  )
  const kindOf = (title: number) => kindNames[title % kindNames.length]!
  const acclaim = Float32Array.from({ length: titleCount }, normal)

  // Log-normal, at least one, at most a quarter of all titles.
  const activity = Float64Array.from({ length: memberCount }, () => Math.exp(normal()))
  const total = activity.reduce((sum, one) => sum + one, 0)
  const most = Math.floor(titleCount / 4)
  const shares = Int32Array.from(activity, (one) =>
    Math.min(most, Math.max(1, Math.floor((one / total) * reviews))),
  )
  for (let left = reviews - shares.reduce((sum, one) => sum + one, 0); left !== 0;) {
    const member = below(memberCount)
    const step = Math.sign(left)
    if (shares[member]! + step < 1 || shares[member]! + step > most) continue
    shares[member]! += step
    left -= step
  }

  // Shuffled in time independently of both; later years have more reviews.
  const memberOf = new Int32Array(reviews)
  const titleOf = new Int32Array(reviews)
  let drawn = 0
  for (const [member, share] of shares.entries()) {
    for (const title of distinct(share, drawTitle)) {
      memberOf[drawn] = member
      titleOf[drawn++] = title
    }
  }
  for (let last = reviews - 1; last > 0; last--) {
    const other = below(last + 1)
    for (const list of [memberOf, titleOf]) [list[last], list[other]] = [list[other]!, list[last]!]
  }
  const timeOf = (review: number) => start + ageMs * Math.sqrt((review + 0.5) / reviews)
  const joined = new Float64Array(memberCount)
  for (let review = reviews - 1; review >= 0; review--)
    joined[memberOf[review]!] = timeOf(review) - random() * 3 * dayMs
  const hasText = Uint8Array.from({ length: reviews }, () => Number(random() < 0.65))
  // As stored. Each third member rates in halves.
  const ratingOf = Uint8Array.from({ length: reviews }, (_, review) => {
    const steps = memberOf[review]! % 3 === 0 ? 2 : 1
    const stars = Math.round(steps * (3.6 + acclaim[titleOf[review]!]! * 0.6 + normal() * 0.9)) / steps
    return toTenths(Math.min(5, Math.max(1, stars)))
  })
  const drawMember = picker(random, activity)

  // Drawn in advance, so that counters are inserted with the row. Heavy-tailed: most reviews have none or one, a few very many.
  const countPerText = (draw: () => number) =>
    Uint8Array.from(hasText, (isText) => (isText ? Math.min(50, Math.floor(draw())) : 0))
  const likes = countPerText(() => random() ** -0.55 - 0.7)
  const dislikes = countPerText(() => random() ** -0.2 - 0.7)
  const commentCounts = countPerText(() => random() ** -0.4 - 0.8)

  const kindAt = (review: number) => kindOf(titleOf[review]!)
  const authorAndTitle = (review: number) => ({
    user_id: memberOf[review]! + 1,
    media_id: titleOf[review]! + 1,
    kind: kindAt(review),
  })
  let comments = 0
  const known = Object.values(starterTitles).flat()
  const words = known.flatMap((title) => title.name.split(' '))
  const sentences = sentencesOfDemo()

  const largeLists = 20
  const listCount = largeLists + (listsGiven ?? Math.round(reviews / 100))
  const largest = Math.min(listItemsMax, Math.floor(titleCount / 2))

  const tagsOfAll = Object.values(starterTitles).flatMap((titles) => titles.flatMap(({ genres }) => genres))
  const named = Array.from({ length: listCount }, () => ({
    title: Array.from({ length: 2 + below(4) }, () => pick(words)).join(' '),
    tags: [...new Set(Array.from({ length: below(4) }, () => pick(tagsOfAll).toLowerCase()))],
  }))

  const likersOf = (review: number) =>
    [...new Set([1, 2, 3].map((step) => memberOf[(review + step) % reviews]! + 1))]
      .filter((liker) => liker !== memberOf[review]! + 1)
      .slice(0, 1 + (review % 3))

  return {
    users: each(memberCount, (member) => {
      const username = `${memberName(random)}_${member + 1}`
      const email = `${username}@world.example`
      const at = iso(joined[member]!)
      const times = { verified_at: at, wrote_at: null, created_at: at }
      const names = { ...usernameColumns(username), email, email_folded: email }
      return [{ id: member + 1, ...names, ...times }]
    }),
    media: each(titleCount, (title) => {
      const kind = kindOf(title)
      const ofKind = starterTitles[kind]
      const { overview, genres, creators, platforms = [] } = pick(ofKind.length > 0 ? ofKind : known)
      const name = Array.from({ length: 1 + below(4) }, () => pick(words)).join(' ')
      const date = iso(start - random() ** 2 * 60 * 365 * dayMs).slice(0, 10)
      return [
        {
          id: title + 1,
          kind,
          name,
          ...titleColumns(name, creators),
          overview,
          release_date: date,
          release_year: Number(date.slice(0, 4)),
          details: JSON.stringify({ genres, creators, platforms, rating: null }),
          created_at: iso(start),
          popularity: Math.floor(100 / (1 + title / 50)),
        },
      ]
    }),
    follows: each(memberCount, (member) => {
      const isHeavy = member < heavyFollowers.length
      const count = Math.min(isHeavy ? heavyFollowers[member]! : followees, memberCount - 1)
      // All others prefer active members.
      const draw = isHeavy ? () => below(memberCount) : drawMember
      return [...distinct(count, draw, member)].map((followee) => {
        const since = Math.max(joined[member]!, joined[followee]!)
        const created_at = iso(since + random() * (now.getTime() - since))
        return { follower_id: member + 1, followee_id: followee + 1, created_at }
      })
    }),
    reviews: each(reviews, (review) => {
      const at = iso(timeOf(review))
      const length = Math.min(40, Math.ceil(Math.exp(1.1 + normal() * 0.8)))
      const text = () => Array.from({ length }, () => pick(sentences[kindAt(review)])).join(' ')
      return [
        {
          id: review + 1,
          ...authorAndTitle(review),
          rating: ratingOf[review]!,
          text: hasText[review] ? text() : '',
          created_at: at,
          updated_at: at,
          rated_at: at,
          like_count: likes[review]!,
          dislike_count: dislikes[review]!,
          comment_count: commentCounts[review]!,
        },
      ]
    }),
    reactions: each(reviews, (review) => {
      const members = distinct(likes[review]! + dislikes[review]!, drawMember, memberOf[review])
      return [...members].map((member, at) => ({
        review_id: review + 1,
        user_id: member + 1,
        reaction: at < likes[review]! ? 'like' : 'dislike',
      }))
    }),
    comments: each(reviews, (review) => {
      let at = timeOf(review)
      return Array.from({ length: commentCounts[review]! }, () => {
        at += random() * (now.getTime() - at) * 0.1
        const text = pick(sentences[kindAt(review)])
        return { id: ++comments, review_id: review + 1, user_id: drawMember() + 1, text, created_at: iso(at) }
      })
    }),
    favorites: each(reviews, (review) =>
      ratingOf[review] === 50 && random() < 0.3
        ? [{ ...authorAndTitle(review), created_at: iso(timeOf(review)) }]
        : [],
    ),
    diary_entries: each(reviews, (review) => {
      const time = iso(timeOf(review))
      const day = time.slice(0, 10)
      const entry = { ...authorAndTitle(review), created_at: time, updated_at: time }
      const entries = [{ ...entry, status: 'finished', started_on: null as string | null, finished_on: day }]
      const more = (status: DiaryStatus, share: number, started_on: string | null) =>
        random() < share ? [{ ...entry, status, started_on, finished_on: null }] : []
      return [...entries, ...more('want', 0.15, null), ...more('started', 0.02, day)]
    }),
    lists: each(listCount, (list) => {
      const at = iso(start + random() * ageMs)
      return [
        {
          id: list + 1,
          user_id: 1 + below(memberCount),
          title: named[list]!.title,
          tags: JSON.stringify(named[list]!.tags),
          is_ranked: list % 2,
          visibility: list < largeLists || random() < 0.8 ? 'public' : 'private',
          created_at: at,
          updated_at: at,
        },
      ]
    }),
    list_words: each(listCount, (list) => {
      const { title, tags } = named[list]!
      return wordsOf(title, tags).map((word) => ({ word, list_id: list + 1 }))
    }),
    list_items: each(listCount, (list) => {
      const titles = list < largeLists ? distinct(largest, () => below(titleCount)) : distinct(20, drawTitle)
      const places = spreadPlaces(titles.size)
      return [...titles].map((title, at) => ({
        list_id: list + 1,
        media_id: title + 1,
        kind: kindOf(title),
        place: places[at]!,
        added_at: iso(now.getTime() - at),
      }))
    }),
    list_likes: each(listCount, (list) =>
      [...distinct(below(8), drawMember)].map((member) => ({
        list_id: list + 1,
        user_id: member + 1,
        created_at: iso(start + random() * ageMs),
      })),
    ),
    inboxes: each(memberCount, (member) => [
      { user_id: member + 1, last_at: iso(now.getTime()), read_to: iso(now.getTime() - 60 * dayMs) },
    ]),
    notifications: each(reviews, (review) => {
      const at = iso(timeOf(review))
      const actors = likersOf(review)
      return [
        {
          id: review + 1,
          user_id: memberOf[review]! + 1,
          type: 'like',
          target_type: 'review',
          target_id: review + 1,
          day: at.slice(0, 10),
          at,
          actors: JSON.stringify(actors),
          actor_count: actors.length,
        },
      ]
    }),
    notification_actors: each(reviews, (review) =>
      likersOf(review).map((actor_id) => ({
        notification_id: review + 1,
        actor_id,
        at: iso(timeOf(review)),
      })),
    ),
  }
}

function* each<Row>(count: number, rowsOf: (at: number) => Row[]): Iterable<Row> {
  for (let at = 0; at < count; at++) yield* rowsOf(at)
}

function picker(random: () => number, weights: ArrayLike<number>): () => number {
  let sum = 0
  const sums = Float64Array.from(weights, (weight) => (sum += weight))
  return () => {
    const at = random() * sum
    let [low, high] = [0, sums.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (sums[middle]! > at) high = middle
      else low = middle + 1
    }
    return low
  }
}

function distinct(count: number, draw: () => number, except?: number): Set<number> {
  const taken = new Set<number>()
  while (taken.size < count) {
    const one = draw()
    if (one !== except) taken.add(one)
  }
  return taken
}

const syllables =
  'ba be bri ca da de do el fa fi ga gu ha in jo ka ki la le lo ma mi mo na ne no or pa pe qui ra ri ro sa se sha so ta te ti tu ul va ve vi wa xa ya ze zu'.split(
    ' ',
  )

function memberName(random: () => number): string {
  return Array.from(
    { length: 2 + Math.floor(random() * 3) },
    () => syllables[Math.floor(random() * syllables.length)],
  ).join('')
}

function sentencesOfDemo(): Record<Kind, string[]> {
  const { reviews } = readCommunity()
  const sentencesOf = (about: typeof reviews) =>
    about
      .flatMap(({ text }) => text?.match(/[^.!?]+[.!?]+/g) ?? text ?? [])
      .map((sentence) => sentence.trim())
  return perKind(({ kind }) => {
    const ofKind = reviews.filter((review) => review.kind === kind)
    return sentencesOf(ofKind.length > 0 ? ofKind : reviews)
  })
}
