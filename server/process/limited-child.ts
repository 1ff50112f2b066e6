import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { busy } from '#server/trpc/errors.ts'

/** Limits that a child process checks itself: its CPU time, and its memory. */
export type ChildLimits = { cpuSeconds: number; bytes: number }

/** The interval of the checks. Memory can grow by ten megabytes between two checks. */
const watchMs = 5
/** Ends a child that exceeds one of its limits. To exit, Node would wait for its threads. */
const limitSignal = 'SIGXCPU'

/**
 * Runs a module as a process, with `options` as JSON in its second argument and `input` on its standard input. Returns what it writes,
 * its exit code, and whether it ended itself at one of its limits. Its memory returns to the system, and a crash affects nothing else.
 * The process is killed after `secondsMax`. Throws SERVICE_UNAVAILABLE if it cannot be started.
 */
export async function runChild(
  file: string,
  options: object,
  input: Buffer,
  { secondsMax, env = {} }: { secondsMax: number; env?: Record<string, string> },
): Promise<{ output: Buffer; code: number | null; isBeyondLimit: boolean }> {
  const child = spawn(process.execPath, [file, JSON.stringify(options)], {
    // A process that decodes pictures gets no secrets. One malloc arena takes the least memory.
    env: { MALLOC_ARENA_MAX: '1', ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: secondsMax * 1_000,
    killSignal: 'SIGKILL',
  })
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
  // Undefined if the process has no file descriptors left for pipes; `closed` is then rejected.
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

/** In a child: kills this process when it exceeds a limit. */
export function watchLimits({ cpuSeconds, bytes }: ChildLimits): void {
  const watch = () => {
    const { user, system } = process.cpuUsage()
    if (user + system > cpuSeconds * 1e6 || process.memoryUsage.rss() > bytes)
      process.kill(process.pid, limitSignal)
  }
  setInterval(watch, watchMs).unref()
}
