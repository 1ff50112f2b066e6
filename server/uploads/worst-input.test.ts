import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import sharp from 'sharp'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { uploadBytesMax } from '#shared/domain/limits.ts'
import { leaveUnwatched, slowness, threadCpuMs } from '#scripts/testing/event-loop.ts'
import { seeded } from '#scripts/testing/random.ts'
import { findCostly } from '#scripts/testing/worst-input.ts'
import { avifOfTiles, gifOfFrames, jpegOfScans } from '#scripts/testing/worst-pictures.ts'
import { type Format, formats } from './bytes.ts'
import type * as decoder from './decoder.ts'
import { isHeavy } from './header.ts'

const { resizeInChild } = await vi.importActual<typeof decoder>('./decoder.ts')

/** The longest time for which an upload may block the event loop of the server. */
const pauseMaxMs = 5
const runs = 10
/** If a picture of a few kilobytes takes longer, its decoder is killed, and the search ends with this picture. */
const decodeMaxMs = 3_000

const noise = (side: number) =>
  sharp({
    create: {
      width: side,
      height: side,
      channels: 3,
      background: '#a33',
      noise: { type: 'gaussian', mean: 128, sigma: 30 },
    },
  })
const latin1 = (text: string) => Buffer.from(text, 'latin1')
const pngHead = latin1('\x89PNG\r\n\x1a\n')

/** Parts of each format that a parser reads one by one, and pictures of the format. */
const seedsOf: Record<Format, () => Promise<{ parts: Buffer[]; pictures: Buffer[] }>> = {
  jpeg: async () => ({
    parts: ['\xff\xd0', '\xff', '\xff\xe0\0\x02', '\xff\xc0\0\x02', '\xff\xda\0\x02'].map((part) =>
      Buffer.concat([latin1('\xff\xd8\xff'), Buffer.alloc(uploadBytesMax, part, 'latin1')]),
    ),
    pictures: [await noise(32).jpeg().toBuffer(), jpegOfScans(64, 1, 50)],
  }),
  png: async () => ({
    parts: ['\0\0\0\0IDAT\0\0\0\0', '\0\0\0\0IHDR\0\0\0\0'].map((part) =>
      Buffer.concat([pngHead, Buffer.alloc(uploadBytesMax, part, 'latin1')]),
    ),
    pictures: [await noise(24).png().toBuffer(), await noise(8).png({ progressive: true }).toBuffer()],
  }),
  gif: async () => ({
    parts: [Buffer.concat([latin1('GIF89a'), Buffer.alloc(uploadBytesMax, ',')])],
    pictures: [await noise(32).gif().toBuffer(), gifOfFrames(200)],
  }),
  webp: async () => ({
    parts: ['VP8X', 'VP8L', 'VP8 '].map((part) =>
      Buffer.concat([latin1('RIFF\xff\xff\xff\0WEBP'), Buffer.alloc(uploadBytesMax, part)]),
    ),
    pictures: [await noise(32).webp().toBuffer(), await noise(24).webp({ lossless: true }).toBuffer()],
  }),
  avif: async () => ({
    parts: ['ispe', 'av1C', 'isp', 'ispe\0\0\0\0\0\0\0\x01\0\0\0\x01'].map((part) =>
      Buffer.concat([latin1('\0\0\0\x20ftypavif'), Buffer.alloc(uploadBytesMax, part)]),
    ),
    pictures: [await noise(32).avif({ effort: 0 }).toBuffer(), await avifOfTiles(4, 64, 64)],
  }),
}
const tokens = ['ispe', 'av1C', 'IDAT', 'VP8X', '\0\0', '\0\0\0\x01', '\x7f\x7f\x7f\x7f', '']
const names = Object.keys(formats) as Format[]

// These tests measure themselves.
beforeEach(leaveUnwatched)

test.each(names)(
  'the server reads the header of the worst file that begins like a %s without a pause',
  async (format) => {
    const { parts, pictures } = await seedsOf[format]()
    /** Of several runs, since one takes less than the clock can tell. */
    const cpuMsOf = (input: Buffer) => {
      const startedAt = threadCpuMs()
      for (let run = 0; run < runs; run++) isHeavy(input)
      return Math.max(threadCpuMs() - startedAt, 1e-6) / runs
    }
    const [worst] = await findCostly({
      seeds: [...parts, ...pictures],
      tokens,
      bytesMax: uploadBytesMax,
      rounds: 30,
      random: seeded(21),
      costOf: cpuMsOf,
    })
    const again = Array.from({ length: 3 }, () => cpuMsOf(worst!.input))
    expect(Math.min(...again)).toBeLessThan(pauseMaxMs * slowness())
  },
)

describe('a decoder', () => {
  let child: ChildProcess | undefined
  afterAll(() => void child?.kill())

  /** Returns the CPU time (ms) that a picture takes a decoder. */
  async function decodeMsOf(picture: Buffer): Promise<number> {
    child ??= fork(new URL('../../scripts/testing/decode-pictures.ts', import.meta.url), {
      serialization: 'advanced',
      execArgv: [],
      env: { MALLOC_ARENA_MAX: '1' },
    })
    const ended = new AbortController()
    const timer = setTimeout(() => child!.kill('SIGKILL'), decodeMaxMs * slowness())
    try {
      child.send(picture)
      const [answer] = await Promise.race([
        once(child, 'message', { signal: ended.signal }),
        once(child, 'exit', { signal: ended.signal }).then(() => [undefined]),
      ])
      if (answer === undefined) child = undefined
      return (answer as number | undefined) ?? decodeMaxMs
    } finally {
      clearTimeout(timer)
      ended.abort()
    }
  }

  test.each(names)('ends with the worst small %s that a search finds, and says so', async (format) => {
    const { pictures } = await seedsOf[format]()
    const [worst] = await findCostly({
      seeds: pictures,
      tokens,
      bytesMax: 4_096,
      rounds: 25,
      random: seeded(21),
      costOf: decodeMsOf,
    })
    const limits = { cpuSeconds: 3 * slowness(), bytes: 250_000_000 }
    const outcome = await resizeInChild(worst!.input, 320, false, { limits }).then(
      () => 'resized',
      (error: Error) => error.message,
    )
    expect(['resized', 'The picture cannot be decoded.']).toContain(outcome)
  })
})
