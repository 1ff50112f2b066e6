import { readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { kindNames } from '#shared/domain/kinds.ts'
import { readData } from './schema.ts'
import { pictureOf, portraitOf, starterFolder, starterTitles } from './titles.ts'

/** Every clone and every deployment contains the folder. */
const bytesMax = 12_000_000

test('the committed pictures are exactly the pictures of the starter content, each in one width', () => {
  const titles = kindNames.flatMap((kind) =>
    starterTitles[kind].flatMap((title) => [
      pictureOf(kind, title, 'poster'),
      pictureOf(kind, title, 'backdrop'),
    ]),
  )
  const { members } = readData('members', 'members.json')
  const portraits = members.flatMap(({ hasPortrait }, index) => (hasPortrait ? [portraitOf(index + 1)] : []))
  const expected = [...titles, ...portraits].map((url) => basename(url))
  expect(readdirSync(starterFolder).sort()).toEqual(expected.sort())
})

test('the committed pictures take less than 12 MB', () => {
  const bytes = readdirSync(starterFolder).reduce(
    (sum, file) => sum + statSync(join(starterFolder, file)).size,
    0,
  )
  expect(bytes).toBeLessThan(bytesMax)
})
