import { PassThrough } from 'node:stream'
import { once } from 'node:events'
import type { FastifyInstance } from 'fastify'
import { livePingMs } from '#shared/domain/limits.ts'
import { subjectKeys } from '#shared/contracts/reviews.ts'
import type { Caller, Calls } from './calls.ts'

export function registerLive(app: FastifyInstance, calls: Calls): void {
  type Query = Record<string, unknown>
  const add = (path: string, open: (call: Caller, query: Query) => Promise<AsyncIterable<object>>) =>
    app.get<{ Querystring: Query }>(
      path,
      // A HEAD would open a stream that never ends.
      { exposeHeadRoute: false },
      async (request, reply) => {
        const closing = new AbortController()
        reply.raw.once('close', () => closing.abort())
        const { signal } = closing
        const events = await open(await calls.callerOf(request, signal), request.query)
        // A proxy must not collect the events.
        return reply
          .headers({
            'cache-control': 'no-cache, no-transform',
            'x-accel-buffering': 'no',
            connection: 'close',
          })
          .type('text/event-stream')
          .send(streamOf(events, signal))
      },
    )
  add('/reviews/live', (call, query) => call.reviews.live(inputOf(query)))
  add('/notifications/live', (call) => call.notifications.live())
}

function inputOf(query: Record<string, unknown>): object {
  return Object.fromEntries(
    Object.keys(subjectKeys)
      .filter((key) => query[key] !== undefined)
      .map((key) => {
        const text = query[key]
        return [key, typeof text === 'string' && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : text]
      }),
  )
}

/** Regular comments keep proxies from closing the connection. */
function streamOf(events: AsyncIterable<object>, signal: AbortSignal): PassThrough {
  const stream = new PassThrough()
  const ping = setInterval(() => {
    if (stream.writableLength === 0) stream.write(': ping\n\n')
  }, livePingMs).unref()
  const write = async () => {
    try {
      for await (const event of events)
        if (!stream.write(`data: ${JSON.stringify(event)}\n\n`)) await once(stream, 'drain', { signal })
    } finally {
      clearInterval(ping)
      stream.end()
    }
  }
  write().catch(() => {})
  return stream
}
