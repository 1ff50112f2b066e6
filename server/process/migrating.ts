import { createHash } from 'node:crypto'
import { createServer, type OutgoingHttpHeaders } from 'node:http'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { messages } from '#shared/texts/messages.ts'
import type { Config } from '#server/config.ts'
import type { MigrationStep } from '#server/db/migrate.ts'
import { openDestination, openLog } from './log.ts'

type Options = Pick<Config, 'port' | 'host' | 'logLevel'> & {
  progressMs?: number | undefined
  logFile?: string | undefined
}
type Begun = MigrationStep & { at: number }

const retrySeconds = 5
const defaultProgressMs = 10_000

/**
 * From a thread of its own, because migrations of SQLite block this one: `/healthz` is 200, anything else 503. If the port is in use,
 * nothing responds; the start will report it. `note` is called with each step, for the log.
 */
export function answerWhileMigrating({ port, host, logLevel, progressMs, logFile }: Options): {
  note: (step: MigrationStep) => void
  close: () => Promise<void>
} {
  const options: Options = { port, host, logLevel, progressMs, logFile }
  const thread = new Worker(import.meta.filename, { workerData: options })
  thread.on('error', () => {})
  thread.unref()
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    note: (step) => thread.postMessage(step.ms === undefined ? { ...step, at: Date.now() } : undefined),
    close: async () => void (await thread.terminate()),
  }
}

const style =
  'body{font:1rem/1.5 system-ui,sans-serif;display:grid;place-content:center;min-height:90vh;margin:0 1rem;color-scheme:light dark}'
const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="${retrySeconds}">
<title>Medley is being upgraded</title>
<style>${style}</style>
<main><h1>Medley is being upgraded</h1><p>This page loads again by itself.</p></main>
</html>
`
const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; frame-ancestors 'none'`

const error = { message: messages.upgrading, code: 'SERVICE_UNAVAILABLE' }
/** In the shape that the web app reads (tRPC). */
const trpcError = {
  error: { message: error.message, code: -32_603, data: { code: error.code, httpStatus: 503 } },
}

function answer({ port, host, logLevel, progressMs = defaultProgressMs, logFile }: Options): void {
  createServer(({ url = '', headers: { accept = '' } }, response) => {
    const path = url.split('?', 1)[0]!
    const isHealth = path === '/healthz'
    const isPage = !isHealth && path !== '/readyz' && /\btext\/html\b/.test(accept)
    const body = isHealth
      ? { status: 'ok' }
      : path === '/readyz'
        ? { status: 'migrating' }
        : path.startsWith('/trpc/')
          ? trpcError
          : error
    const headers: OutgoingHttpHeaders = {
      'content-type': `${isPage ? 'text/html' : 'application/json'}; charset=utf-8`,
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      connection: 'close',
    }
    if (!isHealth) headers['retry-after'] = String(retrySeconds)
    response.writeHead(isHealth ? 200 : 503, headers)
    response.end(isPage ? page : JSON.stringify(body))
  }).listen(port, host)

  const log = openLog(logLevel, openDestination(logFile))
  let begun: Begun | undefined
  parentPort!.on('message', (step?: Begun) => (begun = step))
  setInterval(() => {
    if (!begun) return
    const { at, ...step } = begun
    log.info({ ...step, seconds: Math.round((Date.now() - at) / 1000) }, 'migration continues')
  }, progressMs)
}

if (!isMainThread) answer(workerData as Options)
