import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { kindNames } from '#shared/domain/kinds.ts'
import { files, readData } from './schema.ts'
import { externalIdsOf, namesOf, starterTitles } from './titles.ts'

const folder = import.meta.dirname

test.each(Object.entries(files))(
  'the JSON Schema of %s matches the zod schema (`vitest -u` updates it)',
  async (name, schema) => {
    const json = `${JSON.stringify(z.toJSONSchema(schema), null, 2)}\n`
    await expect(json).toMatchFileSnapshot(join(folder, `${name}.schema.json`))
  },
)

test('every data file references its JSON Schema and matches it', () => {
  const data = globSync(['*.json', 'reviews/*.json'], { cwd: folder }).filter(
    (file) => !file.endsWith('.schema.json'),
  )
  expect(data).toContain('movies.json')
  for (const file of data) {
    const { $schema } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { $schema: string }
    expect(existsSync(join(folder, dirname(file), $schema)), file).toBe(true)
    const [, name] = /(\w+)\.schema\.json$/.exec($schema)!
    expect(() => readData(name as keyof typeof files, file), file).not.toThrow()
  }
})

test('readData throws if a file does not match its schema', () => {
  expect(() => readData('members', 'movies.json')).toThrow(/members/)
})

test('a third of the titles have a German, Japanese or original name that is not the name of the title', () => {
  const titles = kindNames.flatMap((kind) => starterTitles[kind])
  const named = titles.filter((title) => namesOf(title).length > 0)
  expect(named.length).toBeGreaterThan(titles.length / 3)
  for (const title of named) expect(namesOf(title).map(({ name }) => name)).not.toContain(title.name)
})

test('no two titles have the same external id, and every ISBN has a valid check digit', () => {
  const titles = kindNames.flatMap((kind) => starterTitles[kind].map((title) => ({ kind, title })))
  const ids = titles.flatMap(({ kind, title }) =>
    externalIdsOf(kind, title).map(({ source, external_id }) => `${source} ${external_id}`),
  )
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  const isValid = (isbn: string) =>
    [...isbn].reduce((sum, digit, index) => sum + Number(digit) * (index % 2 === 0 ? 1 : 3), 0) % 10 === 0
  expect(titles.flatMap(({ title: { isbn13 } }) => (isbn13 && !isValid(isbn13) ? [isbn13] : []))).toEqual([])
})
