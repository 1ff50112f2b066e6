import { createServer, type OutgoingHttpHeaders } from 'node:http'
import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { messages } from '#shared/messages.ts'

type Address = { port: number; host: string }

/** `Retry-After` of the responses. */
const retrySeconds = 5

/**
 * Responds on the port of the server until `close` is called, from a thread of its own, because migrations of SQLite block this one:
 * `/healthz` is 200, anything else 503. If the port is in use, nothing responds; the start will report it.
 */
export function answerWhileMigrating({ port, host }: Address): { close: () => Promise<void> } {
  const thread = new Worker(import.meta.filename, { workerData: { port, host } satisfies Address })
  thread.on('error', () => {})
  thread.unref()
  return {
    close: async () => void (await thread.terminate()),
  }
}

function answer({ port, host }: Address): void {
  createServer((request, response) => {
    const path = request.url?.split('?', 1)[0]
    const isHealth = path === '/healthz'
    const body = isHealth
      ? { status: 'ok' }
      : path === '/readyz'
        ? { status: 'migrating' }
        : { message: messages.busy, code: 'SERVICE_UNAVAILABLE' }
    const headers: OutgoingHttpHeaders = {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      connection: 'close',
    }
    if (!isHealth) headers['retry-after'] = String(retrySeconds)
    response.writeHead(isHealth ? 200 : 503, headers)
    response.end(JSON.stringify(body))
  }).listen(port, host)
}

if (!isMainThread) answer(workerData as Address)
