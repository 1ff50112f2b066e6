import { type Kind, kindNames } from '#shared/media.ts'
import { hashPassword } from '#server/accounts/passwords.ts'
import { starterId, starterTitles } from '#server/catalogue/starter/titles.ts'
import type { StarterTitle } from '#server/catalogue/starter/title.ts'
import { recountAll } from '#server/db/counters.ts'
import { lockKeys } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { storePicture } from '#server/uploads/pictures.ts'
import { folderStorage } from '#server/uploads/storage.ts'
import { type DemoMember, demoMembers } from './members.ts'
import { portraitSvg } from './portrait.ts'
import { pickWeighted, seeded } from './random.ts'
import type { ReviewText } from './review-text.ts'
import { bookReviews } from './reviews/books.ts'
import { gameReviews } from './reviews/games.ts'
import { movieReviews } from './reviews/movies.ts'
import { tvShowReviews } from './reviews/tv-shows.ts'

/** The sign-in that the start prints. It is public, so the community must go where the demo is off. */
export const demoSignIn = { email: 'demo@medley.example', password: 'medley-demo' } as const

/** No hash of any password: nobody can log in with it. */
const noPassword = '!'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/**
 * A made-up community over the starter catalogue: members with tastes, follows, ratings, reviews, comments, reactions and
 * favorites, spread over the weeks before `now`. Does nothing where it is there already, but bring its times up to date.
 */
export async function loadCommunity(db: Db, dataDir: string, now: Date): Promise<'made' | 'there'> {
  const newest = await db
    .selectFrom('reviews')
    .innerJoin('users', 'users.id', 'reviews.user_id')
    .where('users.is_demo', '=', 1)
    // Not of the one whose sign-in is public: somebody may be using it today.
    .where('users.password_hash', '=', noPassword)
    .select((eb) => eb.fn.max('reviews.rated_at').as('at'))
    .executeTakeFirst()
  if (newest?.at) {
    const days = Math.floor((now.getTime() - Date.parse(newest.at)) / dayMs)
    if (days >= 2) await db.transaction().execute((trx) => shiftTimes(trx, days * dayMs))
    return 'there'
  }
  const pictures = await drawPortraits(dataDir)
  const passwordHash = await hashPassword(demoSignIn.password)
  const plan = planCommunity(now)
  await db.transaction().execute(async (trx) => {
    // Processes that start at once over one Postgres: the second finds what the first made.
    await lockKeys(trx, ['community'])
    if (await trx.selectFrom('users').select('id').where('is_demo', '=', 1).executeTakeFirst()) return
    const userIds = await insertMembers(trx, plan.members, pictures, passwordHash)
    const titleIds = await findStarterIds(trx)
    const reviewIds = new Map<PlannedReview, number>()
    for (const planned of plan.reviews) {
      const { id } = await trx
        .insertInto('reviews')
        .values({
          media_id: titleIds.get(planned.title)!,
          kind: planned.kind,
          user_id: userIds[planned.member]!,
          rating: planned.rating,
          text: planned.text,
          created_at: planned.at,
          updated_at: planned.at,
          rated_at: planned.at,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      reviewIds.set(planned, id)
    }
    const id = (member: number) => userIds[member]!
    await insertAll(
      trx,
      'follows',
      plan.follows.map((f) => ({
        follower_id: id(f.follower),
        followee_id: id(f.followee),
        created_at: f.at,
      })),
    )
    await insertAll(
      trx,
      'comments',
      plan.comments.map((c) => ({
        review_id: reviewIds.get(c.review)!,
        user_id: id(c.member),
        text: c.text,
        created_at: c.at,
      })),
    )
    await insertAll(
      trx,
      'reactions',
      plan.reactions.map((r) => ({
        review_id: reviewIds.get(r.review)!,
        user_id: id(r.member),
        reaction: r.reaction,
      })),
    )
    await insertAll(
      trx,
      'favorites',
      plan.favorites.map((f) => ({
        user_id: id(f.member),
        media_id: titleIds.get(f.title)!,
        kind: f.kind,
        created_at: f.at,
      })),
    )
    await recountAll(trx)
  })
  return 'made'
}

/** Takes the community away with everything it did; answers how many members that were. */
export async function removeCommunity(db: Db): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const demo = trx.selectFrom('users').select('id').where('is_demo', '=', 1)
    // Movies that were made through the public sign-in, with what anybody said of them.
    await trx.deleteFrom('media').where('created_by', 'in', demo).execute()
    const { numDeletedRows } = await trx
      .deleteFrom('users')
      .where('is_demo', '=', 1)
      .executeTakeFirstOrThrow()
    if (numDeletedRows > 0n) await recountAll(trx)
    return Number(numDeletedRows)
  })
}

type PlannedReview = {
  member: number
  kind: Kind
  title: string
  rating: number
  text: string
  at: string
  source?: ReviewText
}
type Plan = {
  members: (DemoMember & { joinedAt: string })[]
  follows: { follower: number; followee: number; at: string }[]
  reviews: PlannedReview[]
  comments: { review: PlannedReview; member: number; text: string; at: string }[]
  reactions: { review: PlannedReview; member: number; reaction: 'like' | 'dislike' }[]
  favorites: { member: number; kind: Kind; title: string; at: string }[]
}

const reviewTexts: Record<Kind, ReviewText[]> = {
  movie: movieReviews,
  tvShow: tvShowReviews,
  book: bookReviews,
  game: gameReviews,
}

/** Everything the community does, drawn from one seed; members by their place in the list, titles by their starter id. */
export function planCommunity(now: Date): Plan {
  const random = seeded(20)
  const ago = (days: number) => new Date(now.getTime() - days * dayMs).toISOString()
  /** Most of what happened happened lately, so that the week is busy: days before now. */
  const lately = () => 0.05 + random() ** 2.4 * 75
  const members = demoMembers.map((member) => ({ ...member, joinedAt: ago(90 + Math.floor(random() * 400)) }))

  const fondness = (member: DemoMember, title: StarterTitle) =>
    title.genres.reduce((sum, genre) => sum + (member.tastes[genre] ?? 0), 0) /
    Math.sqrt(title.genres.length || 1)
  const rate = (member: DemoMember, title: StarterTitle) => {
    const noise = (random() + random() + random() - 1.5) * 1.5
    return Math.min(
      5,
      Math.max(1, Math.round(title.acclaim + member.mood + fondness(member, title) * 0.8 + noise)),
    )
  }

  const reviews = new Map<string, PlannedReview>()
  const isTaken = (member: number, title: string) => reviews.has(`${member} ${title}`)
  const plan = (review: PlannedReview) => reviews.set(`${review.member} ${review.title}`, review)

  for (const kind of kindNames) {
    const bySlug = new Map(starterTitles[kind].map((title) => [title.slug, title]))
    for (const source of reviewTexts[kind]) {
      const title = bySlug.get(source.slug)!
      const starter = starterId(kind, source.slug)
      const authors = members.flatMap((member, index) =>
        isTaken(index, starter)
          ? []
          : [
              {
                value: index,
                weight:
                  (member.voices.includes(source.voice) ? 6 : 0.3) *
                  member.kinds[kind] *
                  Math.exp(((source.rating - 3) / 2) * fondness(member, title)) *
                  Math.sqrt(member.activity),
              },
            ],
      )
      const [author] = pickWeighted(random, authors, 1)
      plan({
        member: author!,
        kind,
        title: starter,
        rating: source.rating,
        text: source.text,
        at: ago(lately()),
        source,
      })
    }
  }

  for (const [index, member] of members.entries()) {
    const shelf = kindNames.flatMap((kind) =>
      starterTitles[kind].flatMap((title) => {
        const starter = starterId(kind, title.slug)
        const weight = member.kinds[kind] * (title.fame / 50) ** 1.5 * Math.exp(fondness(member, title))
        return isTaken(index, starter) ? [] : [{ value: { kind, title, starter }, weight }]
      }),
    )
    const written = [...reviews.values()].filter((review) => review.member === index).length
    for (const { kind, title, starter } of pickWeighted(
      random,
      shelf,
      Math.max(3, member.activity - written),
    )) {
      plan({ member: index, kind, title: starter, rating: rate(member, title), text: '', at: ago(lately()) })
    }
  }

  const likeness = (a: DemoMember, b: DemoMember) => {
    const genres = new Set([...Object.keys(a.tastes), ...Object.keys(b.tastes)])
    let sum = 0
    for (const genre of genres) sum += (a.tastes[genre] ?? 0) * (b.tastes[genre] ?? 0)
    return sum
  }
  const follows = members.flatMap((member, follower) =>
    pickWeighted(
      random,
      members.flatMap((other, followee) =>
        followee === follower
          ? []
          : [{ value: followee, weight: Math.exp(likeness(member, other)) * Math.sqrt(other.activity) }],
      ),
      follower === 0 ? 12 : 3 + Math.floor(random() * 11),
    ).map((followee) => ({ follower, followee, at: ago(5 + random() * 80) })),
  )

  const comments: Plan['comments'] = []
  const reactions: Plan['reactions'] = []
  for (const review of reviews.values()) {
    if (review.text === '') continue
    const others = members.flatMap((other, member) =>
      member === review.member
        ? []
        : [{ value: member, weight: other.kinds[review.kind] * Math.sqrt(other.activity) }],
    )
    const texts = review.source?.comments ?? []
    let at = Date.parse(review.at)
    for (const [index, member] of pickWeighted(random, others, texts.length).entries()) {
      at += Math.min(random() * 9 * hourMs, (now.getTime() - at) * 0.6)
      comments.push({ review, member, text: texts[index]!, at: new Date(at).toISOString() })
    }
    for (const member of pickWeighted(random, others, Math.floor(random() ** 1.6 * 18))) {
      reactions.push({ review, member, reaction: random() < 0.86 ? 'like' : 'dislike' })
    }
  }

  const favorites: Plan['favorites'] = []
  for (const member of members.keys()) {
    for (const kind of kindNames) {
      const loved = [...reviews.values()]
        .filter((review) => review.member === member && review.kind === kind && review.rating === 5)
        .slice(0, member === 0 ? 6 : Math.floor(random() * 8))
      favorites.push(...loved.map((review) => ({ member, kind, title: review.title, at: review.at })))
    }
  }
  return { members, follows, reviews: [...reviews.values()], comments, reactions, favorites }
}

async function drawPortraits(dataDir: string): Promise<(string | null)[]> {
  const storage = folderStorage(dataDir)
  return Promise.all(
    demoMembers.map(async ({ hue }, index) => {
      if (hue === null) return null
      const { path } = await storePicture(
        storage,
        `portrait-1-${index + 1}`,
        Buffer.from(portraitSvg(hue, index + 1)),
        320,
      )
      return path
    }),
  )
}

/** Only the first member can log in: the others' hashes are no hashes. Where somebody real has a name, the made-up one takes another. */
async function insertMembers(
  trx: Db,
  members: Plan['members'],
  pictures: (string | null)[],
  passwordHash: string,
): Promise<number[]> {
  const names = members.map((member) => member.username.toLowerCase())
  const real = await trx
    .selectFrom('users')
    .select('username_folded')
    .where('username_folded', 'in', names)
    .execute()
  const taken = new Set(real.map((row) => row.username_folded))
  const ids: number[] = []
  for (const [index, member] of members.entries()) {
    const username = taken.has(member.username.toLowerCase()) ? `${member.username}.made-up` : member.username
    const email = index === 0 ? demoSignIn.email : `member${index}@medley.example`
    const { id } = await trx
      .insertInto('users')
      .values({
        username,
        username_folded: username.toLowerCase(),
        search_text: username.toLowerCase(),
        email,
        email_folded: email,
        password_hash: index === 0 ? passwordHash : noPassword,
        picture: pictures[index] ?? null,
        verified_at: member.joinedAt,
        created_at: member.joinedAt,
        is_demo: 1,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    ids.push(id)
  }
  return ids
}

async function findStarterIds(trx: Db): Promise<Map<string, number>> {
  const rows = await trx
    .selectFrom('external_ids')
    .select(['external_id', 'media_id'])
    .where('source', '=', 'starter')
    .execute()
  return new Map(rows.map((row) => [row.external_id, row.media_id]))
}

async function insertAll<T extends 'follows' | 'comments' | 'reactions' | 'favorites'>(
  trx: Db,
  table: T,
  rows: object[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += 100) {
    await trx
      .insertInto(table)
      .values(rows.slice(start, start + 100) as never)
      .execute()
  }
}

/** Moves what the community did forward, so that its week is this week. */
async function shiftTimes(trx: Db, ms: number): Promise<void> {
  const later = (time: string) => new Date(Date.parse(time) + ms).toISOString()
  const members = trx.selectFrom('users').select('id').where('is_demo', '=', 1)
  const reviews = await trx
    .selectFrom('reviews')
    .select(['id', 'created_at', 'updated_at', 'rated_at'])
    .where('user_id', 'in', members)
    .execute()
  for (const { id, created_at, updated_at, rated_at } of reviews) {
    await trx
      .updateTable('reviews')
      .set({ created_at: later(created_at), updated_at: later(updated_at), rated_at: later(rated_at) })
      .where('id', '=', id)
      .execute()
  }
  const comments = await trx
    .selectFrom('comments')
    .select(['id', 'created_at'])
    .where('user_id', 'in', members)
    .execute()
  for (const { id, created_at } of comments) {
    await trx
      .updateTable('comments')
      .set({ created_at: later(created_at) })
      .where('id', '=', id)
      .execute()
  }
}
