import { showPlaysMax } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import { conflict } from '#server/calls/errors.ts'
import type { Db } from '#server/db/open.ts'
import { pause } from '#server/db/slices.ts'
import { settlePasses, type Viewing } from './passes.ts'
import { liftStated } from './passes-store.ts'
import * as store from './plays-store.ts'
import type { Aired } from './rules.ts'
import type { BatchRow } from './tables.ts'

/** As sent. `watchedAt` is the time of a play that is marked now. */
export type Watched = { watchedOn: string; watchedAt: string | null }

/** The day of a play; an air date must be whole and past. */
export function dayOfPlay(
  { watchedOn }: Watched,
  { release_date: day }: Pick<Aired, 'release_date'>,
  today: string,
) {
  if (watchedOn === 'unknown') return null
  if (watchedOn === 'now') return today
  if (watchedOn !== 'airDate') return watchedOn
  return day !== null && day.length === 10 && day <= today ? day : null
}

/** Returns the batch; null if all episodes were played before in this pass. `count` can refuse so many. */
export async function markEpisodes(
  trx: Db,
  viewing: Viewing,
  episodes: readonly Aired[],
  pass: number,
  watched: Watched,
  count?: (added: number) => Promise<void>,
): Promise<{ id: number; addedCount: number } | null> {
  const { userId, titleId, clock } = viewing
  const played = new Set(
    (await store.listPlayIds(trx, userId, titleId, pass)).map(({ episode_id }) => episode_id),
  )
  const added = episodes.filter(({ id }) => !played.has(id))
  if (added.length === 0) return null
  if ((await store.countPlays(trx, userId, titleId)) + added.length > showPlaysMax)
    throw conflict(messages.playsFull)
  await count?.(added.length)
  const at = clock.now
  const batch = { user_id: userId, media_id: titleId, count: added.length, created_at: at }
  const id = await store.insertBatch(trx, { ...batch, type: 'mark' })
  await pause()
  await store.insertPlays(
    trx,
    added.map((episode) => ({
      user_id: userId,
      media_id: titleId,
      episode_id: episode.id,
      pass,
      watched_on: dayOfPlay(watched, episode, clock.today),
      watched_at: watched.watchedAt,
      batch_id: id,
      source: 'member',
      origin: null,
      created_at: at,
    })),
  )
  await liftStated(trx, userId, titleId, pass)
  await settlePasses(trx, viewing)
  return { id, addedCount: added.length }
}

/** Returns the batch; null without plays. */
export async function unmarkPlays(trx: Db, viewing: Viewing, ids: readonly number[]): Promise<number | null> {
  if (ids.length === 0) return null
  const { userId, titleId, clock } = viewing
  const batch = { user_id: userId, media_id: titleId, count: ids.length, created_at: clock.now }
  const id = await store.insertBatch(trx, { ...batch, type: 'unmark' })
  await store.removePlays(trx, id, ids)
  await settlePasses(trx, viewing)
  return id
}

/** Plays that changed since stay as they are. The batch and the passes of its shows are locked, and it was not undone before. */
export async function undoBatch(
  trx: Db,
  { id, type, user_id: userId }: BatchRow,
  shows: readonly number[],
  clock: Viewing['clock'],
): Promise<void> {
  if (type === 'unmark') await store.restorePlays(trx, id, userId)
  else await store.removePlaysOf(trx, id)
  await store.updateBatch(trx, id, { undone_at: clock.now, changed_at: clock.now })
  for (const titleId of shows) await settlePasses(trx, { userId, titleId, clock }, true)
}
