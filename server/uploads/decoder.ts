import { buffer } from 'node:stream/consumers'
import { busy, type ChildLimits, runChild, watchLimits } from '#server/process/limited-child.ts'
import { type Resized, resizePicture, type UploadWidth } from './pictures.ts'

type ChildOptions = {
  widest: UploadWidth
  isAlone: boolean
  limits: ChildLimits
  quality?: number | undefined
}
/** As JSON; the bytes of the sizes follow. */
type Head = { width: number; height: number; sizes: { pixels: number; length: number }[] }

/** Even if the child did not exceed its own limits. */
const secondsMax = 20
/**
 * About 120 MB are of the libraries. A header can declare less than the decoder needs: a few hundred bytes of AVIF can take minutes and
 * gigabytes. The costliest pictures of five megabytes take 1.5 s, and beside another one 0.7 s; a slow processor takes a multiple of that.
 */
const limits = {
  shared: { cpuSeconds: 4, bytes: 250_000_000 },
  alone: { cpuSeconds: 8, bytes: 440_000_000 },
} satisfies Record<string, ChildLimits>

const unreadableCode = 3

/**
 * The decoder's memory returns to the system and a crash affects nothing else; the allocator of the server would retain hundreds of
 * megabytes. `isAlone` allows more memory. Throws SERVICE_UNAVAILABLE if the child crashes or times out, and an Error if the picture cannot
 * be decoded within the limits.
 */
export async function resizeInChild(
  bytes: Buffer,
  widest: UploadWidth,
  isAlone: boolean,
  given: Pick<ChildOptions, 'quality'> & { limits?: ChildLimits } = {},
): Promise<Resized> {
  const options: ChildOptions = { widest, isAlone, limits: limits[isAlone ? 'alone' : 'shared'], ...given }
  const { output, code, isBeyondLimit } = await runChild(import.meta.filename, options, bytes, { secondsMax })
  if (code === unreadableCode || isBeyondLimit) throw new Error('The picture cannot be decoded.')
  if (code !== 0) throw busy(new Error('The decoder crashed or timed out.'))
  let at = output.indexOf('\n') + 1
  const { sizes, ...head } = JSON.parse(output.toString('utf8', 0, at)) as Head
  return {
    ...head,
    sizes: sizes.map(({ pixels, length }) => ({ pixels, data: output.subarray(at, (at += length)) })),
  }
}

if (import.meta.main) {
  const { widest, isAlone, limits, quality } = JSON.parse(process.argv[2]!) as ChildOptions
  watchLimits(limits)
  try {
    const { sizes, ...head } = await resizePicture(await buffer(process.stdin), widest, isAlone, quality)
    const lengths = sizes.map(({ pixels, data }) => ({ pixels, length: data.length }))
    process.stdout.write(`${JSON.stringify({ ...head, sizes: lengths } satisfies Head)}\n`)
    for (const { data } of sizes) process.stdout.write(data)
  } catch {
    process.exitCode = unreadableCode
  }
}
