import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { basicFonts } from './fonts.ts'

test('client/fonts has the files that npm run fonts writes, of less than 25 KB each', async () => {
  const folder = join(import.meta.dirname, '../client/fonts')
  const fonts = await basicFonts()
  expect(readdirSync(folder).sort()).toEqual([...fonts.keys()].sort())
  for (const [file, bytes] of fonts) expect(readFileSync(join(folder, file)).equals(bytes), file).toBe(true)
  const sizes = [...fonts.values()].map(({ length }) => length)
  expect(Math.max(...sizes)).toBeLessThan(25_000)
})
