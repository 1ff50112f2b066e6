import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { TRPCError } from '@trpc/server'
import { messages } from '#shared/texts/messages.ts'
import { BeyondLimit, linesOfChild } from '#server/process/limited-child.ts'
import { type FileMessage, readFileLines } from './file.ts'

type Failure = { error: Pick<TRPCError, 'code' | 'message'> }

const readLimits = {
  /** With the wait for a free child, shorter than the claim of an idempotency key. */
  ms: 30_000,
  heapMb: 96,
}
/** A batch of some 64 KB, or one line. */
const messageBytesMax = 4 * 1024 * 1024

/**
 * Parsing cannot be interrupted, and a hostile file takes much time and memory. The child waits while nobody takes its messages, and is
 * killed when the caller stops. Throws PAYLOAD_TOO_LARGE for too much time or memory, TIMEOUT if `signal` aborts, and SERVICE_UNAVAILABLE
 * without a child.
 */
export async function* readInChild(
  { path, bytes }: { path: string; bytes: number },
  signal: AbortSignal,
  { ms, heapMb } = readLimits,
): AsyncGenerator<FileMessage> {
  const gone = () => new TRPCError({ code: 'TIMEOUT', message: messages.uploadTooSlow })
  if (signal.aborted) throw gone()
  const cache = getCompileCacheDir()
  const lines = linesOfChild(import.meta.filename, [path, String(bytes)], {
    signal,
    ms,
    lineBytesMax: messageBytesMax,
    nodeOptions: [`--max-old-space-size=${heapMb}`, '--max-semi-space-size=4'],
    ...(cache && { env: { NODE_COMPILE_CACHE: dirname(cache) } }),
  })
  try {
    for await (const text of lines) {
      const message = JSON.parse(text) as FileMessage | Failure
      if ('error' in message) throw errorOf(message)
      yield message
      if ('isEnd' in message) return
    }
  } catch (error) {
    if (signal.aborted) throw gone()
    if (!(error instanceof BeyondLimit)) throw error
    throw new TRPCError({ code: 'PAYLOAD_TOO_LARGE', message: messages.importTooComplex })
  }
}

/** An error that is no TRPCError is a fault of ours; its message is the stack. */
function errorOf({ error }: Failure): Error {
  return error.code === 'INTERNAL_SERVER_ERROR' ? new Error(error.message) : new TRPCError(error)
}

async function* messagesOf(file: Parameters<typeof readFileLines>[0]): AsyncGenerator<string> {
  try {
    for await (const message of readFileLines(file)) yield `${JSON.stringify(message)}\n`
  } catch (error) {
    const { code, message } =
      error instanceof TRPCError
        ? error
        : { code: 'INTERNAL_SERVER_ERROR' as const, message: String((error as Error).stack) }
    yield `${JSON.stringify({ error: { code, message } } satisfies Failure)}\n`
  }
}

// Loads as little as possible, since it starts with each upload.
if (import.meta.main) {
  const [path, bytes] = process.argv.slice(2)
  await pipeline(Readable.from(messagesOf({ path: path!, bytes: Number(bytes) })), process.stdout)
}
