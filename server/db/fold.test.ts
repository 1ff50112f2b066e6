import fc from 'fast-check'
import { expect, test } from 'vitest'
import { blockedMs, isBlockedTooLong } from '#scripts/testing/event-loop.ts'
import { searchTitles } from '#server/titles/search-store.ts'
import { titleRowOf } from '#server/titles/sources/title-row.ts'
import type { FoundTitle } from '#server/titles/sources/source.ts'
import { insertTitle } from '#server/titles/store.ts'
import { aDatabaseAt, aMember, anOldTitle, aServer } from '#server/testing.ts'
import { insertMany } from './dialect.ts'
import { fold, foldWords, searchText, sortKey, termsOf } from './fold.ts'
import { migrate } from './migrate.ts'

const { db } = await aServer()

const title = (name: string, creators: string[] = []): FoundTitle => ({
  source: 'tmdb',
  kind: 'movie',
  name,
  overview: null,
  tagline: null,
  image: null,
  backdrop: null,
  releaseDate: null,
  runtime: null,
  pageCount: null,
  genres: [],
  creators,
  platforms: [],
  rating: null,
  popularity: 0,
  ids: [],
})
/** Returns random letters, which a database cannot compress. */
const letters = (from: number, to: number, length: number, seed: number) =>
  fc.sample(
    fc.string({
      unit: fc.integer({ min: from, max: to }).map((code) => String.fromCodePoint(code)),
      minLength: length,
      maxLength: length,
    }),
    { seed, numRuns: 1 },
  )[0]!

test('folding takes linear time for any combining marks, and strips all of them', async () => {
  const marks = `a${'\u0301'.repeat(200_000)}${'\u0323'.repeat(200_000)}`
  const work = async () => {
    expect(fold(marks)).toBe('a')
    expect(searchText(marks, marks)).toBe('a a')
    expect(sortKey(marks)).toBe('a')
    expect(foldWords(marks)).toEqual(['a'])
  }
  expect(await isBlockedTooLong(await blockedMs(work), work)).toBe(false)
})

test('a title whose name expands to a very long folded name can be stored and found', async () => {
  const korean = letters(0xac00, 0xd7a3, 200, 1)
  const creators = Array.from({ length: 10 }, (_, index) => letters(0xac00, 0xd7a3, 100, index + 2))
  const id = await insertTitle(db, titleRowOf(title(korean, creators), 'tmdb', new Date()))
  expect(await searchTitles(db, { q: korean, limit: 5 })).toEqual([id])

  // Each character expands to a word of four letters or more; together they are one word of 3 KB.
  const squares = '㌀㌃㌄㌋㌌㌕㌖㌗㌫㌮㌶㍀㍃㍈㍗'
  const name = Array.from(
    { length: 200 },
    (_, index) => squares[(index * 7 + (index >> 3)) % squares.length],
  ).join('')
  const other = await insertTitle(db, titleRowOf(title(name), 'tmdb', new Date()))
  expect(await searchTitles(db, { q: name, limit: 5 })).toEqual([other])
  expect(await searchTitles(db, { q: name.slice(0, 9), limit: 5 })).toEqual([other])
})

test('sort keys and search texts are never cut inside a surrogate pair', () => {
  expect(sortKey(`a${'𝄞'.repeat(200)}`)).toBe(`a${'𝄞'.repeat(99)}`)
  expect(searchText('𠮷'.repeat(200))).toBe('𠮷'.repeat(100))
})

test('the terms of a search match the same names as all its words', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 4 })
  const words = fc.array(word, { minLength: 1, maxLength: 8 })
  const matches = (query: readonly string[], name: readonly string[]) =>
    query.every((each) => name.some((other) => other.startsWith(each)))
  fc.assert(
    fc.property(words, words, (query, name) => {
      expect(matches(termsOf(query), name)).toBe(matches(query, name))
    }),
    { seed: 1, numRuns: 500 },
  )
})

test('at most four words of one letter narrow a search', () => {
  expect(termsOf(foldWords('s h i e l d of agents'))).toEqual(['s', 'h', 'i', 'e', 'of', 'agents'])
  expect(termsOf(foldWords('a a a a a a a a'))).toEqual(['a'])
})

const spellings: [string, string][] = [
  ['Kış Uykusu', 'kis uykusu'],
  ['IŞIK YOLU', 'ışık yolu'],
  ['İstanbul', 'istanbul'],
  ['Þór', 'Thor'],
  ['Hrafnkels Saga Freysgoða', 'freysgoda'],
  ['Łódź', 'lodz'],
  ['Đavolji, Ħamrun', 'davolji hamrun'],
  ['Straße', 'STRASSE'],
  ['GROẞ', 'gross'],
  ['Kærlighed på Østerbro', 'kaerlighed pa osterbro'],
  ['L’Œuvre', 'loeuvre'],
  ['Ŋŋ Ŧ Ɓ Ə', 'nn t b e'],
  ['ΟΔΟΣ', 'οδοσ'],
]

test.each(spellings)('%s is found as %s', async (name, q) => {
  const words = foldWords(name)
  expect(foldWords(q).every((word) => words.includes(word))).toBe(true)
  const id = await insertTitle(db, titleRowOf(title(name), 'tmdb', new Date()))
  expect(await searchTitles(db, { q, limit: 5 })).toContain(id)
})

test('titles, members, lists and imports of an existing database are found without letters that do not decompose', async () => {
  const { db: old, close } = await aDatabaseAt('0038-news')
  const at = '2026-05-01T12:00:00.000Z'
  const [user, other] = [
    await aMember(old, 'user', { password_hash: 'none' }),
    await aMember(old, 'other', { password_hash: 'none' }),
  ]
  const media_id = await anOldTitle(old, 'movie', 'Untouched')
  const untouched = await old.selectFrom('media').selectAll().where('id', '=', media_id).execute()
  const titles = [await anOldTitle(old, 'movie', 'Untouched'), await anOldTitle(old, 'movie', 'Untouched')]
  const [named, separate] = [
    await anOldTitle(old, 'movie', 'Pan´s “II”'),
    await anOldTitle(old, 'movie', '千と千尋'),
  ]
  const texts = { name_folded: 'kıs þor', search_text: `kıs þor ${'þ'.repeat(792)}` }
  await old.updateTable('media').set(texts).where('id', 'in', titles).execute()
  await old.updateTable('users').set({ search_text: 'ısık' }).where('id', '=', user.id).execute()
  const list = { user_id: user.id, title: 'x', visibility: 'private', created_at: at, updated_at: at }
  await insertMany(old, 'lists', [list])
  const { id: list_id } = await old.selectFrom('lists').select('id').executeTakeFirstOrThrow()
  await insertMany(old, 'list_words', [
    ...['kıs', 'kis', 'yaz'].map((word) => ({ word, list_id })),
    { word: '#ısık', list_id },
  ])
  const file = { user_id: user.id, service: 'csv', file_name: '', file_hash: '', options: '{}', facts: '{}' }
  await insertMany(old, 'imports', [{ ...file, state: 'ready', created_at: at, updated_at: at }])
  const { id: import_id } = await old.selectFrom('imports').select('id').executeTakeFirstOrThrow()
  const line = { import_id, kind: 'movie', name: 'Kış', search_text: 'kıs', plan: '', state: 'pending' }
  await insertMany(old, 'import_titles', [
    { ...line, title_key: 'tvShow|kıs|2014|' },
    { ...line, title_key: 'tvShow|kis|2014|' },
    { ...line, title_key: 'movie|kıs||' },
  ])
  const keys = [
    { user_id: user.id, key: 'movie|kıs|2014|', media_id },
    { user_id: user.id, key: 'movie|kis|2014|', media_id: titles[0]! },
    { user_id: other.id, key: 'tvShow|kıs|2014|', media_id },
  ]
  await insertMany(old, 'import_keys', keys)

  expect(await migrate(old)).toEqual(expect.arrayContaining(['0039-letters', '0040-name-keys']))
  const rows = await old.selectFrom('media').selectAll().where('id', 'in', titles).execute()
  for (const row of rows)
    expect(row).toMatchObject({ name_folded: 'kis thor', search_text: `kis thor ${'th'.repeat(395)}t` })
  expect(await searchTitles(old, { q: 'Kış Thor', limit: 5 })).toEqual(titles)
  expect(await old.selectFrom('media').selectAll().where('id', '=', media_id).execute()).toMatchObject(
    untouched.map((row) => ({ ...row, name_key: 'untouched' })),
  )
  const parts = old.selectFrom('name_parts').select('part').where('user_id', '=', user.id).orderBy('part')
  expect(await parts.execute()).toEqual([{ part: 'ik' }, { part: 'k' }, { part: 'sik' }])
  const words = await old.selectFrom('list_words').select('word').orderBy('word').execute()
  expect(words.map(({ word }) => word)).toEqual(['#isik', 'kis', 'yaz'])
  const imported = await old
    .selectFrom('import_titles')
    .select(['title_key', 'search_text'])
    .orderBy('id')
    .execute()
  expect(imported.map(({ title_key }) => title_key)).toEqual([
    'tvShow|kıs|2014|',
    'tvShow|kis|2014|',
    'movie|kis||',
  ])
  expect(new Set(imported.map(({ search_text }) => search_text))).toEqual(new Set(['kis']))
  const chosen = old.selectFrom('import_keys').select(['user_id', 'key', 'media_id']).orderBy('key')
  expect(await chosen.execute()).toEqual([keys[1], { ...keys[2], key: 'tvShow|kis|2014|' }])
  expect(await searchTitles(old, { q: 'pans 2', limit: 5 })).toEqual([named])
  expect(await searchTitles(old, { q: '千尋', limit: 5 })).toEqual([separate])
  await close()
})
