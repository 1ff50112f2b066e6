import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { busy } from '#server/trpc/errors.ts'
import { type Resized, resizePicture, secondsMax, type UploadWidth } from './pictures.ts'

/** The first line that the child process writes, as JSON; the bytes of the sizes follow. */
type Head = { width: number; height: number; sizes: { pixels: number; length: number }[] }

const unreadableCode = 3

/**
 * Resizes a picture in a child process, so that the decoder's memory is returned to the system, while the allocator of a
 * server would retain hundreds of megabytes, and a decoder that crashes or hangs affects nothing else. Throws
 * SERVICE_UNAVAILABLE if the child crashes or times out, and an Error if the picture cannot be decoded.
 */
export async function resizeInChild(bytes: Buffer, widest: UploadWidth): Promise<Resized> {
  const child = spawn(process.execPath, [import.meta.filename, String(widest)], {
    // No secrets in a process that decodes hostile files. One malloc arena: more of them only take more memory.
    env: { MALLOC_ARENA_MAX: '1' },
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: secondsMax * 1_000,
    killSignal: 'SIGKILL',
  })
  const closed = once(child, 'close')
  // Without streams if the process has no file descriptors left for pipes: `closed` is rejected then.
  const { stdin, stdout } = child as Partial<typeof child>
  // A child that exits early does not read all of its input (EPIPE); its exit code says why.
  stdin?.on('error', () => {})
  stdin?.end(bytes)
  const [output, [code]] = await Promise.all([stdout ? buffer(stdout) : Buffer.alloc(0), closed]).catch(
    (error: unknown) => {
      throw busy(error)
    },
  )
  if (code === unreadableCode) throw new Error('The picture cannot be decoded.')
  if (code !== 0) throw busy(new Error('The decoder crashed or timed out.'))
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
