import type { Progress } from '#shared/contracts/progress.ts'
import type { Db } from '#server/db/open.ts'
import type { Context } from '#server/calls/context.ts'
import * as store from './episodes-store.ts'
import {
  type Aired,
  type Clock,
  clockIn,
  isPlayedIn,
  newestPass,
  progressOf,
  standingOf,
  withAired,
} from './rules.ts'
import type { PlayedRow } from './tables.ts'
import { listPlaces } from './up-next-store.ts'

/** A show as a member sees it. For a visitor, `plays` is null, and days begin and end in UTC. */
export type Show = { id: number; episodes: Aired[]; plays: PlayedRow[] | null }

export async function readClock({ db, member, now }: Pick<Context, 'db' | 'member' | 'now'>): Promise<Clock> {
  return clockIn(member ? await store.findTimeZone(db, member.id) : 'UTC', now)
}

export async function readShow(db: Db, titleId: number, userId: number | null, clock: Clock): Promise<Show> {
  const episodes = withAired(await store.listEpisodes(db, titleId), clock)
  return {
    id: titleId,
    episodes,
    plays: userId === null ? null : await store.listPlayed(db, userId, titleId),
  }
}

export async function readProgress(db: Db, { id, episodes, plays }: Show, userId: number): Promise<Progress> {
  const stated = (await store.findStated(db, userId, id))?.stated ?? null
  const status = (await store.findStatus(db, userId, id))?.status ?? null
  const pass = newestPass(plays ?? [])
  return progressOf(episodes, { pass, played: isPlayedIn(plays ?? [], pass) }, { status, stated })
}

/** How far a member is who is in this pass, for many shows: reads less than `readProgress`. */
export async function readStanding(
  db: Db,
  userId: number,
  { media_id, pass }: { media_id: number; pass: number },
  clock: Clock,
) {
  const rows = await listPlaces(db, userId, media_id, pass)
  const played = new Set(rows.flatMap(({ id, play_id }) => (play_id === null ? [] : id)))
  const episodes = withAired(rows, clock)
  return {
    standing: standingOf(episodes, { pass, played }, { status: 'started', stated: null }),
    leftCount: episodes.filter(({ id, isAired }) => isAired && !played.has(id)).length,
  }
}
