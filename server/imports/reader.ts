import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { TRPCError } from '@trpc/server'
import { readImport } from './read.ts'

// The program that `readInChild` runs. It loads as little as possible, since it starts with each upload.

export const readerPath = import.meta.filename

/** The last message if reading ends with an error. */
export type Failure = { error: Pick<TRPCError, 'code' | 'message'> }

async function* messagesOf(file: Parameters<typeof readImport>[0]): AsyncGenerator<string> {
  try {
    for await (const message of readImport(file)) yield `${JSON.stringify(message)}\n`
  } catch (error) {
    const { code, message } =
      error instanceof TRPCError
        ? error
        : { code: 'INTERNAL_SERVER_ERROR' as const, message: String((error as Error).stack) }
    yield `${JSON.stringify({ error: { code, message } } satisfies Failure)}\n`
  }
}

if (import.meta.main) {
  const [path, bytes] = process.argv.slice(2)
  await pipeline(Readable.from(messagesOf({ path: path!, bytes: Number(bytes) })), process.stdout)
}
