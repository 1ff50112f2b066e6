import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { busy } from '#server/trpc/errors.ts'
import { type Resized, resizePicture, type UploadWidth } from './pictures.ts'

type ChildOptions = { widest: UploadWidth; isAlone: boolean; limits: DecoderLimits }
/** The first line that the child process writes, as JSON; the bytes of the sizes follow. */
type Head = { width: number; height: number; sizes: { pixels: number; length: number }[] }

/** The child is killed after this time, even if it did not exceed its own limits. */
const secondsMax = 20
/** Limits that the child checks itself: its CPU time, and its memory, including about 120 MB of the libraries. */
type DecoderLimits = { cpuSeconds: number; bytes: number }
/**
 * A header can declare less than the decoder needs: a few hundred bytes of AVIF can take minutes and gigabytes. The costliest
 * pictures of five megabytes take 1.5 s, and those that are decoded beside another one 0.7 s; a slow processor takes a multiple of
 * that.
 */
const limits = {
  shared: { cpuSeconds: 4, bytes: 250_000_000 },
  alone: { cpuSeconds: 8, bytes: 440_000_000 },
} satisfies Record<string, DecoderLimits>
/** The interval of the checks. Memory can grow by ten megabytes between two checks. */
const watchMs = 5

const unreadableCode = 3
/** Ends the child when it exceeds one of its limits. To exit, Node would wait for the decoder's threads. */
const limitSignal = 'SIGXCPU'

/**
 * Checks and resizes a picture in a child process, so that the decoder's memory returns to the system and a crash affects nothing
 * else; the allocator of the server would retain hundreds of megabytes. With `isAlone`, it may take more memory. Throws
 * SERVICE_UNAVAILABLE if the child crashes or times out, and an Error if the picture cannot be decoded within the limits.
 */
export async function resizeInChild(
  bytes: Buffer,
  widest: UploadWidth,
  isAlone: boolean,
  childLimits: DecoderLimits = limits[isAlone ? 'alone' : 'shared'],
): Promise<Resized> {
  const options: ChildOptions = { widest, isAlone, limits: childLimits }
  const child = spawn(process.execPath, [import.meta.filename, JSON.stringify(options)], {
    // A process that decodes hostile files gets no secrets. One malloc arena takes the least memory.
    env: { MALLOC_ARENA_MAX: '1' },
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: secondsMax * 1_000,
    killSignal: 'SIGKILL',
  })
  const closed = once(child, 'close')
  // Undefined if the process has no file descriptors left for pipes; `closed` is then rejected.
  const { stdin, stdout } = child as Partial<typeof child>
  // A child that exits early does not read all of its input (EPIPE); its exit code says why.
  stdin?.on('error', () => {})
  stdin?.end(bytes)
  const [output, [code, signal]] = await Promise.all([
    stdout ? buffer(stdout) : Buffer.alloc(0),
    closed,
  ]).catch((error: unknown) => {
    throw busy(error)
  })
  if (code === unreadableCode || signal === limitSignal) throw new Error('The picture cannot be decoded.')
  if (code !== 0) throw busy(new Error('The decoder crashed or timed out.'))
  let at = output.indexOf('\n') + 1
  const { sizes, ...head } = JSON.parse(output.toString('utf8', 0, at)) as Head
  return {
    ...head,
    sizes: sizes.map(({ pixels, length }) => ({ pixels, data: output.subarray(at, (at += length)) })),
  }
}

/** Kills this process when it exceeds a limit. */
function watchLimits({ cpuSeconds, bytes }: DecoderLimits): void {
  const watch = () => {
    const { user, system } = process.cpuUsage()
    if (user + system > cpuSeconds * 1e6 || process.memoryUsage.rss() > bytes)
      process.kill(process.pid, limitSignal)
  }
  setInterval(watch, watchMs).unref()
}

if (import.meta.main) {
  const { widest, isAlone, limits } = JSON.parse(process.argv[2]!) as ChildOptions
  watchLimits(limits)
  try {
    const { sizes, ...head } = await resizePicture(await buffer(process.stdin), widest, isAlone)
    const lengths = sizes.map(({ pixels, data }) => ({ pixels, length: data.length }))
    process.stdout.write(`${JSON.stringify({ ...head, sizes: lengths } satisfies Head)}\n`)
    for (const { data } of sizes) process.stdout.write(data)
  } catch {
    process.exitCode = unreadableCode
  }
}
