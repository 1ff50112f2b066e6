import { expect, test } from 'vitest'
import { type DescribedName, titleNamesLengthMax, titleNamesMax } from '#shared/domain/title-names.ts'
import { features } from '#server/router.ts'
import { aServer, aTitle } from '#server/testing.ts'
import { moveTitle, removeTitle } from './move.ts'
import { listNames } from './names-store.ts'
import { saveNames } from './names.ts'

const { db, as } = await aServer()

// prettier-ignore
const names = [
  'M', 'Mad Max', 'Moon', 'M*A*S*H', 'Mashed', 'Dark', 'Dark City', 'The Dark Knight', 'Darkness',
  'Spider-Man: Far from Here', 'The Amazing Spider-Man', 'Pac-Man', 'Half-Life 2', 'Halflings', 'StarCraft',
  'StarCraft: Brood War', 'Star Crafting', 'RollerCoaster Tycoon', 'E.T. the Visitor', 'Eternal Youth', 'Ethan Frome',
  'L.A. Confidential', 'Labyrinth', 'Pan’s Labyrinth', 'Rock & Rule', 'Street Fighter II', 'Street Fighter',
  'Slaughterhouse-Five', 'Slaughterhouse', 'Işık Yolu', 'Þór', '千と千尋の神隠し', '神々の山嶺', '$', '…', '8½',
]
for (const name of names) await aTitle(db, 'movie', name)

// Each name has others beside it that a search by words alone would prefer, or find alone.
test.each([
  ['m', 'M'],
  ['dark', 'Dark'],
  ['spiderman', 'Spider-Man: Far from Here'],
  ['pacman', 'Pac-Man'],
  ['amazing spiderman', 'The Amazing Spider-Man'],
  ['halflife', 'Half-Life 2'],
  ['star craft', 'StarCraft'],
  ['roller coaster tycoon', 'RollerCoaster Tycoon'],
  ['brood war starcraft', 'StarCraft: Brood War'],
  ['et', 'E.T. the Visitor'],
  ['mash', 'M*A*S*H'],
  ['la confidential', 'L.A. Confidential'],
  ['rock and rule', 'Rock & Rule'],
  ['rock & rule', 'Rock & Rule'],
  ['street fighter 2', 'Street Fighter II'],
  ['street fighter two', 'Street Fighter II'],
  ['slaughterhouse 5', 'Slaughterhouse-Five'],
  ['fighter 2', 'Street Fighter II'],
  ['pan‘s labyrinth', 'Pan’s Labyrinth'],
  ['pan´s labyrinth', 'Pan’s Labyrinth'],
  ['pan`s labyrinth', 'Pan’s Labyrinth'],
  ['pans labyrinth', 'Pan’s Labyrinth'],
  ['isik yolu', 'Işık Yolu'],
  ['IŞIK', 'Işık Yolu'],
  ['thor', 'Þór'],
  ['神隠し', '千と千尋の神隠し'],
  ['千尋', '千と千尋の神隠し'],
  ['$', '$'],
  ['…', '…'],
  ['8½', '8½'],
])('%s finds %s first', async (q, name) => {
  const { results } = await as().items.search({ q, limit: 5 })
  expect(results[0]?.name).toBe(name)
})

const translated = await aTitle(db, 'movie', 'A Lantern for Two Rivers')
const save = (id: number, source: string, names: DescribedName[]) =>
  db.transaction().execute((trx) => saveNames(trx, id, source, names))
const local = (language: string, name: string): DescribedName => ({ kind: 'local', language, name })
const search = async (q: string) => (await as().items.search({ q, limit: 5 })).results.map(({ id }) => id)
const rowsOf = (id: number) => listNames(db, [id])
await save(translated, 'tmdb', [
  { kind: 'original', language: 'ja', name: '二つの川の灯籠' },
  { kind: 'romanised', language: 'ja', name: 'Futatsu no Kawa no Tōrō' },
  local('de', 'Eine Laterne für zwei Flüsse'),
  local('fr', 'L’Été des Œillets'),
  local('tr', 'Işıklı İki Irmak'),
  local('ar', 'فانوس لنهرين'),
  { kind: 'other', language: '', name: 'Lampwork II' },
])

test.each([
  '二つの川の灯籠',
  '灯籠',
  'futatsu no kawa',
  'futatsunokawanotoro',
  'eine laterne fur zwei flusse',
  'Flüsse',
  'zweiflusse laterne',
  'l’ete des oeillets',
  'isikli iki',
  'فانوس لنهرين',
  'lampwork 2',
  'rivers laterne',
])('%s finds the title by a name in a language', async (q) => {
  expect(await search(q)).toContain(translated)
})

test('a title that has exactly this name in a language comes before others with its words', async () => {
  const famous = await aTitle(db, 'movie', 'Nachtzug Nord und West')
  await db.updateTable('media').set({ popularity: 100 }).where('id', '=', famous).execute()
  const plain = await aTitle(db, 'movie', 'Night Train')
  await save(plain, 'tmdb', [local('de', 'Nachtzug Nord')])
  expect(await search('nachtzug nord')).toEqual([plain, famous])
})

test('a source replaces its own names only, and the search forgets what it no longer says', async () => {
  const id = await aTitle(db, 'movie', 'Harbour Lights')
  await save(id, 'starter', [local('de', 'Hafenlichter')])
  await save(id, 'tmdb', [local('de', 'Lichterhafen'), { ...local('fr', ''), overview: 'Un port.' }])
  expect([await search('hafenlichter'), await search('lichterhafen')]).toEqual([[id], [id]])
  await save(id, 'tmdb', [local('de', 'Kaimauern')])
  expect([await search('hafenlichter'), await search('kaimauern')]).toEqual([[id], [id]])
  expect(await search('lichterhafen')).toEqual([])
  expect((await rowsOf(id)).map(({ source, name }) => `${source} ${name}`)).toEqual([
    'starter Hafenlichter',
    'tmdb Kaimauern',
  ])
})

test('ten thousand names of any length are kept within bounds, the ones of the app’s languages first', async () => {
  const id = await aTitle(db, 'movie', 'A Name for Everybody')
  const many = Array.from({ length: 10_000 }, (_, at) =>
    local('xx', `${'ab '.repeat(60)}${at}`.slice(0, 200)),
  )
  await save(id, 'tmdb', [...many, local('de', 'Ein Name für alle'), local('de', 'Ein Name für alle')])
  const kept = await rowsOf(id)
  expect(kept.length).toBeLessThanOrEqual(titleNamesMax)
  expect(kept.map(({ name }) => name).join('').length).toBeLessThanOrEqual(titleNamesLengthMax)
  expect(kept.filter(({ language }) => language === 'de')).toHaveLength(1)
  expect(await search('ein name fur alle')).toEqual([id])
})

test('names move to another title, where its own come first, and leave with the title', async () => {
  const [from, to] = [await aTitle(db, 'movie', 'Tin Kettle'), await aTitle(db, 'movie', 'Tin Kettles')]
  await save(from, 'tmdb', [local('de', 'Blechkessel'), local('fr', 'Bouilloire bleue')])
  await save(to, 'tmdb', [{ ...local('de', 'Blechkessel'), overview: 'Über Kessel.' }])
  await db.transaction().execute((trx) => moveTitle(features, trx, from, to))
  expect((await rowsOf(to)).map(({ name, overview }) => [name, overview])).toEqual([
    ['Blechkessel', 'Über Kessel.'],
    ['Bouilloire bleue', null],
  ])
  expect(await rowsOf(from)).toEqual([])
  expect([await search('bouilloire bleue'), await search('blechkessel')]).toEqual([[to], [to]])
  await db.transaction().execute((trx) => removeTitle(features, trx, to))
  expect(await rowsOf(to)).toEqual([])
})
