import { dayMs } from '#shared/domain/days.ts'
import type { Db } from '#server/db/open.ts'
import { type Event, notify, updateInbox } from '#server/accounts/notify-store.ts'
import { listSeasons } from '#server/progress/episodes-store.ts'
import { readProgress, readShow } from '#server/progress/shows.ts'
import { clockIn } from '#server/titles/airing.ts'

const unreadCount = 4
const dayCount = 30
const toldHoursAgo = 5

export async function fillInbox(trx: Db, demoId: number, now: Date): Promise<void> {
  const since = new Date(now.getTime() - dayCount * dayMs).toISOString()
  const follows = await trx
    .selectFrom('follows')
    .select(['follower_id as by', 'created_at as at'])
    .where('followee_id', '=', demoId)
    .where('created_at', '>', since)
    .execute()
  const comments = await trx
    .selectFrom('comments')
    .innerJoin('reviews', 'reviews.id', 'comments.review_id')
    .select(['comments.user_id as by', 'reviews.id', 'comments.created_at as at'])
    .where('reviews.user_id', '=', demoId)
    .where('comments.created_at', '>', since)
    .execute()
  // Reactions have no time.
  const likes = await trx
    .selectFrom('reactions')
    .innerJoin('reviews', 'reviews.id', 'reactions.review_id')
    .select(['reactions.user_id as by', 'reviews.id', 'reviews.rated_at as at'])
    .where('reviews.user_id', '=', demoId)
    .where('reactions.reaction', '=', 'like')
    .where('reviews.rated_at', '>', since)
    .execute()
  const listLikes = await trx
    .selectFrom('list_likes')
    .innerJoin('lists', 'lists.id', 'list_likes.list_id')
    .select(['list_likes.user_id as by', 'lists.id', 'list_likes.created_at as at'])
    .where('lists.user_id', '=', demoId)
    .where('list_likes.created_at', '>', since)
    .execute()
  const events = [
    ...follows.map(({ by, at }) => ({ type: 'follow' as const, by, at })),
    ...comments.map(({ by, at, id }) => ({ type: 'comment' as const, by, at, target: review(id) })),
    ...likes.map(({ by, at, id }) => ({ type: 'like' as const, by, at, target: review(id) })),
    ...listLikes.map(({ by, at, id }) => ({
      type: 'like' as const,
      by,
      at,
      target: { type: 'list' as const, id },
    })),
    ...(await newSeasons(trx, demoId, now)),
  ].sort((a, b) => (a.at < b.at ? -1 : 1))
  await trx.insertInto('inboxes').values({ user_id: demoId, digest_at: now.toISOString() }).execute()
  for (const { at, ...event } of events)
    await notify(trx, { ...event, to: demoId, now: new Date(at) } satisfies Event)
  const last = await trx
    .selectFrom('notifications')
    .select('at')
    .where('user_id', '=', demoId)
    .orderBy('at', 'desc')
    .offset(unreadCount)
    .limit(1)
    .executeTakeFirst()
  await updateInbox(trx, demoId, { digest_at: null, ...(last && { read_to: last.at, mailed_to: last.at }) })
}

/** Of the shows that the member has watched, each told some hours ago. */
async function newSeasons(trx: Db, demoId: number, now: Date) {
  const clock = clockIn('UTC', now)
  const shows = await trx
    .selectFrom('plays')
    .select('media_id')
    .distinct()
    .where('user_id', '=', demoId)
    .orderBy('media_id')
    .execute()
  const events = []
  for (const { media_id: titleId } of shows) {
    const { newSeason } = await readProgress(trx, await readShow(trx, titleId, demoId, clock), demoId)
    const season = (await listSeasons(trx, titleId)).find(({ number }) => number === newSeason)
    if (!season) continue
    const at = new Date(now.getTime() - toldHoursAgo * 3_600_000).toISOString()
    events.push({
      type: 'newSeason' as const,
      by: null,
      at,
      target: { type: 'season' as const, id: season.id },
    })
  }
  return events
}

const review = (id: number) => ({ type: 'review' as const, id })
