import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kind } from '#shared/media.ts'
import { folderStorage, storePicture } from '#server/uploads/pictures.ts'
import type { StarterTitle } from './title.ts'
import { pictureName, pictureOf, pictureWidths, starterTitles } from './titles.ts'

/**
 * Draws the posters that are not in the data folder yet and keeps them like uploads; answers how many.
 * `onProgress` is told how many of how many are done.
 */
export async function drawPosters(
  dataDir: string,
  onProgress: (done: number, of: number) => void = () => {},
): Promise<number> {
  const wanted = (Object.entries(starterTitles) as [Kind, StarterTitle[]][]).flatMap(([kind, titles]) =>
    titles.flatMap((title) => (['poster', 'backdrop'] as const).map((shape) => ({ kind, title, shape }))),
  )
  const isMissing = await Promise.all(
    wanted.map(({ kind, title, shape }) =>
      access(join(dataDir, pictureOf(kind, title, shape))).then(
        () => false,
        () => true,
      ),
    ),
  )
  const queue = wanted.filter((_, index) => isMissing[index])
  const of = queue.length
  if (of === 0) return 0
  // The fonts and the drawing stay out of memory once everything is drawn.
  const { backdropSvg, posterSvg } = await import('./poster.ts')
  let done = 0
  const storage = folderStorage(dataDir)
  const drawNext = async (): Promise<void> => {
    for (let next = queue.pop(); next; next = queue.pop()) {
      const { kind, title, shape } = next
      const svg = shape === 'poster' ? posterSvg(title, kind) : (backdropSvg ?? posterSvg)(title, kind)
      await storePicture(storage, pictureName(kind, title, shape), Buffer.from(svg), pictureWidths[shape])
      onProgress(++done, of)
    }
  }
  await Promise.all([drawNext(), drawNext(), drawNext(), drawNext()])
  return of
}
