import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { uploadWidths } from '../../shared/images.ts'
import { pictureWidths } from '../../server/starter/titles.ts'
import { listPictures, renderPicture } from './pictures.ts'

const folder = join(import.meta.dirname, '../../server/starter/pictures')
/** Every clone and every deployment contains the folder. */
const bytesMax = 16_000_000
/** Mean difference per channel value (0 to 255): builds of libvips for other platforms round differently. */
const differenceMax = 0.5

test('the committed files are exactly the pictures of the content, in every width', () => {
  const expected = listPictures().flatMap(({ name, shape }) =>
    uploadWidths.filter((width) => width <= pictureWidths[shape]).map((width) => `${name}-${width}.webp`),
  )
  const committed = readdirSync(folder)
  expect(committed.sort()).toEqual(expected.sort())
  expect(committed.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)).toBeLessThan(bytesMax)
})

test.each([
  'poster-1-movies-the-matrix',
  'backdrop-1-movies-the-matrix',
  'poster-1-books-nineteen-eighty-four',
  'backdrop-1-books-nineteen-eighty-four',
  'portrait-1-1',
])('the committed file of %s matches what the generator draws', async (name) => {
  const picture = listPictures().find((each) => each.name === name)!
  for (const { file, data } of await renderPicture(picture)) {
    const [drawn, committed] = await Promise.all(
      [data, readFileSync(join(folder, file))].map((bytes) =>
        sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true }),
      ),
    )
    expect([file, committed!.info.width, committed!.info.height]).toEqual([
      file,
      drawn!.info.width,
      drawn!.info.height,
    ])
    let sum = 0
    for (const [at, value] of drawn!.data.entries()) sum += Math.abs(value - committed!.data[at]!)
    expect(sum / drawn!.data.length, file).toBeLessThan(differenceMax)
  }
})
