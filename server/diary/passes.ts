import type { DiaryWritten } from '#shared/contracts/diary.ts'
import type { Context } from '#server/calls/context.ts'
import type { Db } from '#server/db/open.ts'
import { lockPasses, settlePasses } from '#server/progress/passes.ts'
import { countPasses } from '#server/progress/percents-store.ts'
import { readClock } from '#server/progress/shows.ts'
import * as statements from '#server/progress/statements.ts'
import type { EntryRow } from './tables.ts'

type Reader = Pick<Context, 'db' | 'member' | 'now'>

/** In the time zone of the member. */
export async function todayOf(trx: Db, ctx: Reader): Promise<string> {
  return (await readClock({ ...ctx, db: trx })).today
}

type OfShow = Pick<EntryRow, 'user_id' | 'media_id' | 'kind'>

/** Before the entry is written or locked: see `lockPasses`. */
export async function lockPassesOf(trx: Db, { user_id, media_id, kind }: OfShow): Promise<void> {
  if (kind === 'tvShow') await lockPasses(trx, { userId: user_id, titleId: media_id })
}

/** A new statement about a show can end its newest pass, and its end can continue it. */
export async function settle(
  trx: Db,
  ctx: Reader,
  { user_id: userId, media_id: titleId, kind }: OfShow,
): Promise<void> {
  if (kind !== 'tvShow') return
  await settlePasses(trx, { userId, titleId, clock: await readClock({ ...ctx, db: trx }) })
}

export async function editPass(trx: Db, ctx: Reader, entry: EntryRow, sent: DiaryWritten): Promise<void> {
  await statements.editPass(trx, entry, sent, await readClock({ ...ctx, db: trx }))
}

/** The entry was removed before. Its plays follow. */
export async function endPass(trx: Db, ctx: Reader, entry: EntryRow): Promise<void> {
  if (entry.pass === null) await settle(trx, ctx, entry)
  else await statements.removePassOf(trx, entry, entry.pass, await readClock({ ...ctx, db: trx }))
}

/** In one query: ten shows of 5,000 episodes each take SQLite 27 ms. */
const showsAtOnce = 10

/** By title; only of passes. */
export async function percentOf(
  ctx: Reader,
  rows: readonly Pick<EntryRow, 'id' | 'pass'>[],
): Promise<Map<number, number>> {
  const percents = new Map<number, number>()
  const ids = rows.flatMap(({ id, pass }) => (pass === null ? [] : id))
  if (ids.length === 0) return percents
  const { now, today } = await readClock(ctx)
  for (let at = 0; at < ids.length; at += showsAtOnce)
    for (const { media_id, aired, played } of await countPasses(
      ctx.db,
      ids.slice(at, at + showsAtOnce),
      now,
      today,
    ))
      percents.set(media_id, Math.floor((100 * played) / aired))
  return percents
}
