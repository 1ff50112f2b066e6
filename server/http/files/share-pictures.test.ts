import sharp from 'sharp'
import MarkdownIt from 'markdown-it'
import { afterAll, expect, test, vi } from 'vitest'
import { variation } from '#scripts/testing/variation.ts'
import { kinds } from '#shared/domain/kinds.ts'
import { defaultSettings } from '#shared/domain/site-defaults.ts'
import { buildApp } from '#server/app.ts'
import { findMessages } from '#scripts/dev/messages/all.ts'
import { readCatalogues } from '#scripts/dev/messages/catalogue.ts'
import { translationsOf } from '#scripts/dev/messages/write.ts'
import { readCard } from '#server/share/card.ts'
import { drawable, drawableTexts } from '#server/share/text.ts'
import { translatorOf, translatorsOf } from '#server/text/translator.ts'
import { saveNames } from '#server/titles/names.ts'
import { isSqlite } from '#server/db/dialect.ts'
import { noWeb } from '#server/http/pages/web.ts'
import { aMember, aServer, aTitle } from '#server/testing.ts'
import { type Shared, sharePath, shareShapeNames, shareShapes } from '#shared/domain/share.ts'

const server = await aServer({ RATE_LIMITS: 'off' })
const { db, as } = server
const app = await buildApp(server.services, { web: noWeb })
afterAll(() => app.close())

const get = (shared: Shared, headers: Record<string, string> = {}) =>
  app.inject({ url: sharePath(shared, 'wide'), headers })

/** A member with a favorite, a review, a public list and a public diary. */
async function aSharingMember(name: string, titleName: string) {
  const member = await aMember(db, name)
  const itemId = await aTitle(db, 'movie', titleName)
  await db
    .updateTable('media')
    .set({ image: '/starter/poster-2-movies-dune-640.webp', backdrop: 'https://image.example/1.jpg' })
    .where('id', '=', itemId)
    .execute()
  const me = as(member)
  const { review } = await me.reviews.save({ itemId, rating: 4, text: titleName })
  await me[kinds.movie.favorites.router].add({ movieId: itemId })
  const { list } = await me.lists.create({ title: titleName.slice(0, 50), visibility: 'public' })
  await me.lists.addItem({ id: list.id, itemId })
  await me.diary.setVisibility({ visibility: 'public' })
  await me.diary.create({ itemId, status: 'finished', finishedOn: '2025-05-04' })
  const shared = [
    { subject: 'reviews', id: review.id },
    { subject: 'lists', id: list.id },
    { subject: 'users', id: member.id },
    { subject: 'years', id: member.id, year: 2025 },
  ] as const satisfies Shared[]
  return { member, me, shared }
}

test('reviews, lists, favorites and years have pictures of the documented sizes', async () => {
  const { shared } = await aSharingMember('ada', 'The Long Way')
  for (const one of shared) {
    for (const shape of one.subject === 'reviews' ? shareShapeNames : ['square' as const]) {
      const response = await app.inject(sharePath(one, shape))
      expect([one.subject, response.statusCode]).toEqual([one.subject, 200])
      expect(response.headers['content-type']).toBe('image/jpeg')
      expect(await sharp(response.rawPayload).metadata()).toMatchObject({
        format: 'jpeg',
        ...shareShapes[shape],
      })
    }
  }
})

test('a picture is validated by its tag, which changes with what it shows; HEAD sends no body', async () => {
  const { me, shared } = await aSharingMember('bob', 'Tagged')
  const [review] = shared
  const first = await get(review)
  expect(first.headers).toMatchObject({
    etag: expect.stringMatching(/^"/),
    'cache-control': 'public, no-cache',
  })
  const etag = String(first.headers.etag)
  expect((await get(review, { 'if-none-match': etag })).statusCode).toBe(304)
  const head = await app.inject({
    method: 'HEAD',
    url: sharePath(review, 'wide', '2026-01-01T00:00:00.000Z'),
  })
  expect([head.statusCode, head.rawPayload.length]).toEqual([200, 0])
  expect(head.headers['cache-control']).toBe('public, max-age=86400')

  await me.reviews.edit({ id: review.id, rating: 2 })
  const changed = await get(review, { 'if-none-match': etag })
  expect(changed.statusCode).toBe(200)
  expect(changed.headers.etag).not.toBe(etag)
})

const { messages: ownTexts } = await findMessages(process.cwd(), ['server/share/*.ts'])
const translators = translatorsOf(
  (await readCatalogues()).map((one) => translatorOf(one.code, translationsOf(ownTexts, one))),
)

test('texts and names of titles are in the language of the page; in English if it has letters that cannot be drawn', async () => {
  const { member, me, shared } = await aSharingMember('uli', 'The Lark')
  const { item } = await me.items.byId({ id: (await me.reviews.byId({ id: shared[0].id })).review.itemId })
  await db.transaction().execute((trx) =>
    saveNames(trx, item.id, 'tmdb', [
      { kind: 'local', language: 'de', name: 'Die Lerche' },
      { kind: 'local', language: 'ja', name: 'ヒバリ' },
    ]),
  )
  const cardsIn = (code: string) =>
    Promise.all(shared.map((one) => readCard(as(null), db, one, translators.of(code))))
  const [english, german, japanese, arabic] = await Promise.all(['en', 'de', 'ja', 'ar'].map(cardsIn))
  expect([japanese, arabic]).toEqual([english, english])
  expect(english!.map(({ eyebrow, heading }) => [eyebrow, heading])).toEqual([
    ['uli on', 'The Lark'],
    ['A list by uli', 'The Lark'],
    ['Favorites of', 'uli'],
    ['2025 of uli', '1'],
  ])
  expect(german!.map(({ eyebrow, heading }) => [eyebrow, heading])).toEqual([
    ['uli über', 'Die Lerche'],
    ['Eine Liste von uli', 'The Lark'],
    ['Favoriten von', 'uli'],
    ['2025 von uli', '1'],
  ])
  expect([german![1]!.text, german![3]!.text]).toEqual(['1 Titel', '1 Film'])
  for (const { posters } of german!) expect(posters.map(({ name }) => name)).toEqual(['Die Lerche'])

  const codes = ['en', 'de', 'ja', 'ar']
  const site = await buildApp({ ...server.services, translators }, { web: { ...noWeb, languages: codes } })
  const path = sharePath({ subject: 'users', id: member.id }, 'wide')
  const tagIn = async (code: string, headers: Record<string, string> = {}) =>
    (await site.inject({ url: `${path}&lang=${code}`, headers })).headers.etag
  const tag = await tagIn('en')
  for (const code of ['ja', 'ar', 'xx', '../de']) expect([code, await tagIn(code)]).toEqual([code, tag])
  expect(await tagIn('en', { 'accept-language': 'de', cookie: 'language=de' })).toBe(tag)
  expect(await tagIn('de')).not.toBe(tag)
  await site.close()
})

test('each text of a picture can be drawn in each language, with each of its forms', () => {
  for (const code of translators.codes) {
    const { t, plural, language } = drawableTexts(translators.of(code))
    const texts = [
      t`Favorites of`,
      t`${'a'} on`,
      t`A list by ${'a'}`,
      ...[0, 1, 2, 5, 11, 1_000_000].map((n) => t`${plural(n, { one: '# hour', other: '# hours' })}`),
    ]
    for (const text of texts)
      expect([language, drawable(text, 100)]).toEqual([language, text.replaceAll(/\s/gu, ' ')])
  }
})

test('what a visitor may not see has no picture, even for its author, and neither has what is empty', async () => {
  const { member, me, shared } = await aSharingMember('eve', 'Hidden')
  const [review, list, favorites, year] = shared
  await me.diary.setVisibility({ visibility: 'private' })
  await me.lists.edit({ id: list.id, visibility: 'private' })
  await db
    .updateTable('reviews')
    .set({ removed_text: 'gone', text: '' })
    .where('id', '=', review.id)
    .execute()
  const empty = await aMember(db)
  const missing: Shared[] = [
    review,
    list,
    year,
    { ...year, year: 2024 },
    { subject: 'users', id: empty.id },
    { subject: 'reviews', id: 987_654_321 },
  ]
  for (const one of missing) expect([one, (await get(one)).statusCode]).toEqual([one, 404])
  await db.updateTable('users').set({ standing: 'suspended' }).where('id', '=', member.id).execute()
  expect((await get(favorites)).statusCode).toBe(404)
  expect((await app.inject(`/reviews/${review.id}/share.jpg?shape=round`)).statusCode).toBe(400)
})

test('the pages of a member and of a year have their pictures as link previews, without favorites or a public diary none', async () => {
  const { member, me } = await aSharingMember('linked "eve"', 'Linked')
  const shell = async () => ({ status: 200, html: '<head><!--/page-head--></head>' })
  const site = await buildApp(server.services, {
    web: { ...noWeb, page: shell, shell, isPage: async () => true },
  })
  const tagsOf = async (url: string) => (await site.inject({ url, headers: { accept: 'text/html' } })).body
  const year = `/user/${member.id}/year/2025`
  expect(await tagsOf(`/user/${member.id}`)).toContain('content="linked &quot;eve&quot;"')
  expect(await tagsOf(year)).toContain(`/users/${member.id}/year/2025/share.jpg?shape=wide"`)
  await me.diary.setVisibility({ visibility: 'private' })
  expect(await tagsOf(year)).toBe((await shell()).html)
  expect(await tagsOf(`/user/${(await aMember(db)).id}`)).toBe((await shell()).html)
  await site.close()
})

test('what is made for visitors is made once: cached and known responses query and render nothing', async () => {
  const { member, shared } = await aSharingMember('once', 'Once')
  const admin = { ...(await aMember(db)), role: 'admin' as const }
  await db.updateTable('users').set({ role: 'admin' }).where('id', '=', admin.id).execute()
  await as(admin).site.change({ pages: { ...defaultSettings.pages, terms: '# Terms\n\n*Be kind.*' } })
  const urls = [
    ...shared.map((one) => sharePath(one, 'wide')),
    '/terms',
    '/sitemap.xml',
    '/sitemaps/1.xml',
    '/manifest.webmanifest',
    '/openapi.json',
    '/docs',
    `/users/${member.id}/reviews.atom`,
    `/oembed?url=${encodeURIComponent(`${server.config.publicUrl}/list/${shared[1].id}`)}`,
    // There is none.
    sharePath({ subject: 'users', id: admin.id }, 'wide'),
  ]
  const first = new Map<string, Awaited<ReturnType<typeof app.inject>>>()
  for (const url of urls) first.set(url, await app.inject(url))
  // Drawing takes longer than what pictures show is kept.
  for (const url of urls) await app.inject(url)
  const executed = vi.spyOn(db.getExecutor(), 'executeQuery')
  const rendered = vi.spyOn(MarkdownIt.prototype, 'render')
  for (const url of urls) {
    const { statusCode, headers, rawPayload } = first.get(url)!
    const again = await app.inject(url)
    expect([url, again.statusCode, again.headers.etag]).toEqual([url, statusCode, headers.etag])
    if (statusCode === 404) continue
    expect(again.rawPayload.equals(rawPayload)).toBe(true)
    const known = { 'if-none-match': String(headers.etag) }
    expect([url, (await app.inject({ url, headers: known })).statusCode]).toEqual([url, 304])
  }
  // On Postgres, the settings are read once a second.
  if (isSqlite(db)) expect(executed).not.toHaveBeenCalled()
  expect(rendered).not.toHaveBeenCalled()
  // A change that pictures and pages do not show changes no tag.
  await aMember(db)
  for (const url of [...urls.slice(0, 4), '/terms'])
    expect((await app.inject(url)).headers.etag).toBe(first.get(url)!.headers.etag)
  if (isSqlite(db)) expect(executed).toHaveBeenCalled()
  expect(rendered).not.toHaveBeenCalled()
  vi.restoreAllMocks()
  await as(admin).site.change({ pages: { ...defaultSettings.pages, terms: 'Changed.' } })
  expect((await app.inject('/terms')).body).toContain('Changed.')
})

variation.each([
  ['combining marks', 'a\u0301\u0323\u0316\u0317'.repeat(40)],
  ['emoji', '👩🏽\u200d👩🏻\u200d👧🏿'.repeat(20)],
  ['right to left', '\u202eשלום '.repeat(40)],
  ['characters without glyphs', '千と千尋の神隠し'],
  ['markup', '<span font="9999">&lt;/span></svg>'],
  ['one long word', 'W'.repeat(200)],
])('a picture with %s is drawn within the limits of its process', async (name, text) => {
  const { shared } = await aSharingMember(`hostile${name.length}${text.length}`, text)
  const [review, list] = shared
  for (const one of [review, list]) expect([one, (await get(one)).statusCode]).toEqual([one, 200])
})
