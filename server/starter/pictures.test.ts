import { readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { uploadWidths } from '#shared/domain/images.ts'
import { kindNames } from '#shared/domain/media.ts'
import { readData } from './schema.ts'
import { pictureOf, portraitOf, starterTitles } from './titles.ts'

const folder = join(import.meta.dirname, 'pictures')
/** Every clone and every deployment contains the folder. */
const bytesMax = 16_000_000

test('the committed pictures are exactly those of the starter content, in every width', () => {
  const titles = kindNames.flatMap((kind) =>
    starterTitles[kind].flatMap((title) => [
      pictureOf(kind, title, 'poster'),
      pictureOf(kind, title, 'backdrop'),
    ]),
  )
  const { members } = readData('members', 'members.json')
  const portraits = members.flatMap(({ hasPortrait }, index) => (hasPortrait ? [portraitOf(index + 1)] : []))
  const expected = [...titles, ...portraits].flatMap((url) => {
    const [, name, largest] = /^(.*)-(\d+)\.webp$/.exec(basename(url))!
    return uploadWidths.filter((width) => width <= Number(largest)).map((width) => `${name}-${width}.webp`)
  })
  expect(readdirSync(folder).sort()).toEqual(expected.sort())
})

test('the committed pictures take less than 16 MB', () => {
  const bytes = readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)
  expect(bytes).toBeLessThan(bytesMax)
})
