import { fork } from 'node:child_process'
import { access } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Kind } from '#shared/media.ts'
import { storePicture } from '#server/uploads/pictures.ts'
import { folderStorage } from '#server/uploads/storage.ts'
import type { StarterTitle } from './title.ts'
import { pictureName, pictureOf, pictureWidths, starterTitles } from './titles.ts'

type Drawing = { kind: Kind; title: StarterTitle; shape: keyof typeof pictureWidths }

/**
 * Draws the posters of the starter catalogue that are not in the data folder yet, and keeps them like uploads; answers how
 * many. `onProgress` is told how many of how many are done. The work is done by child processes, one for each core:
 * it is the only heavy one of a start, and its memory goes back when it is done.
 */
export async function drawPosters(
  dataDir: string,
  onProgress: (done: number, of: number) => void,
): Promise<number> {
  const { length: of } = await listMissing(dataDir)
  if (of === 0) return 0
  let done = 0
  const shares = availableParallelism()
  await Promise.all(
    Array.from({ length: shares }, (_, share) => {
      const child = fork(import.meta.filename, [dataDir, String(share), String(shares)])
      child.on('message', () => onProgress(++done, of))
      return new Promise<void>((resolve, reject) => {
        child.once('error', reject)
        child.once('exit', (code) =>
          code === 0 ? resolve() : reject(new Error('The posters could not be drawn.')),
        )
      })
    }),
  )
  return done
}

/** Every `shares`-th drawing from `share` on, if it is not there yet: a share does not depend on what others have done. */
async function listMissing(dataDir: string, share = 0, shares = 1): Promise<Drawing[]> {
  const all = (Object.entries(starterTitles) as [Kind, StarterTitle[]][]).flatMap(([kind, titles]) =>
    titles.flatMap((title) => (['poster', 'backdrop'] as const).map((shape) => ({ kind, title, shape }))),
  )
  const mine = all.filter((_, index) => index % shares === share)
  const isThere = await Promise.all(
    mine.map(({ kind, title, shape }) =>
      access(join(dataDir, pictureOf(kind, title, shape))).then(
        () => true,
        () => false,
      ),
    ),
  )
  return mine.filter((_, index) => !isThere[index])
}

async function drawShare(dataDir: string, share: number, shares: number): Promise<void> {
  const { backdropSvg, posterSvg } = await import('./poster.ts')
  const storage = folderStorage(dataDir)
  for (const { kind, title, shape } of await listMissing(dataDir, share, shares)) {
    // Rendered at the size it is kept in, not enlarged.
    const svg = (shape === 'poster' ? posterSvg(title, kind) : backdropSvg(title, kind)).replace(
      'width="600" height="900"',
      'width="640" height="960"',
    )
    await storePicture(storage, pictureName(kind, title, shape), Buffer.from(svg), pictureWidths[shape])
    process.send!(null)
  }
}

if (import.meta.main) {
  const [dataDir, share, shares] = process.argv.slice(2)
  await drawShare(dataDir!, Number(share), Number(shares))
  process.disconnect?.()
}
