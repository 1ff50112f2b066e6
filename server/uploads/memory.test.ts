import { readFileSync } from 'node:fs'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { leaveUnwatched, slowness } from '#scripts/testing/event-loop.ts'
import { childrenOf, bytesIfRunning, cpuOf } from '#scripts/testing/processes.ts'
import { aDataFolder, type Program, startProgram } from '#scripts/testing/program.ts'
import * as worst from '#scripts/testing/worst-pictures.ts'
import { openDatabase } from '#server/db/open.ts'
import { aSignedInMember } from '#server/testing.ts'

/** Memory of the server and its decoders during two concurrent uploads, above the idle server’s. */
const bytesMax = 400_000_000
/** After a decoder has reached its limit, it may grow for some milliseconds. */
const beyondLimitBytesMax = 500_000_000
/** For two uploads. */
const cpuSecondsMax = 20

/**
 * The pictures of each format that take the most memory or CPU time, of squares, long rows and sizes that the decoder cannot scale
 * down: the largest picture, the largest that is decoded concurrently, or both if they are close.
 */
const largest: [format: keyof typeof worst.formatsAtSize, width: number, height: number][] = [
  ['png', 16_384, 610],
  ['png, 16 bits', 16_384, 1_525],
  ['png, 16 bits', 16_384, 305],
  ['png, interlaced', 16_384, 1_525],
  ['png, 16 bits, interlaced', 4_500, 4_500],
  ['png, 16 bits, interlaced', 16_384, 1_239],
  ['jpeg', 2_500, 7_600],
  ['jpeg, progressive', 2_500, 4_000],
  ['jpeg, progressive, CMYK', 16_384, 1_525],
  ['gif', 16_384, 1_525],
  ['webp, lossless', 2_500, 4_800],
  ['avif', 3_535, 3_535],
  ['avif, 12 bits', 3_090, 3_090],
  ['avif, 12 bits', 16_384, 583],
]
const pictures: [string, () => Promise<Buffer> | Buffer][] = [
  ...largest.map(([format, width, height]): [string, () => Promise<Buffer>] => [
    `${format}, ${width} by ${height}`,
    () => worst.formatsAtSize[format](width, height),
  ]),
  ['a GIF with 340,000 frames', () => worst.gifOfFrames(340_000)],
  ['a JPEG with the maximum number of scans', () => worst.jpegOfScans(5_000, 3, 50)],
  ['a JPEG with 2,646 scans', () => worst.jpegOfScans(5_000, 3)],
  ['a PNG full of zTXt', () => worst.pngOfText('zTXt')],
  ['a PNG full of iTXt', () => worst.pngOfText('iTXt')],
  ['a PNG full of iCCP', () => worst.pngOfProfile()],
  ['a PNG full of eXIf', () => worst.pngOfExif()],
  ['a PNG full of empty chunks', () => worst.pngOfChunks()],
  ['an AVIF of 100 by 100 with a tile of 5,000 by 5,000', () => worst.avifOfTiles(1, 5_000, 100)],
  ['an AVIF of 4,000 by 4,000 that declares 1,000 by 1,000', () => worst.avifDeclaring(1_000, 4_000)],
  ['a PNG of 25,000,000 by 1', () => worst.formatsAtSize['png, 16 bits'](25_000_000, 1)],
]
const beyondLimit = /a tile of|that declares/
const refused = /2,646 scans|a tile of|that declares|25,000,000 by 1$/

// The server is a process of its own, and making the pictures takes long.
beforeEach(leaveUnwatched)

// Measured with /proc, which only Linux has; the limits are the same on other systems.
describe.runIf(process.platform === 'linux')(
  'two concurrent uploads stay within the memory and CPU limits:',
  () => {
    let program: Program
    let pid: number
    let token: string
    beforeAll(async () => {
      const data = aDataFolder()
      program = await startProgram({ DATA_DIR: data.folder, DISK_RESERVE_MB: '0' })
      pid = program.child.pid!
      const db = openDatabase({ databaseUrl: undefined, dataDir: data.folder })
      token = (await aSignedInMember(db)).token
      await db.destroy()
      // The idle server has handled uploads: its heap has grown, and its code is loaded.
      for (const format of ['png', 'jpeg', 'webp, lossless', 'avif'] as const)
        expect(await upload(await worst.formatsAtSize[format](50, 50))).toBe(201)
      return async () => {
        await program.end()
        data.remove()
      }
    })
    test('the server itself loads no decoder', () => {
      expect(readFileSync(`/proc/${pid}/maps`, 'utf8')).not.toMatch(/sharp|vips/)
    })

    /** Returns the anonymous memory of the server and its decoders. */
    const memory = () => [pid, ...childrenOf(pid)].reduce((sum, each) => sum + bytesIfRunning(each), 0)
    async function upload(bytes: Buffer): Promise<number> {
      const body = new FormData()
      body.append('image', new Blob([new Uint8Array(bytes)]))
      for (;;) {
        const response = await fetch(`${program.url}/upload`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}` },
          body,
        })
        await response.text()
        // On a slow machine, a picture may wait too long for a decoder.
        if (response.status !== 503) return response.status
      }
    }

    test.each(pictures)('%s', async (name, make) => {
      const bytes = await make()
      expect(bytes.length).toBeLessThan(5 * 1_024 * 1_024)
      const [idle, cpuBefore] = [memory(), cpuOf(pid)]
      let most = 0
      const watching = setInterval(() => (most = Math.max(most, memory())), 2)
      const statuses = await Promise.all([upload(bytes), upload(bytes)])
      clearInterval(watching)
      const [peak, cpu] = [most - idle, cpuOf(pid) - cpuBefore]
      if (process.env['SHOW_FIGURES'])
        process.stdout.write(`${name}: ${Math.round(peak / 1e6)} MB, ${cpu.toFixed(1)} s of CPU\n`)
      expect(statuses).toEqual(refused.test(name) ? [400, 400] : [201, 201])
      expect(peak).toBeLessThan(beyondLimit.test(name) ? beyondLimitBytesMax : bytesMax)
      expect(cpu).toBeLessThan(cpuSecondsMax * slowness())
    })
  },
)
