import { TRPCError } from '@trpc/server'
import PQueue from 'p-queue'
import { messages } from '#shared/messages.ts'

/** Runs work a few at a time; who waits too long for a turn gets SERVICE_UNAVAILABLE. */
export function openTurns({ atOnce, waitMaxMs }: { atOnce: number; waitMaxMs: number }) {
  const queue = new PQueue({ concurrency: atOnce })
  return async <T>(work: () => Promise<T>): Promise<T> => {
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

export function busy(): TRPCError {
  return new TRPCError({ code: 'SERVICE_UNAVAILABLE', message: messages.busy })
}
