import { TRPCError } from '@trpc/server'
import PQueue from 'p-queue'
import { messages } from '#shared/messages.ts'

/**
 * Runs work a few at a time. Who finds `waitingMax` others waiting, or waits for longer than `waitMaxMs`, gets
 * SERVICE_UNAVAILABLE and is never run.
 */
export function openTurns({
  atOnce,
  waitMaxMs,
  waitingMax = Infinity,
}: {
  atOnce: number
  waitMaxMs: number
  waitingMax?: number
}) {
  const queue = new PQueue({ concurrency: atOnce })
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (queue.size >= waitingMax) throw busy()
    const tired = new AbortController()
    const timer = setTimeout(() => tired.abort(busy()), waitMaxMs)
    try {
      return await queue.add(
        () => {
          clearTimeout(timer)
          return work()
        },
        { signal: tired.signal },
      )
    } finally {
      clearTimeout(timer)
    }
  }
}

/** There is too much to do just now; it may pass. `cause` is what the log should tell of it, if anything. */
export function busy(cause?: unknown): TRPCError {
  return new TRPCError({ code: 'SERVICE_UNAVAILABLE', message: messages.busy, cause })
}
