import type { TRPCError } from '@trpc/server'
import { messages } from '#shared/texts/messages.ts'
import { conflict } from '#server/calls/errors.ts'
import { found } from '#server/calls/procedures.ts'
import type { Db } from '#server/db/open.ts'
import { lockPassesOf } from './passes.ts'
import { toOwnEntry } from './rules.ts'
import { findEntry, listEntries, lockEntry } from './store.ts'
import type { EntryRow } from './tables.ts'

export async function readEntry(db: Db, id: number) {
  const [row] = await listEntries(db, [id])
  return { entry: toOwnEntry(found(row, messages.diaryEntryNotFound)) }
}

/** Throws NOT_FOUND. */
export async function lockOwn(trx: Db, userId: number, id: number): Promise<EntryRow> {
  await lockPassesOf(trx, found(await findEntry(trx, userId, id), messages.diaryEntryNotFound))
  return found(await lockEntry(trx, userId, id), messages.diaryEntryNotFound)
}

export function duplicate({ status }: Pick<EntryRow, 'status'>): TRPCError {
  const message = status === 'want' ? messages.diaryWantExists : messages.diaryOpenExists
  return conflict(message)
}
