import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { basicFonts, pictureFonts } from './fonts.ts'

const root = join(import.meta.dirname, '../..')

test.each([
  ['client/fonts', basicFonts, 25_000],
  ['server/share/fonts', pictureFonts, 50_000],
])('%s has the files that npm run fonts writes, none of them large', async (folder, fontsOf, bytesMax) => {
  const fonts = await fontsOf()
  const files = readdirSync(join(root, folder)).filter((file) => !file.endsWith('.conf'))
  expect(files.sort()).toEqual([...fonts.keys()].sort())
  for (const [file, bytes] of fonts)
    expect(readFileSync(join(root, folder, file)).equals(bytes), file).toBe(true)
  const sizes = [...fonts.values()].map(({ length }) => length)
  expect(Math.max(...sizes)).toBeLessThan(bytesMax)
})
