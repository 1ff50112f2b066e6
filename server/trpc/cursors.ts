import { TRPCError } from '@trpc/server'
import type { z } from 'zod'
import { messages } from '#shared/messages.ts'

/** Returns the opaque text of a cursor: its values as JSON in base64url. */
export function writeCursor(values: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}

/** Returns the values of a cursor. Throws BAD_REQUEST unless they fit the schema. */
export function readCursor<Values>(text: string, schema: z.ZodType<Values>): Values {
  let values: unknown
  try {
    values = JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    throw wrongCursor()
  }
  const { success, data } = schema.safeParse(values)
  if (!success) throw wrongCursor()
  return data
}

export function wrongCursor(): TRPCError {
  return new TRPCError({ code: 'BAD_REQUEST', message: messages.cursorInvalid })
}
