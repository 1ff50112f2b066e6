import type { DiaryWritten } from '#shared/contracts/diary.ts'
import type { Context } from '#server/calls/context.ts'
import type { Db } from '#server/db/open.ts'
import { lockPasses, settlePasses } from '#server/progress/passes.ts'
import { readClock, readStanding } from '#server/progress/shows.ts'
import * as statements from '#server/progress/statements.ts'
import type { EntryRow } from './tables.ts'

type Reader = Pick<Context, 'db' | 'member' | 'now'>

/** In the time zone of the member. */
export async function todayOf(trx: Db, ctx: Reader): Promise<string> {
  return (await readClock({ ...ctx, db: trx })).today
}

/** A new statement about a show can end its newest pass, and its end can continue it. */
export async function settle(
  trx: Db,
  ctx: Reader,
  { user_id: userId, media_id: titleId, kind }: Pick<EntryRow, 'user_id' | 'media_id' | 'kind'>,
): Promise<void> {
  if (kind !== 'tvShow') return
  const viewing = { userId, titleId, clock: await readClock({ ...ctx, db: trx }) }
  await lockPasses(trx, viewing)
  await settlePasses(trx, viewing)
}

export async function editPass(trx: Db, ctx: Reader, entry: EntryRow, sent: DiaryWritten): Promise<void> {
  await statements.editPass(trx, entry, sent, await readClock({ ...ctx, db: trx }))
}

/** The entry was removed before. Its plays follow. */
export async function endPass(trx: Db, ctx: Reader, entry: EntryRow): Promise<void> {
  if (entry.pass === null) await settle(trx, ctx, entry)
  else await statements.removePassOf(trx, entry, entry.pass, await readClock({ ...ctx, db: trx }))
}

/** By title; only of passes. */
export async function percentOf(
  ctx: Reader,
  userId: number,
  rows: readonly Pick<EntryRow, 'media_id' | 'pass'>[],
): Promise<Map<number, number>> {
  const percents = new Map<number, number>()
  const passes = rows.filter(({ pass }) => pass !== null)
  if (passes.length === 0) return percents
  const clock = await readClock(ctx)
  for (const { media_id, pass } of passes) {
    const { standing } = await readStanding(ctx.db, userId, { media_id, pass: pass! }, clock)
    percents.set(media_id, standing.percent)
  }
  return percents
}
