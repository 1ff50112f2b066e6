import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { LRUCache } from 'lru-cache'
import { uploadWidths } from '#shared/domain/images.ts'
import type { Config } from '#server/config.ts'
import { openConcurrencyLimit } from '#server/process/concurrency-limit.ts'
import { pictureWidths, starterFolder } from '#server/starter/titles.ts'
import { resizeInChild } from './decoder.ts'
import { storePicture } from './pictures.ts'
import { folderStorage } from './storage.ts'
import { decodeInTurn } from './turns.ts'

/** In `DATA_DIR`. It can be deleted at any time. */
const madeFolder = 'starter'
/** The quality of the committed files: a higher one would store their artefacts, in half as many bytes again. */
const quality = 60
/** One is made at a time, so that uploads have the other decoder. */
const queueMax = 100
const queueMaxMs = 60_000
/** Requests wait for the front of the queue. Others get the committed file at once, so that a page of posters is not slow. */
const awaited = 4
const awaitedMaxMs = 5_000
const pauseMs = 10 * 60_000

export type StarterFile = { folder: string; file: string; isStandIn: boolean }

/** Widths that are not committed are made when they are first asked for. */
export function openStarterPictures(
  { dataDir, diskReserveBytes }: Pick<Config, 'dataDir' | 'diskReserveBytes'>,
  log: Pick<FastifyBaseLogger, 'warn'>,
) {
  const storage = folderStorage(dataDir, diskReserveBytes, madeFolder)
  const inTurn = openConcurrencyLimit({ concurrency: 1, waitMaxMs: queueMaxMs, queueMax })
  const making = new Map<string, Promise<void>>()
  const failed = new LRUCache<string, true>({ max: 1_000, ttl: pauseMs })

  const isMade = (file: string) => exists(join(dataDir, madeFolder, file))

  async function make({ name, largest, committed }: Known): Promise<void> {
    const widest = uploadWidths.findLast((width) => width < largest)!
    // Another process of this server may have made it meanwhile.
    if (await isMade(`${name}-${widest}.webp`)) return
    try {
      if (!(await storage.hasFreeSpace())) throw new Error('The disk has less free space than its reserve.')
      const bytes = await readFile(join(starterFolder, committed))
      const resized = await decodeInTurn(bytes, ['starter'], (isAlone) =>
        resizeInChild(bytes, widest, isAlone, { quality }),
      )
      await storePicture(storage, name, resized)
    } catch (error) {
      failed.set(name, true)
      log.warn({ err: error, picture: name }, 'the smaller widths of a starter picture cannot be made')
      throw error
    }
  }

  async function ensure(known: Known): Promise<boolean> {
    const { name } = known
    if (failed.has(name)) return false
    if (!making.has(name)) {
      const work = inTurn(() => make(known)).finally(() => making.delete(name))
      making.set(name, work)
      // Nobody may be waiting for it.
      work.catch(() => {})
    }
    if (![...making.keys()].slice(0, awaited).includes(name)) return false
    const timer = new AbortController()
    try {
      return await Promise.race([
        making.get(name)!.then(
          () => true,
          () => false,
        ),
        wait(awaitedMaxMs, false, { ref: false, signal: timer.signal }),
      ])
    } finally {
      timer.abort()
    }
  }

  return {
    /**
     * The committed file if the width cannot be made, or not yet. The file does not exist if the catalogue has no such picture, or not in
     * such a width.
     */
    async find(file: string): Promise<StarterFile> {
      const known = await committedFor(file)
      if (!known) return { folder: starterFolder, file, isStandIn: false }
      if ((await isMade(file)) || ((await ensure(known)) && (await isMade(file))))
        return { folder: join(dataDir, madeFolder), file, isStandIn: false }
      return { folder: starterFolder, file: known.committed, isStandIn: true }
    },
  }
}

type Known = { name: string; largest: number; committed: string }

/** The committed file from which a smaller width is made; undefined for other files. */
async function committedFor(file: string): Promise<Known | undefined> {
  const [, name, shape, width] = /^((poster|backdrop|portrait)-[a-z0-9-]+)-(\d+)\.webp$/.exec(file) ?? []
  if (name === undefined) return undefined
  const largest = pictureWidths[shape as keyof typeof pictureWidths]
  const isWidth = uploadWidths.some((one) => String(one) === width && one < largest)
  const committed = `${name}-${largest}.webp`
  return isWidth && (await exists(join(starterFolder, committed))) ? { name, largest, committed } : undefined
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
