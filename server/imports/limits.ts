import { messages } from '#shared/texts/messages.ts'
import type { Db } from '#server/db/open.ts'
import { pack } from '#server/db/packed.ts'
import { dayMs } from '#shared/domain/days.ts'
import type { ImportLineRow, ImportRow, ImportTitleRow } from './tables.ts'
import { pause } from '#server/db/slices.ts'
import { conflict, TooManyRequests } from '#server/calls/errors.ts'
import { insertLines } from './read/lines-store.ts'
import type { StoredLine } from './read/file.ts'
import type { ImportFacts } from './facts.ts'
import type { Writing } from './context.ts'
import { addUsage, findUsage, updateImport, type UsageRow } from './store.ts'

/** In 24 hours, counted from the first, with reviews and diary entries; a deleted import counts only for these. `held`: the imports themselves. */
const bytesMax = { day: 100_000_000, held: 200_000_000 }

/** Beside their texts, with indexes and the log of changes, in the database where it is more. */
const rowBytes = {
  line: 190,
  record: 300,
  change: 230,
  review: 700,
  entry: 600,
  plays: 230,
  play: 250,
  favorite: 300,
  title: 900,
  list: 1_200,
  listItem: 400,
  follow: 0,
  settings: 0,
  halfStars: 0,
}
const longBytes = 1_000
export function sumBy<One>(all: readonly One[], sizeOf: (one: One) => number): number {
  return all.reduce((sum, one) => sum + sizeOf(one), 0)
}

/** About. A text that is in an index too counts twice. */
export function bytesOf(row: keyof typeof rowBytes, ...texts: (string | null | undefined)[]): number {
  const bytes = rowBytes[row] + sumBy(texts, (text) => Buffer.byteLength(text ?? ''))
  // Few long rows fit into a page of 4 or 8 KB, and the rest of it stays empty.
  return bytes > longBytes ? Math.ceil(1.5 * bytes) : bytes
}

type TitleTexts = Pick<ImportTitleRow, 'title_key' | 'name' | 'search_text' | 'record'> &
  Partial<Pick<ImportTitleRow, 'matched' | 'change' | 'candidates'>>

export function titleBytes({ title_key, name, search_text, record, ...row }: TitleTexts): number {
  const { matched, change, candidates } = row
  return bytesOf('record', title_key, title_key, name, search_text, record, matched, change, candidates)
}

type LineTexts = Pick<ImportLineRow, 'file' | 'raw' | 'note' | 'record'>

export function lineBytes({ file, raw, note, record }: LineTexts): number {
  return bytesOf('line', file, raw, note, record)
}

/** Throws TOO_MANY_REQUESTS or CONFLICT without room. */
export async function checkUsage(db: Db, userId: number, now: Date): Promise<void> {
  const usage = await findUsage(db, userId)
  if (usage) refuseBeyond(usage, { held: bytesMax.held - 1, day: bytesMax.day - 1 }, now)
}

function refuseBeyond(usage: UsageRow, max: typeof bytesMax, now: Date): void {
  if (usage.held_bytes > max.held) throw conflict(messages.importsWaiting)
  const seconds = Math.ceil((Date.parse(usage.day_began_at) + dayMs - now.getTime()) / 1_000)
  if (usage.day_bytes > max.day && seconds > 0) throw new TooManyRequests(seconds, messages.importQuotaUsed)
}

/**
 * Removes if negative. Must be the transaction’s last write; returns the new `bytes` of the import. Throws TOO_MANY_REQUESTS or CONFLICT
 * without room.
 */
export async function spend(
  trx: Db,
  { user_id: userId, bytes }: Pick<ImportRow, 'user_id' | 'bytes'>,
  { held, added }: ImportFacts['grown'],
  now: Date,
): Promise<number> {
  const after = Math.max(0, bytes + held)
  const grown = after - bytes
  if (grown === 0 && added === 0) return after
  const usage = await addUsage(trx, userId, { held: grown, day: grown + added }, now)
  if (grown + added > 0) refuseBeyond(usage, bytesMax, now)
  return after
}

export async function saveFacts(
  { db, row, facts, now }: Writing,
  columns: Partial<ImportRow> = {},
): Promise<ImportRow> {
  const { grown, ...stored } = facts
  const bytes = await spend(db, row, grown, now)
  const values = { ...columns, facts: JSON.stringify(stored), bytes, updated_at: now.toISOString() }
  await updateImport(db, row.id, values)
  return { ...row, ...values }
}

export async function addLines(
  db: Db,
  row: Pick<ImportRow, 'id' | 'user_id' | 'bytes'>,
  lines: readonly StoredLine[],
  now: Date,
): Promise<number> {
  const rows: Omit<ImportLineRow, 'id'>[] = []
  for (const line of lines) {
    const state = line.raw === '' ? ('unreadable' as const) : null
    const texts = { raw: pack(line.raw), record: pack(line.record), raw_bytes: Buffer.byteLength(line.raw) }
    rows.push({ ...line, ...texts, import_id: row.id, title_id: null, state })
    await pause()
  }
  const held = sumBy(rows, lineBytes)
  return db.transaction().execute(async (trx) => {
    await insertLines(trx, rows)
    const bytes = await spend(trx, row, { held, added: 0 }, now)
    await updateImport(trx, row.id, { bytes })
    return bytes
  })
}
