import { TRPCError } from '@trpc/server'
import { messages } from '#shared/texts/messages.ts'
import { found } from '#server/calls/procedures.ts'
import type { Db } from '#server/db/open.ts'
import { toOwnEntry } from './rules.ts'
import { listEntries } from './store.ts'
import type { EntryRow } from './tables.ts'

export async function readEntry(db: Db, id: number) {
  const [row] = await listEntries(db, [id])
  return { entry: toOwnEntry(found(row, messages.diaryEntryNotFound)) }
}

export function duplicate({ status }: Pick<EntryRow, 'status'>): TRPCError {
  const message = status === 'want' ? messages.diaryWantExists : messages.diaryOpenExists
  return new TRPCError({ code: 'CONFLICT', message })
}
