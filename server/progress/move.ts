import { sql } from 'kysely'
import type { Db } from '#server/db/open.ts'
import { removeInParts, updateInParts } from '#server/db/rows.ts'
import { clockIn } from '#server/titles/airing.ts'
import { listParts } from '#server/titles/parts-store.ts'
import { findTimeZone } from './episodes-store.ts'
import { settlePasses } from './passes.ts'
import { listPlayersOf } from './plays-store.ts'
import type { PartRow } from '#server/titles/tables.ts'

/**
 * To the episodes with the same numbers. An episode that the other title lacks moves with its plays, after these. Of two plays in one pass,
 * the one of the other title stays. The entries of the diary must have moved before. Both titles are locked, for which `lockPasses` waits.
 */
export async function movePlays(trx: Db, from: number, to: number): Promise<void> {
  const userIds = await listPlayersOf(trx, from)
  const others = new Map((await episodesOf(trx, to)).map((episode) => [placeOf(episode), episode.id]))
  for (const episode of await episodesOf(trx, from)) {
    const id = others.get(placeOf(episode))
    if (id !== undefined) await moveToEpisode(trx, episode.id, id, to)
  }
  const isLeft = sql`episode_id in (select id from parts where media_id = ${from}) and media_id = ${from}`
  await updateInParts(trx, 'plays', sql`media_id = ${to}`, isLeft)
  const now = new Date()
  for (const userId of userIds) {
    const clock = clockIn(await findTimeZone(trx, userId), now)
    await settlePasses(trx, { userId, titleId: to, clock })
  }
}

async function moveToEpisode(trx: Db, from: number, to: number, titleId: number): Promise<void> {
  await removeInParts(
    trx,
    'plays',
    sql`episode_id = ${from} and exists (select 1 from plays as other where other.episode_id = ${to}
      and other.user_id = plays.user_id and other.media_id = ${titleId} and other.pass = plays.pass)`,
  )
  await updateInParts(trx, 'plays', sql`episode_id = ${to}, media_id = ${titleId}`, sql`episode_id = ${from}`)
  await updateInParts(trx, 'removed_plays', sql`episode_id = ${to}`, sql`episode_id = ${from}`)
}

/** Those that the source still has come last. */
async function episodesOf(db: Db, titleId: number): Promise<PartRow[]> {
  const episodes = (await listParts(db, titleId)).filter(({ type }) => type === 'episode')
  return episodes.toSorted((a, b) => b.is_gone - a.is_gone)
}

const placeOf = ({ season, number }: PartRow) => `${season} ${number}`
