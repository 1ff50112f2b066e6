import type { TRPCError } from '@trpc/server'
import { z } from 'zod'
import { limitMax, pageMax } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import { paginationOf } from '#shared/contracts/scalars.ts'
import { badRequest } from './errors.ts'

export function writeCursor(values: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}

/** Returns the values of a cursor; undefined without one. Throws BAD_REQUEST unless they fit the schema. */
export function readCursor<Values>(text: string, schema: z.ZodType<Values>): Values
export function readCursor<Values>(text: string | undefined, schema: z.ZodType<Values>): Values | undefined
export function readCursor<Values>(text: string | undefined, schema: z.ZodType<Values>): Values | undefined {
  if (text === undefined) return undefined
  let values: unknown
  try {
    values = JSON.parse(Buffer.from(text, 'base64url').toString(), refuseNul)
  } catch {
    throw wrongCursor()
  }
  const { success, data } = schema.safeParse(values)
  if (!success) throw wrongCursor()
  return data
}

/** Postgres stores no such character, and refuses it in a query. */
function refuseNul(_key: string, value: unknown): unknown {
  if (typeof value === 'string' && value.includes('\0')) throw wrongCursor()
  return value
}

/** `rows` has one more than the page. The cursor has the values of `keyOf` the last row; null without a further row. */
export function pageOf<Row>(rows: readonly Row[], limit: number, keyOf: (last: Row) => readonly unknown[]) {
  const shown = rows.slice(0, limit)
  return { shown, nextCursor: rows.length > limit ? writeCursor(keyOf(shown.at(-1)!)) : null }
}

export function wrongCursor(): TRPCError {
  return badRequest(messages.cursorInvalid)
}

type Paged = { page: number; limit: number; cursor?: string | undefined }
const pagePlace = z.tuple([z.string(), z.int().min(1).max(pageMax), z.int().min(1).max(limitMax)])

/** Returns the input with the page of its cursor. `list` names the list and its order. Throws BAD_REQUEST for a cursor of another list. */
export function atCursor<Input extends Paged>(input: Input, list: string): Input {
  if (input.cursor === undefined) return input
  const [ofList, page, limit] = readCursor(input.cursor, pagePlace)
  if (ofList !== list) throw wrongCursor()
  return { ...input, page, limit }
}

export function cursorAfter({ page, limit }: Paged, list: string, hasMore: boolean): string | null {
  return hasMore && page < pageMax ? writeCursor([list, page + 1, limit]) : null
}

/** Returns what a response says about numbered pages; `total` counts the items of the whole list. */
export function endOfPage({ page, limit }: Paged, list: string, total: number) {
  const pagination = paginationOf(page, limit, total)
  return { pagination, nextCursor: cursorAfter({ page, limit }, list, page < pagination.totalPages) }
}
