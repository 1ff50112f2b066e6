import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { TRPCError } from '@trpc/server'
import { messages } from '#shared/texts/messages.ts'

export type ChildLimits = { cpuSeconds: number; bytes: number }

/** Memory can grow by ten megabytes between two checks. */
const watchMs = 5
/** To exit, Node would wait for its threads. */
const limitSignal = 'SIGXCPU'

/** `calls/errors.ts` would load much more into a child. */
export const busy = (cause: unknown) =>
  new TRPCError({ code: 'SERVICE_UNAVAILABLE', message: messages.busy, cause })

/** A process that reads what members send gets no secrets. One malloc arena takes the least memory. */
const plainEnv = { MALLOC_ARENA_MAX: '1' }

/**
 * `options` are JSON in its second argument, `input` its standard input. Its memory returns to the system, and a crash affects nothing
 * else. Killed after `secondsMax`. Throws SERVICE_UNAVAILABLE if it cannot be started.
 */
export async function runChild(
  file: string,
  options: object,
  input: Buffer,
  { secondsMax, env = {} }: { secondsMax: number; env?: Record<string, string> },
): Promise<{ output: Buffer; code: number | null; isBeyondLimit: boolean }> {
  const child = spawn(process.execPath, [file, JSON.stringify(options)], {
    env: { ...plainEnv, ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: secondsMax * 1_000,
    killSignal: 'SIGKILL',
  })
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
  // Undefined without file descriptors for pipes; `closed` is then rejected.
  const { stdin, stdout } = child as Partial<typeof child>
  // A child that exits early does not read all of its input (EPIPE); its exit code says why.
  stdin?.on('error', () => {})
  stdin?.end(input)
  const [output, [code, signal]] = await Promise.all([
    stdout ? buffer(stdout) : Buffer.alloc(0),
    closed,
  ]).catch((error: unknown) => {
    throw busy(error)
  })
  return { output, code, isBeyondLimit: signal === limitSignal }
}

export class BeyondLimit extends Error {}

/**
 * The process waits while nobody takes its lines, and is killed when the caller stops, when `signal` aborts, and after `ms`. Throws
 * `BeyondLimit` after `ms` or for more memory than `nodeOptions` allow, and SERVICE_UNAVAILABLE if it cannot be started or crashes.
 */
export async function* linesOfChild(
  file: string,
  args: readonly string[],
  {
    signal,
    ms,
    lineBytesMax,
    nodeOptions,
    env = {},
  }: {
    signal: AbortSignal
    ms: number
    lineBytesMax: number
    nodeOptions: readonly string[]
    env?: Record<string, string>
  },
): AsyncGenerator<string> {
  const child = spawn(process.execPath, [...nodeOptions, file, ...args], {
    env: { ...plainEnv, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
  // Awaited only if the caller takes all lines.
  closed.catch(() => {})
  let isTooSlow = false
  const kill = () => void child.kill('SIGKILL')
  const timer = setTimeout(() => {
    isTooSlow = true
    kill()
  }, ms)
  signal.addEventListener('abort', kill)
  try {
    yield* linesOf((child as Partial<typeof child>).stdout ?? [], lineBytesMax)
    if (isTooSlow) throw new BeyondLimit()
    const [code, killedBy] = await closed.catch((error: unknown) => {
      throw busy(error)
    })
    // V8 aborts the process at its memory limit.
    if (killedBy === 'SIGABRT') throw new BeyondLimit()
    if (code !== 0) throw busy(new Error(`The process ended early, with ${killedBy ?? code}.`))
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', kill)
    kill()
  }
}

async function* linesOf(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  bytesMax: number,
): AsyncGenerator<string> {
  let parts: Buffer[] = []
  let length = 0
  for await (const chunk of chunks) {
    let start = 0
    for (let end; (end = chunk.indexOf('\n', start)) !== -1; start = end + 1) {
      yield Buffer.concat([...parts, chunk.subarray(start, end)]).toString()
      parts = []
      length = 0
    }
    parts.push(chunk.subarray(start))
    length += chunk.length - start
    if (length > bytesMax) throw new Error('A line of a child process is too long.')
  }
}

export function watchLimits({ cpuSeconds, bytes }: ChildLimits): void {
  const watch = () => {
    const { user, system } = process.cpuUsage()
    if (user + system > cpuSeconds * 1e6 || process.memoryUsage.rss() > bytes)
      process.kill(process.pid, limitSignal)
  }
  setInterval(watch, watchMs).unref()
}
