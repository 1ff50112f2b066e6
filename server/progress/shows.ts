import type { Progress } from '#shared/contracts/progress.ts'
import type { Db } from '#server/db/open.ts'
import type { Context } from '#server/calls/context.ts'
import { type Clock, clockIn, withAired } from '#server/titles/airing.ts'
import * as store from './episodes-store.ts'
import { type Aired, isPlayedIn, newestPass, standingOf, toEpisode } from './rules.ts'

/** The episodes that a member played in the newest pass; it is 0 without plays. */
type Viewed = { pass: number; played: ReadonlySet<number> }

/** A show as a member sees it. For a visitor, `viewed` is null, and days begin and end in UTC. */
export type Show = { id: number; episodes: Aired[]; viewed: Viewed | null }

export async function readClock({ db, member, now }: Pick<Context, 'db' | 'member' | 'now'>): Promise<Clock> {
  return clockIn(member ? await store.findTimeZone(db, member.id) : 'UTC', now)
}

export async function readShow(db: Db, titleId: number, userId: number | null, clock: Clock): Promise<Show> {
  const episodes = withAired(await store.listEpisodes(db, titleId), clock)
  return { id: titleId, episodes, viewed: userId === null ? null : await readViewed(db, userId, titleId) }
}

export async function readViewed(db: Db, userId: number, titleId: number): Promise<Viewed> {
  const plays = await store.listPlayed(db, userId, titleId)
  const pass = newestPass(plays)
  return { pass, played: isPlayedIn(plays, pass) }
}

export async function readProgress(
  db: Db,
  { id, episodes, viewed }: Show,
  userId: number,
): Promise<Progress> {
  const statement = await store.findStatement(db, userId, id)
  const { next, ...standing } = standingOf(episodes, viewed ?? (await readViewed(db, userId, id)), statement)
  const [row] = next ? await store.listEpisodesById(db, [next.id]) : []
  return { ...standing, next: row ? toEpisode(row) : null }
}

/** How far a member is who is in this pass, for many shows: reads less than `readProgress`. */
export async function readStanding(
  db: Db,
  userId: number,
  { media_id, pass }: { media_id: number; pass: number },
  clock: Clock,
) {
  const { episodes } = await readShow(db, media_id, null, clock)
  const played = isPlayedIn(await store.listPlayed(db, userId, media_id), pass)
  const standing = standingOf(episodes, { pass, played }, { status: 'started', stated: null })
  return {
    standing,
    leftCount: episodes.filter(({ id, season, isAired }) => season > 0 && isAired && !played.has(id)).length,
  }
}
