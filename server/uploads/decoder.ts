import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { busy } from '#server/trpc/errors.ts'
import { type Resized, resizePicture, secondsMax, type UploadWidth } from './pictures.ts'

/** What the child writes in its first line; the bytes of the sizes follow. */
type Head = { width: number; height: number; sizes: { pixels: number; length: number }[] }

const unreadableCode = 3

/**
 * Resizes a picture in a process of its own, which ends with it: the memory of a decoder returns to the system, where the
 * allocator of a server would keep hundreds of megabytes for good, and a decoder that crashes or never ends takes nothing
 * with it. Throws SERVICE_UNAVAILABLE if it takes too long or dies, and an Error for a picture that cannot be decoded.
 */
export async function resizeInChild(bytes: Buffer, widest: UploadWidth): Promise<Resized> {
  const child = spawn(process.execPath, [import.meta.filename, String(widest)], {
    // No secrets where hostile files are decoded. One arena: several take more memory for the same work.
    env: { MALLOC_ARENA_MAX: '1' },
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: secondsMax * 1_000,
    killSignal: 'SIGKILL',
  })
  // A child that ends early has not read everything: its code says why.
  child.stdin.on('error', () => {})
  child.stdin.end(bytes)
  const [output, [code]] = await Promise.all([buffer(child.stdout), once(child, 'close')]).catch(
    (error: unknown) => {
      throw busy(error)
    },
  )
  if (code === unreadableCode) throw new Error('The picture cannot be decoded.')
  if (code !== 0) throw busy(new Error('The decoder was killed, or took too long.'))
  let at = output.indexOf('\n') + 1
  const { sizes, ...head } = JSON.parse(output.toString('utf8', 0, at)) as Head
  return {
    ...head,
    sizes: sizes.map(({ pixels, length }) => ({ pixels, data: output.subarray(at, (at += length)) })),
  }
}

if (import.meta.main) {
  try {
    const { sizes, ...head } = await resizePicture(
      await buffer(process.stdin),
      Number(process.argv[2]) as UploadWidth,
    )
    const lengths = sizes.map(({ pixels, data }) => ({ pixels, length: data.length }))
    process.stdout.write(`${JSON.stringify({ ...head, sizes: lengths } satisfies Head)}\n`)
    for (const { data } of sizes) process.stdout.write(data)
  } catch (error) {
    process.exitCode = (error as Error).message.startsWith('timeout') ? 1 : unreadableCode
  }
}
