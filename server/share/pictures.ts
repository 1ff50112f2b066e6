import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { uploadWidths } from '#shared/domain/images.ts'
import { openConcurrencyLimit } from '#server/process/concurrency-limit.ts'
import { type ChildLimits, runChild } from '#server/process/limited-child.ts'
import type { Services } from '#server/calls/context.ts'
import { busy } from '#server/calls/errors.ts'
import { starterFolder } from '#server/starter/titles.ts'
import type { Drawing } from './draw.ts'
import { drawable } from './text.ts'
import { shareShapes } from '#shared/domain/share.ts'

/** In bytes: some eighty pictures. */
const cacheBytes = 12_000_000
/** A picture takes half a second of a processor. Networks take turns. */
const concurrency = 1
const waitMaxMs = 10_000
const queueMax = 20
/** The largest picture takes 1 s and 200 MB; a slow processor takes a multiple of that. */
const limits: ChildLimits = { cpuSeconds: 8, bytes: 400_000_000 }
const secondsMax = 20
/** Changes with the look of pictures, so that clients load them again. */
const version = 1

const drawFile = join(import.meta.dirname, `draw${import.meta.filename.slice(-3)}`)
const env = { FONTCONFIG_FILE: join(import.meta.dirname, 'fonts/fonts.conf') }

type Shown = Omit<Drawing, 'pictures'>

/** Drawn pictures are kept in memory by what they show. */
export function openSharePictures({ config, storage }: Pick<Services, 'config' | 'storage'>) {
  const inTurn = openConcurrencyLimit({ concurrency, waitMaxMs, queueMax })
  const drawn = new LRUCache<string, Buffer>({
    maxSize: cacheBytes,
    sizeCalculation: (picture, key) => picture.length + key.length,
  })
  const running = new Map<string, Promise<Buffer>>()

  async function drawPicture(drawing: Shown): Promise<Buffer> {
    const { card, shape } = drawing
    const { width } = shareShapes[shape]
    const wanted = new Map<string, number>()
    const posterWidth = card.posters.length > 5 ? 160 : 640
    for (const { image } of card.posters) if (image !== null) wanted.set(image, posterWidth)
    if (card.backdrop !== null) wanted.set(card.backdrop, width / 4)
    const pictures: Drawing['pictures'] = {}
    for (const [url, atLeast] of wanted) {
      const file = await readPicture(url, atLeast)
      if (file) pictures[url] = file.toString('base64')
    }
    const input = Buffer.from(JSON.stringify({ ...drawing, pictures } satisfies Drawing))
    const { output, code } = await runChild(drawFile, limits, input, { secondsMax, env })
    if (code !== 0) throw busy(new Error('Drawing a share picture failed, or exceeded its limits.'))
    return output
  }

  /** Pictures of other hosts are not loaded. */
  async function readPicture(url: string, atLeast: number): Promise<Buffer | undefined> {
    const [, folder, name, largest] = /^\/(uploads|starter)\/([a-z0-9-]+)-(\d+)\.webp$/.exec(url) ?? []
    if (folder === undefined) return undefined
    // Only the largest width is sure to exist; the drawing scales it down.
    if (folder === 'starter') return readFile(join(starterFolder, basename(url))).catch(() => undefined)
    const width = uploadWidths.find((one) => one >= atLeast && one <= Number(largest)) ?? largest
    const file = `${name}-${width}.webp`
    if (storage.bucket) {
      const found = await storage.bucket.get(file, { isHead: false })
      return found && 'body' in found ? found.body : undefined
    }
    return readFile(join(config.dataDir, 'uploads', file)).catch(() => undefined)
  }

  return {
    tagOf(shown: Shown): string {
      return `"${hash('sha256', JSON.stringify([version, shown]), 'base64url').slice(0, 22)}"`
    },
    /** `shown` is JSON. Calls `count` before drawing. Throws SERVICE_UNAVAILABLE if too many others are waiting. */
    async read(
      tag: string,
      shown: string,
      owners: readonly string[],
      count: () => Promise<void>,
    ): Promise<Buffer> {
      const known = drawn.get(tag) ?? running.get(tag)
      if (known) return known
      await count()
      const drawing = JSON.parse(shown) as Shown
      const siteName = drawable(drawing.siteName, 40)
      const work = inTurn(() => drawPicture({ ...drawing, siteName }), owners)
      running.set(tag, work)
      try {
        const picture = await work
        drawn.set(tag, picture)
        return picture
      } finally {
        running.delete(tag)
      }
    },
  }
}
