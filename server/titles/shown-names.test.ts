import { afterAll, expect, test } from 'vitest'
import type { TitleNames } from '#shared/domain/languages.ts'
import type { DescribedName } from '#shared/domain/title-names.ts'
import { buildApp } from '#server/app.ts'
import { noWeb } from '#server/http/pages/web.ts'
import { aMember, aServer, aSession, aTitle } from '#server/testing.ts'
import { saveNames } from './names.ts'

const server = await aServer({ RATE_LIMITS: 'off' })
const { as, db } = server
const app = await buildApp(server.services, { web: noWeb })
afterAll(() => app.close())

const named = (kind: DescribedName['kind'], language: string, name: string, more = {}): DescribedName => ({
  kind,
  language,
  name,
  ...more,
})
const save = (id: number, source: string, names: DescribedName[]) =>
  db.transaction().execute((trx) => saveNames(trx, id, source, names))
const movie = await aTitle(db, 'movie', 'Two Rivers')
await save(movie, 'tmdb', [
  named('original', 'ja', '二つの川'),
  named('romanised', 'ja', 'Futatsu no Kawa'),
  named('local', 'de', 'Zwei Flüsse', { overview: 'Zwei Flüsse treffen sich.', tagline: 'Und dann?' }),
  named('local', 'es-MX', 'Dos ríos'),
])
await save(movie, 'starter', [named('local', 'de', 'Ältere Flüsse')])
const french = await aTitle(db, 'book', 'The Long Tide')
await save(french, 'openlibrary', [named('original', 'fr', 'La longue marée')])

/** Returns the output of a call of the web app from a page in the language. */
async function call(path: string, input: object, language = 'en', token?: string) {
  const lang = language === 'en' ? '' : `&lang=${language}`
  const response = await app.inject({
    url: `/trpc/${path}?input=${encodeURIComponent(JSON.stringify(input))}${lang}`,
    headers: token ? { authorization: `Bearer ${token}` } : {},
  })
  expect(response.statusCode, response.body).toBe(200)
  return response.json().result.data
}
async function aReader(titles: TitleNames) {
  const member = await aMember(db)
  await as(member).accounts.changeLanguageSettings({ titles })
  return { member, token: await aSession(db, member) }
}

test('a visitor reads the local name of the language of the page, whoever has read it before in another one', async () => {
  const expected = {
    en: 'Two Rivers',
    de: 'Zwei Flüsse',
    'de-AT': 'Zwei Flüsse',
    es: 'Dos ríos',
    'es-MX': 'Dos ríos',
    ja: '二つの川',
    ar: 'Two Rivers',
    '<b>': 'Two Rivers',
  }
  for (const _ of [1, 2])
    for (const [language, name] of Object.entries(expected))
      expect((await call('movies.byId', { id: movie }, language)).movie.name, language).toBe(name)
})

test('the page has the overview and the tagline in its language, and the original name', async () => {
  const { movie: found } = await call('movies.byId', { id: movie }, 'de')
  expect(found).toMatchObject({
    overview: 'Zwei Flüsse treffen sich.',
    description: 'Zwei Flüsse treffen sich.',
    tagline: 'Und dann?',
    originalName: '二つの川',
    originalLanguage: 'ja',
  })
  expect((await call('movies.byId', { id: movie })).movie).toMatchObject({ originalName: '二つの川' })
})

test.each([
  ['local', 'Zwei Flüsse', 'The Long Tide'],
  ['original', '二つの川', 'La longue marée'],
  ['romanised', 'Futatsu no Kawa', 'La longue marée'],
] as const)(
  'a member who chose %s names reads them on cards, entries and lists',
  async (titles, name, book) => {
    const { member, token } = await aReader(titles)
    await as(member).diary.create({ itemId: movie, status: 'finished', finishedOn: '2026-04-01' })
    await as(member).reviews.save({ movieId: movie, rating: 4, text: 'Wet.' })
    const { list } = await as(member).lists.create({ title: 'Water' })
    for (const itemId of [movie, french]) await as(member).lists.addItem({ id: list.id, itemId })
    const texts = await Promise.all([
      call('diary.list', { userId: member.id }, 'de', token),
      call('items.search', { q: 'two rivers' }, 'de', token),
      call('lists.byId', { id: list.id }, 'de', token),
      call('books.byId', { id: french }, 'de', token),
    ])
    for (const output of texts.slice(0, 3)) expect(JSON.stringify(output)).toContain(`"${name}"`)
    for (const output of texts.slice(2)) expect(JSON.stringify(output)).toContain(`"${book}"`)
    for (const output of texts.slice(0, 3)) expect(JSON.stringify(output)).not.toContain('"Two Rivers"')
  },
)

test('a member’s choice counts on an English page too, where local names are the names of the titles', async () => {
  const { token } = await aReader('original')
  expect((await call('movies.byId', { id: movie }, 'en', token)).movie.name).toBe('二つの川')
})

test('REST keeps the documented name, whatever the reader has chosen', async () => {
  const { token } = await aReader('original')
  for (const headers of [{}, { authorization: `Bearer ${token}`, 'accept-language': 'de' }]) {
    const response = await app.inject({
      url: `/movies/${movie}?lang=de`,
      headers: { accept: 'application/json', ...headers },
    })
    expect(response.json().movie).toMatchObject({ name: 'Two Rivers', originalName: '二つの川' })
  }
})
