import { setImmediate } from 'node:timers/promises'
import { TRPCError } from '@trpc/server'
import { expect, test, vi } from 'vitest'
import { withoutWatch } from '#scripts/testing/event-loop.ts'
import { variation } from '#scripts/testing/variation.ts'
import { insertMany, setLastId } from '#server/db/dialect.ts'
import type { Kind } from '#shared/domain/kinds.ts'
import type { OfferType } from '#shared/domain/offers.ts'
import { openExports } from '#server/export/files.ts'
import { buildApp } from '#server/app.ts'
import { noWeb } from '#server/http/pages/web.ts'
import { features } from '#server/router.ts'
import { versionOf } from '#server/db/version.ts'
import { aMember, aServer, aTitle, plansOf } from '#server/testing.ts'
import { insertExternalIds } from '#server/titles/external-ids-store.ts'
import { moveTitle, removeTitle } from '#server/titles/move.ts'
import type { CountryOffers, FoundService, OfferSource } from '#server/titles/sources/source.ts'
import { openOfferRefresh, removeOldOffers } from './refresh.ts'

const { db, as, services } = await aServer({ RATE_LIMITS: 'off' })
const now = new Date('2026-05-04T12:00:00.000Z')
const hours = (count: number) => new Date(now.getTime() + count * 3_600_000)
const { signal } = new AbortController()

const service = (id: number, name = `Service ${id}`): FoundService => ({
  id,
  name,
  image: `https://image.tmdb.org/t/p/w92/${id}.jpg`,
})
const link = 'https://www.themoviedb.org/movie/603/watch?locale=DE'
const inCountry = (country: string, given: [OfferType, ...number[]][]): CountryOffers => ({
  country,
  link,
  offers: given.flatMap(([type, ...ids]) => ids.map((id) => ({ type, service: service(id) }))),
})

type Answer = CountryOffers[] | Promise<CountryOffers[]> | TRPCError
const answers = new Map<string, Answer>()
const asked: string[] = []
let countryAnswer: FoundService[] | TRPCError = [8, 9, 337].map((id) => service(id))
const source: OfferSource = {
  async findOffers(ids, priority) {
    const id = ids.find((one) => one.source === 'tmdb-movie' || one.source === 'tmdb-tv')
    if (!id) return undefined
    asked.push(`${id.external_id} ${priority}`)
    const answer = await answers.get(id.external_id)
    if (answer instanceof TRPCError) throw answer
    return answer ?? []
  },
  async listServices(country) {
    asked.push(country)
    if (countryAnswer instanceof TRPCError) throw countryAnswer
    return countryAnswer
  },
}
const down = new TRPCError({ code: 'SERVICE_UNAVAILABLE' })
const sources = { ...services.sources, offers: source }
const call = (member: Parameters<typeof as>[0] = null, at = now) =>
  as(member, { now: at, services: { sources } }).offers

let count = 0
async function aScreenTitle(answer?: Answer, kind: Extract<Kind, 'movie' | 'tvShow'> = 'movie') {
  const id = await aTitle(db, kind)
  const key = String(++count)
  const of = kind === 'movie' ? ('tmdb-movie' as const) : ('tmdb-tv' as const)
  await insertExternalIds(db, [{ source: of, external_id: key, media_id: id }])
  if (answer) answers.set(key, answer)
  return { id, key }
}
const timesAsked = (key: string) => asked.filter((one) => one.startsWith(`${key} `)).length
const shown = ({ offers }: { offers: { type: string; provider: { id: number }; isMine: boolean }[] }) =>
  offers.map(({ type, provider, isMine }) => `${type} ${provider.id}${isMine ? ' mine' : ''}`)

test('the offers of a title are fetched once for all countries, and are by type, one’s own first', async () => {
  const ada = await aMember(db)
  const { id, key } = await aScreenTitle([
    inCountry('DE', [
      ['buy', 2],
      ['stream', 9, 8, 337],
    ]),
    inCountry('AT', [['ads', 8]]),
  ])
  await call(ada).services({ country: 'DE' })
  await call(ada).changeSettings({ country: 'DE', subscriptions: [8] })
  const offers = await call(ada).ofMovie({ id })
  expect(offers).toMatchObject({ isAvailable: true, country: 'DE', link })
  expect(shown(offers)).toEqual(['stream 8 mine', 'stream 9', 'stream 337', 'buy 2'])
  expect(offers.offers[0]!.provider).toEqual({
    id: 8,
    name: 'Service 8',
    imageUrl: 'https://image.tmdb.org/t/p/w92/8.jpg',
  })
  expect(shown(await call(ada).ofMovie({ id, country: 'AT' }))).toEqual(['ads 8 mine'])
  // Nobody else sees whose services they are.
  expect(shown(await call(await aMember(db)).ofMovie({ id, country: 'AT' }))).toEqual(['ads 8'])
  expect(shown(await call().ofMovie({ id, country: 'AT' }))).toEqual(['ads 8'])
  const nowhere = { isAvailable: true, country: 'FR', link: null, offers: [] }
  expect(await call().ofMovie({ id, country: 'FR' })).toEqual(nowhere)
  expect(timesAsked(key)).toBe(1)
})

test('TV shows have offers too; ids of other kinds, removed titles and unknown ones are not found', async () => {
  const show = await aScreenTitle([inCountry('DE', [['free', 5]])], 'tvShow')
  expect(shown(await call().ofTvShow({ id: show.id, country: 'DE' }))).toEqual(['free 5'])
  const removed = await aScreenTitle()
  await db.updateTable('media').set({ removed_at: 'now' }).where('id', '=', removed.id).execute()
  for (const id of [show.id, removed.id, await aTitle(db, 'book'), 999_999_999])
    await expect(call().ofMovie({ id, country: 'DE' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(timesAsked(removed.key)).toBe(0)
})

test('without a key, an id of TMDB or a country, nothing is known', async () => {
  const { id, key } = await aScreenTitle([inCountry('DE', [['stream', 8]])])
  const unknown = { isAvailable: false, link: null, offers: [] }
  expect(await as(null).offers.ofMovie({ id, country: 'DE' })).toEqual({ ...unknown, country: 'DE' })
  expect((await as(null).site.get()).site.hasOffers).toBe(false)
  expect((await as(null, { services: { sources } }).site.get()).site.hasOffers).toBe(true)
  expect(await call().ofMovie({ id })).toEqual({ ...unknown, country: null })
  expect(timesAsked(key)).toBe(0)
  const plain = await aTitle(db)
  expect(await call().ofMovie({ id: plain, country: 'DE' })).toEqual({ ...unknown, country: 'DE' })
})

test('many callers share one call of the source', async () => {
  const { promise, resolve } = Promise.withResolvers<CountryOffers[]>()
  const { id, key } = await aScreenTitle(promise)
  const calls = Array.from({ length: 20 }, () => call().ofMovie({ id, country: 'DE' }))
  await vi.waitFor(() => expect(timesAsked(key)).toBe(1))
  resolve([inCountry('DE', [['rent', 2]])])
  for (const offers of await Promise.all(calls)) expect(shown(offers)).toEqual(['rent 2'])
  expect(timesAsked(key)).toBe(1)
})

test('callers that come while an answer is stored do not ask the source again', async () => {
  for (let round = 0; round < 8; round++) {
    const { id, key } = await aScreenTitle([inCountry('DE', [['rent', 2]])])
    const calls = Array.from({ length: 100 }, async (_, index) => {
      for (let turn = 0; turn < index / 2; turn++) await setImmediate()
      return call().ofMovie({ id, country: 'DE' })
    })
    for (const offers of await Promise.all(calls)) expect(shown(offers)).toEqual(['rent 2'])
    expect(timesAsked(key)).toBe(1)
  }
})

test('offers are asked for again after a day in the background, and after a week before they are shown', async () => {
  const { id, key } = await aScreenTitle([inCountry('DE', [['stream', 8]])])
  const read = async (at: Date) => shown(await call(null, at).ofMovie({ id, country: 'DE' }))
  await read(now)
  const { promise, resolve } = Promise.withResolvers<CountryOffers[]>()
  answers.set(key, promise)
  expect(await read(hours(23))).toEqual(['stream 8'])
  expect(timesAsked(key)).toBe(1)
  expect(await read(hours(25))).toEqual(['stream 8'])
  resolve([inCountry('DE', [['stream', 9]])])
  await vi.waitFor(async () => expect(await read(hours(26))).toEqual(['stream 9']))
  expect(timesAsked(key)).toBe(2)
  // The call that has just stored them ends.
  await setImmediate()
  answers.set(key, [])
  expect(await read(hours(25 + 8 * 24))).toEqual([])
  // A country that is missing now has none.
  expect(await db.selectFrom('offers').selectAll().where('media_id', '=', id).execute()).toEqual([])
})

test('a source that fails leaves what is stored for a month; without that, nothing is known', async () => {
  const { id, key } = await aScreenTitle(down)
  const read = (at: Date) => call(null, at).ofMovie({ id, country: 'DE' })
  expect(await read(now)).toEqual({ isAvailable: false, country: 'DE', link: null, offers: [] })
  answers.set(key, [inCountry('DE', [['stream', 8]])])
  expect(shown(await read(now))).toEqual(['stream 8'])
  for (const code of ['SERVICE_UNAVAILABLE', 'BAD_GATEWAY', 'INTERNAL_SERVER_ERROR'] as const) {
    answers.set(key, new TRPCError({ code }))
    for (const days of [2, 8, 29]) expect(shown(await read(hours(24 * days)))).toEqual(['stream 8'])
  }
  expect((await read(hours(24 * 31))).isAvailable).toBe(false)
})

test('nobody waits long for a source that does not answer, and its late answer is stored', async () => {
  const { promise, resolve } = Promise.withResolvers<CountryOffers[]>()
  const { id } = await aScreenTitle(promise)
  const began = performance.now()
  expect((await call().ofMovie({ id, country: 'DE' })).isAvailable).toBe(false)
  expect(performance.now() - began).toBeGreaterThan(2_900)
  resolve([inCountry('DE', [['stream', 8]])])
  await vi.waitFor(async () =>
    expect(shown(await call().ofMovie({ id, country: 'DE' }))).toEqual(['stream 8']),
  )
})

test('the country is that of the question, of the member, or of the browser', async () => {
  const { id } = await aScreenTitle(['DE', 'AT', 'CH'].map((code) => inCountry(code, [['free', 1]])))
  const ada = await aMember(db)
  const { offers } = as(ada, { services: { sources, browserCountry: () => 'CH' } as never, now })
  expect((await offers.ofMovie({ id })).country).toBe('CH')
  await offers.changeSettings({ country: 'AT' })
  expect((await offers.ofMovie({ id })).country).toBe('AT')
  expect((await offers.ofMovie({ id, country: 'DE' })).country).toBe('DE')
  await offers.changeSettings({ country: null })
  expect((await offers.ofMovie({ id })).country).toBe('CH')
  for (const country of ['de', 'DEU', '', 'D1', "'"])
    await expect(offers.ofMovie({ id, country })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
})

test('visitors whose browsers ask for different languages do not share a response', async () => {
  const { id } = await aScreenTitle(['DE', 'AT'].map((code) => inCountry(code, [['free', 1]])))
  const app = await buildApp({ ...services, sources }, { web: noWeb })
  const countryFor = async (language?: string) => {
    const headers = { accept: 'application/json', ...(language && { 'accept-language': language }) }
    const response = await app.inject({ url: `/movies/${id}/providers`, headers })
    return response.json<{ country: string | null }>().country
  }
  expect(await countryFor('de')).toBe('DE')
  expect(await countryFor('de-AT, en;q=0.5')).toBe('AT')
  expect(await countryFor('fr;q=0.2, pt-BR')).toBe('BR')
  expect(await countryFor()).toBe(null)
  expect(await countryFor('*')).toBe(null)
  await app.close()
})

test('members choose among the services of their country, which are stored for a day', async () => {
  const [ada, bo] = [await aMember(db), await aMember(db)]
  const { country, services: listed } = await call(ada).services({ country: 'NL' })
  expect([country, listed.map(({ id }) => id)]).toEqual(['NL', [8, 9, 337]])
  await call(bo, hours(23)).services({ country: 'NL' })
  expect(asked.filter((one) => one === 'NL')).toHaveLength(1)
  expect(await call(ada).settings()).toEqual({ country: null, subscriptions: [] })
  const set = { country: 'NL', subscriptions: [337, 8] }
  expect(await call(ada).changeSettings({ ...set, subscriptions: [337, 8, 337] })).toEqual(set)
  expect(await call(ada).settings()).toEqual(set)
  expect(await call(bo).settings()).toEqual({ country: null, subscriptions: [] })
  const refused = { code: 'BAD_REQUEST' }
  await expect(call(ada).changeSettings({ subscriptions: [8, 2] })).rejects.toMatchObject(refused)
  await expect(call(bo).changeSettings({ subscriptions: [8] })).rejects.toMatchObject(refused)
  const many = Array.from({ length: 101 }, (_, at) => at + 1)
  await expect(call(ada).changeSettings({ subscriptions: many })).rejects.toMatchObject(refused)
  // What is set stays in another country and without the source.
  expect(await call(ada).changeSettings({ country: 'BE' })).toEqual({ ...set, country: 'BE' })
  countryAnswer = down
  expect(await call(ada).changeSettings({ subscriptions: [8] })).toEqual({
    country: 'BE',
    subscriptions: [8],
  })
  const unavailable = { code: 'SERVICE_UNAVAILABLE' }
  await expect(call(ada).changeSettings({ subscriptions: [8, 9] })).rejects.toMatchObject(unavailable)
  await expect(call(ada).services({ country: 'BE' })).rejects.toMatchObject(unavailable)
  expect((await call(ada, hours(24 * 20)).services({ country: 'NL' })).services).toHaveLength(3)
  countryAnswer = [8, 9, 337].map((id) => service(id))
  expect(await as(ada).offers.services({ country: 'NL' })).toEqual({ country: 'NL', services: [] })
})

test('the country and the services are in the export', async () => {
  const ada = await aMember(db)
  await call(ada).services({ country: 'DE' })
  await call(ada).changeSettings({ country: 'DE', subscriptions: [9] })
  const { begin, filesOf } = openExports(features)
  const about = (await begin(db, ada.id, 'https://medley.example', now))!
  let text = ''
  for await (const chunk of (await filesOf(about))['medley.json']!(about)) text += chunk
  expect(JSON.parse(text)).toMatchObject({ member: { watchSettings: { country: 'DE', subscriptions: [9] } } })
})

test('the offers of a title go with it, and those of a title that becomes another one are asked for anew', async () => {
  const [one, other, gone] = [
    await aScreenTitle([inCountry('DE', [['stream', 8]])]),
    await aScreenTitle([inCountry('DE', [['stream', 9]])]),
    await aScreenTitle([inCountry('DE', [['stream', 9]])]),
  ]
  for (const { id } of [one, other, gone]) await call().ofMovie({ id, country: 'DE' })
  await db.transaction().execute((trx) => moveTitle(features, trx, one.id, other.id))
  await db.transaction().execute((trx) => removeTitle(features, trx, gone.id))
  for (const table of ['offers', 'offer_checks'] as const) {
    const rows = await db
      .selectFrom(table)
      .select('media_id')
      .where('media_id', 'in', [one.id, other.id, gone.id])
      .execute()
    expect(rows).toEqual([{ media_id: other.id }])
  }
})

test('a title that is removed while the source is asked gets no offers', async () => {
  const { promise, resolve } = Promise.withResolvers<CountryOffers[]>()
  const { id, key } = await aScreenTitle(promise)
  const calling = call().ofMovie({ id, country: 'DE' })
  await vi.waitFor(() => expect(timesAsked(key)).toBe(1))
  await db.transaction().execute((trx) => removeTitle(features, trx, id))
  resolve([inCountry('DE', [['stream', 8]])])
  expect((await calling).isAvailable).toBe(false)
})

test('a service that changes its name has the new one everywhere', async () => {
  const before = [inCountry('DE', [['stream', 700]])]
  const { id } = await aScreenTitle(before)
  await call().ofMovie({ id, country: 'DE' })
  const renamed = {
    country: 'AT',
    link: null,
    offers: [{ type: 'rent' as const, service: service(700, 'New') }],
  }
  const other = await aScreenTitle([renamed])
  await call().ofMovie({ id: other.id, country: 'AT' })
  expect((await call().ofMovie({ id, country: 'DE' })).offers[0]!.provider.name).toBe('New')
})

test('the want list can be narrowed to what one’s services include, page by page', async () => {
  const ada = await aMember(db)
  const diary = (at = now) => as(ada, { now: at, services: { sources } }).diary
  await call(ada).services({ country: 'DE' })
  const expected: number[] = []
  for (let at = 0; at < 24; at++) {
    const type = (['stream', 'free', 'ads', 'rent', 'buy'] as const)[at % 5]!
    const { id } = await aScreenTitle([inCountry(at === 5 ? 'AT' : 'DE', [[type, at % 2 === 0 ? 8 : 9]])])
    // Those of the last one are not known.
    if (at < 23) await call().ofMovie({ id, country: 'DE' })
    await diary().create({ movieId: id, status: 'want' })
    if (at < 23 && at !== 5 && at % 5 < 3 && at % 2 === 0) expected.unshift(id)
  }
  await diary().create({ bookId: await aTitle(db, 'book'), status: 'want' })
  const filters = { status: 'want', onMyServices: true } as const
  expect((await diary().list(filters)).entries).toEqual([])
  await call(ada).changeSettings({ country: 'DE' })
  expect((await diary().list(filters)).entries).toEqual([])
  await call(ada).changeSettings({ subscriptions: [8] })
  for (const limit of [1, 2, 5, 50]) {
    const found: number[] = []
    let cursor: string | undefined
    do {
      const page = await diary().list({ ...filters, limit, cursor })
      expect(page.entries.length).toBeLessThanOrEqual(limit)
      found.push(...page.entries.map(({ title }) => title.id))
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(found).toEqual(expected)
  }
  const sorted = await diary().list({ ...filters, sort: 'average', limit: 50 })
  expect(sorted.entries.map(({ title }) => title.id)).toEqual(expected)
  expect((await diary().list({ status: 'want', limit: 50 })).entries).toHaveLength(25)
  expect((await diary().pick({ onMyServices: true })).count).toBe(expected.length)
  await call(ada).changeSettings({ country: 'AT' })
  expect((await diary().list(filters)).entries).toEqual([])
})

test('finding what one’s services include reads the want list in its order, and each offer by its key', async () => {
  const ada = await aMember(db)
  await call(ada).services({ country: 'DE' })
  await call(ada).changeSettings({ country: 'DE', subscriptions: [8] })
  const plan = await plansOf(db, (recorded) =>
    as(ada, { services: { db: recorded, replica: undefined } }).diary.list({
      status: 'want',
      onMyServices: true,
    }),
  )
  expect(plan.join('\n')).not.toMatch(/SCAN (offers|diary_entries)|Seq Scan on offers|TEMP B-TREE/)
})

variation('the last of ten thousand wanted titles is found, and holds nobody up', async () => {
  const ada = await aMember(db)
  await call(ada).services({ country: 'DE' })
  await call(ada).changeSettings({ country: 'DE', subscriptions: [8] })
  const last = await db
    .selectFrom('media')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirstOrThrow()
  const ids = Array.from({ length: 10_000 }, (_, at) => last.id + 1 + at)
  const at = now.toISOString()
  await withoutWatch(async () => {
    const title = {
      kind: 'movie',
      search_text: '',
      name_folded: '',
      details: '{"genres":[],"creators":[],"platforms":[]}',
    }
    const entry = { user_id: ada.id, kind: 'movie', status: 'want', created_at: at, updated_at: at }
    for (let from = 0; from < ids.length; from += 1_000) {
      const part = ids.slice(from, from + 1_000)
      await insertMany(
        db,
        'media',
        part.map((id) => ({ id, name: `Wanted ${id}`, ...title, created_at: at })),
      )
      await insertMany(
        db,
        'diary_entries',
        part.map((media_id) => ({ media_id, ...entry })),
      )
      const services = (id: number) => JSON.stringify({ stream: [id === ids[0] ? 8 : 9], rent: [8] })
      await insertMany(
        db,
        'offers',
        part.map((media_id) => ({ media_id, country: 'DE', link: null, services: services(media_id) })),
      )
    }
    await setLastId(db, 'media', ids.at(-1)!)
  })
  const { diary } = as(ada, { services: { sources } })
  const { entries, nextCursor } = await diary.list({ status: 'want', onMyServices: true })
  expect([entries.map(({ title }) => title.id), nextCursor]).toEqual([[ids[0]], null])
})

test('a job asks for the titles of want lists once a day, within its budget, and ends if the source is down', async () => {
  const ada = await aMember(db)
  const titles = []
  for (let at = 0; at < 60; at++) {
    const title = await aScreenTitle([inCountry('DE', [['stream', 8]])])
    await as(ada).diary.create({ movieId: title.id, status: at === 0 ? 'finished' : 'want' })
    titles.push(title)
  }
  const unwanted = titles.shift()!
  const at = hours(24 * 100)
  const run = openOfferRefresh(db, { offers: source })
  const total = async () => {
    let sum = 0
    for (let runs = 0; runs < 5; runs++) {
      const { titles: done } = await run(at, signal)
      expect(done).toBeLessThanOrEqual(50)
      sum += done
    }
    return sum
  }
  expect(await total()).toBeGreaterThanOrEqual(59)
  for (const { key } of titles) expect(asked.filter((one) => one === `${key} import`)).toHaveLength(1)
  expect(timesAsked(unwanted.key)).toBe(0)
  expect(await total()).toBe(0)
  for (const { key } of titles) answers.set(key, down)
  const before = asked.length
  await openOfferRefresh(db, { offers: source })(hours(24 * 102), signal)
  expect(asked.length - before).toBeLessThan(59)
  expect(await openOfferRefresh(db, {})(hours(24 * 103), signal)).toEqual({ titles: 0 })
})

test('a job that gets the same answers writes once, so that what is cached for visitors stays', async () => {
  const ada = await aMember(db)
  const titles: { id: number; key: string }[] = []
  for (let at = 0; at < 8; at++) {
    const title = await aScreenTitle(at === 0 ? [] : [inCountry('DE', [['stream', 8, 9]])])
    await as(ada).diary.create({ movieId: title.id, status: 'want' })
    titles.push(title)
  }
  const versions: number[] = []
  const watched: OfferSource = {
    ...source,
    async findOffers(ids, priority) {
      versions.push(versionOf(db).current())
      return source.findOffers(ids, priority)
    },
  }
  const run = async (at: Date) => {
    const job = openOfferRefresh(db, { offers: watched })
    versions.length = 0
    // Titles of other tests are wanted too.
    for (let runs = 0; runs < 5; runs++) await job(at, signal)
    const checks = db
      .selectFrom('offer_checks')
      .selectAll()
      .where(
        'media_id',
        'in',
        titles.map(({ id }) => id),
      )
    expect(new Set((await checks.execute()).map(({ checked_at }) => checked_at))).toEqual(
      new Set([at.toISOString()]),
    )
    return new Set(versions).size
  }
  for (const key of answers.keys()) if (answers.get(key) instanceof TRPCError) answers.delete(key)
  const first = await run(hours(24 * 150))
  expect(first).toBeGreaterThanOrEqual(titles.length)
  // One for each run.
  expect(await run(hours(24 * 151.5))).toBeLessThanOrEqual(3)
  // What has changed is written, and only that.
  answers.set(titles[1]!.key, [inCountry('DE', [['stream', 9]])])
  answers.set(titles[2]!.key, [])
  expect(await run(hours(24 * 153))).toBeLessThanOrEqual(5)
  const read = async (at: number) =>
    shown(await call(null, hours(24 * 153)).ofMovie({ id: titles[at]!.id, country: 'DE' }))
  expect([await read(1), await read(2), await read(3)]).toEqual([['stream 9'], [], ['stream 8', 'stream 9']])
})

test('offers that nobody looks at are removed after a month, and all of them without a key', async () => {
  const { id } = await aScreenTitle([inCountry('DE', [['stream', 8]])])
  const at = hours(24 * 200)
  const rows = async () =>
    (await db.selectFrom('offers').selectAll().where('media_id', '=', id).execute()).length
  await call(null, at).ofMovie({ id, country: 'DE' })
  await removeOldOffers(db, { offers: source }, hours(24 * 229), signal)
  expect(await rows()).toBe(1)
  await removeOldOffers(db, { offers: source }, hours(24 * 231), signal)
  expect(await rows()).toBe(0)
  await call(null, at).ofMovie({ id, country: 'DE' })
  await removeOldOffers(db, {}, hours(24 * 200 + 1), signal)
  expect(await rows()).toBe(0)
  expect(await db.selectFrom('country_services').selectAll().execute()).toEqual([])
})
