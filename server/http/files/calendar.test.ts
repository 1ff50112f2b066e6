import { pino } from 'pino'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { findMessages } from '#scripts/dev/messages/all.ts'
import { translationsOf } from '#scripts/dev/messages/write.ts'
import { saveSeasons } from '#scripts/testing/episodes.ts'
import { withoutWatch } from '#scripts/testing/event-loop.ts'
import { hostileTexts } from '#scripts/testing/hostile-texts.ts'
import { buildApp } from '#server/app.ts'
import type { Member } from '#server/calls/context.ts'
import { openMetrics } from '#server/http/metrics.ts'
import { noWeb } from '#server/http/pages/web.ts'
import { aServer, aSignedInMember, aTitle } from '#server/testing.ts'
import { translatorOf, translatorsOf } from '#server/text/translator.ts'
import { saveNames } from '#server/titles/names.ts'
import { plusDays } from '#shared/domain/days.ts'
import { calendarMax } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'

const server = await aServer({ PUBLIC_URL: 'https://medley.example', LOG_CLIENTS: 'on' })
const { db, as } = server
const lines: string[] = []
const logger = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) })
const metrics = openMetrics(server.services)
const app = await buildApp(server.services, { web: noWeb, logger, metrics })
afterAll(() => app.close())
afterEach(() => void vi.useRealTimers())

const linkOf = async (member: Member) =>
  new URL((await as(member).progress.createCalendarLink()).url).pathname
const get = (url: string, headers = {}) => app.inject({ url, headers })
const shift = (days: number) => plusDays(new Date().toISOString().slice(0, 10), days)

async function wants(member: Member, name: string, release_date: string, kind: 'movie' | 'book' = 'movie') {
  const itemId = await aTitle(db, kind, name)
  await db.updateTable('media').set({ release_date }).where('id', '=', itemId).execute()
  await as(member).diary.create({ itemId, status: 'want' })
  return itemId
}

type Component = {
  name: string
  properties: Record<string, { parameters: string; value: string }>
  inside: Component[]
}

/** RFC 5545, as strictly as a calendar app may be. */
function parse(file: string): Component {
  expect(file.endsWith('\r\n')).toBe(true)
  const folded = file.slice(0, -2).split('\r\n')
  for (const line of folded) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    expect(line).toMatch(/^[^\p{Cc}\u2028\u2029]+$/u)
  }
  const open: Component[] = [{ name: '', properties: {}, inside: [] }]
  for (const line of file.slice(0, -2).replaceAll('\r\n ', '').split('\r\n')) {
    const [, name, parameters, value] = /^([A-Z-]+)((?:;[A-Z-]+=[^;:]+)*):(.*)$/.exec(line) ?? []
    expect(name, line).toBeDefined()
    if (name === 'BEGIN') open.push({ name: value!, properties: {}, inside: [] })
    else if (name === 'END') {
      const closed = open.pop()!
      expect(value).toBe(closed.name)
      open.at(-1)!.inside.push(closed)
    } else {
      expect(open.at(-1)!.properties).not.toHaveProperty(name!)
      open.at(-1)!.properties[name!] = { parameters: parameters!, value: value! }
    }
  }
  expect(open).toHaveLength(1)
  expect(open[0]!.inside.map((one) => one.name)).toEqual(['VCALENDAR'])
  return open[0]!.inside[0]!
}
const textOf = (value: string) =>
  value.replaceAll(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped))
const eventsOf = (file: string) =>
  parse(file).inside.map(({ name, properties }) => {
    expect(name).toBe('VEVENT')
    const { UID, DTSTART, DTEND, SUMMARY, URL: url } = properties
    return {
      uid: UID!.value,
      start: `${DTSTART!.parameters}:${DTSTART!.value}`,
      end: DTEND?.value,
      text: textOf(SUMMARY!.value),
      url: url!.value,
    }
  })

test('the file has what the calendar lists, episodes and releases, by day or by exact time', async () => {
  const ada = await aSignedInMember(db)
  const show = await aTitle(db, 'tvShow', 'The Long Way')
  const [first, second, third, fourth] = await saveSeasons(db, show, {
    1: [shift(-40), shift(-30), shift(7), shift(180), shift(181)],
  })
  await as(ada).progress.mark({ id: show, episodeIds: [first!] })
  await db
    .updateTable('parts')
    .set({ airs_at: `${shift(8)}T01:30:00.000Z`, name: '' })
    .where('id', '=', third!)
    .execute()
  const movie = await wants(ada, 'Dune', shift(9))
  const book = await wants(ada, 'Piranesi', shift(10), 'book')
  const link = await linkOf(ada)
  expect(link).toMatch(/^\/calendar\/[\w-]{43}\.ics$/)
  const response = await get(link)
  expect(response.statusCode).toBe(200)
  expect(response.headers).toMatchObject({
    'content-type': 'text/calendar; charset=utf-8',
    'cache-control': 'private, no-cache',
    'x-robots-tag': 'noindex',
    'referrer-policy': 'no-referrer',
  })
  const { properties } = parse(response.body)
  expect(properties).toMatchObject({
    VERSION: { value: '2.0' },
    PRODID: { value: '-//Medley//Calendar//EN' },
    'REFRESH-INTERVAL': { parameters: ';VALUE=DURATION', value: 'PT6H' },
  })
  const day = (date: string) => `;VALUE=DATE:${date.replaceAll('-', '')}`
  const compact = (date: string) => date.replaceAll('-', '')
  const of = (id: number) => ({
    uid: `episode-${id}@medley.example`,
    url: `https://medley.example/episodes/${id}`,
  })
  const release = (path: string, id: number) => ({
    uid: `title-${id}@medley.example`,
    url: `https://medley.example/${path}/${id}`,
  })
  const all = [
    { ...of(second!), start: day(shift(-30)), end: undefined, text: 'The Long Way S1 E2 Part 2' },
    {
      ...of(third!),
      start: `:${compact(shift(8))}T013000Z`,
      end: `${compact(shift(8))}T021200Z`,
      text: 'The Long Way S1 E3',
    },
    { ...release('movies', movie), start: day(shift(9)), end: undefined, text: 'Dune' },
    { ...release('books', book), start: day(shift(10)), end: undefined, text: 'Piranesi' },
    { ...of(fourth!), start: day(shift(180)), end: undefined, text: 'The Long Way S1 E4 Part 4' },
  ]
  expect(eventsOf(response.body)).toEqual(all)
  expect(eventsOf((await get(`${link}?kind=movie`)).body)).toEqual([all[2]])
  expect(eventsOf((await get(`${link}?status=started`)).body)).toEqual([all[0], all[1], all[4]])
  expect((await get(`${link}?kind=opera`)).statusCode).toBe(400)
  expect(parse((await get(await linkOf(await aSignedInMember(db)))).body).inside).toEqual([])
})

test('an app that has the file gets a 304 until something changes', async () => {
  const ada = await aSignedInMember(db)
  const link = await linkOf(ada)
  const { etag } = (await get(link)).headers as { etag: string }
  const again = await get(link, { 'if-none-match': etag })
  expect([again.statusCode, again.body]).toEqual([304, ''])
  await wants(ada, 'Dune', shift(3))
  expect((await get(link, { 'if-none-match': etag })).statusCode).toBe(200)
  expect((await app.inject({ method: 'HEAD', url: link })).body).toBe('')
  for (const method of ['POST', 'PUT', 'DELETE'] as const)
    expect((await app.inject({ method, url: link })).statusCode).toBe(405)
})

test('days are days everywhere, on leap days too, and exact times are the same when clocks change', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2028-02-20T23:30:00.000Z') })
  const ada = await aSignedInMember(db)
  const show = await aTitle(db, 'tvShow', 'Clock')
  const episodes = await saveSeasons(db, show, {
    1: ['2028-02-01', '2028-02-29', '2028-03-12', '2028-03-26', '2028-03-27'],
  })
  await as(ada).progress.mark({ id: show, episodeIds: [episodes[0]!] })
  const airs = async (at: number, airs_at: string) =>
    db.updateTable('parts').set({ airs_at }).where('id', '=', episodes[at]!).execute()
  // Half an hour before and after the clocks of New York, then of Berlin, are put forward.
  await airs(2, '2028-03-12T06:30:00.000Z')
  await airs(3, '2028-03-26T01:30:00.000Z')
  const link = await linkOf(ada)
  for (const timeZone of ['UTC', 'America/New_York', 'Europe/Berlin', 'Pacific/Kiritimati']) {
    await db.deleteFrom('inboxes').where('user_id', '=', ada.id).execute()
    await db
      .insertInto('inboxes')
      .values({ user_id: ada.id, settings: JSON.stringify({ timeZone }), last_at: '', read_to: '' })
      .execute()
    expect(eventsOf((await get(link)).body).map(({ start, end }) => [start, end])).toEqual([
      [';VALUE=DATE:20280201', undefined],
      [';VALUE=DATE:20280229', undefined],
      [':20280312T063000Z', '20280312T071200Z'],
      [':20280326T013000Z', '20280326T021200Z'],
      [';VALUE=DATE:20280327', undefined],
    ])
  }
})

test('hostile names give a valid file with one line each', async () => {
  const ada = await aSignedInMember(db)
  const names = [
    'Two\r\nlines\nBEGIN:VEVENT',
    String.raw`Commas, semicolons; and \ backslashes\n`,
    'x'.repeat(500),
    'لعبة العروش',
    'מלך: "A"',
    '\u202eevil\u202c',
    '👩‍👩‍👧‍👦🏳️‍🌈'.repeat(40),
    '日本語のとても長い名前、'.repeat(30),
    ...Object.values(hostileTexts).map((text) => text.slice(0, 500)),
  ]
  for (const [at, name] of names.entries()) await wants(ada, name, shift(1 + at))
  const events = eventsOf((await get(await linkOf(ada))).body)
  expect(events).toHaveLength(names.length)
  const texts = events.map(({ text }) => text)
  expect(texts.slice(0, 5)).toEqual([
    'Two lines BEGIN:VEVENT',
    names[1],
    `${'x'.repeat(119)}…`,
    '\u2068لعبة العروش\u2069',
    '\u2068מלך: "A"\u2069',
  ])
  for (const text of texts) expect(text.length).toBeLessThanOrEqual(122)
})

test('the file has at most as many entries as the calendar, whose names are long', async () => {
  const ada = await aSignedInMember(db)
  const show = await aTitle(db, 'tvShow', '日本語のとても長い名前、'.repeat(30))
  const days = Array.from({ length: calendarMax + 50 }, (_, at) => shift(at % 180))
  const [first] = await saveSeasons(db, show, { 1: days })
  await db
    .updateTable('parts')
    .set({ name: '毎日の長いエピソード名、'.repeat(15) })
    .where('media_id', '=', show)
    .execute()
  await as(ada).progress.mark({ id: show, episodeIds: [first!] })
  const link = await linkOf(ada)
  const { body } = await get(link)
  expect(await withoutWatch(() => eventsOf(body))).toHaveLength(calendarMax)
})

test('the file is in the language of the member, who may ask from anywhere', async () => {
  const found = await findMessages(process.cwd(), ['server/text/part-name.ts'])
  const texts: Record<string, string> = { 'S{season} E{number}': 'St. {season} F. {number}' }
  const german = translationsOf(found.messages, { textOf: ({ source }) => texts[source] })
  const translators = translatorsOf([translatorOf('de', german)])
  const site = await buildApp(
    { ...server.services, translators },
    { web: { ...noWeb, languages: ['en', 'de'] } },
  )
  const ada = await aSignedInMember(db)
  const movie = await wants(ada, 'The Thing', shift(2))
  await saveNames(db, movie, 'tmdb', [{ kind: 'local', language: 'de', name: 'Das Ding' }])
  const show = await aTitle(db, 'tvShow', 'Dark')
  await saveSeasons(db, show, { 1: [shift(3)] })
  await as(ada).diary.create({ tvShowId: show, status: 'want' })
  const link = await linkOf(ada)
  const read = async () => {
    const { body } = await site.inject({ url: link, headers: { 'accept-language': 'en' } })
    return [parse(body).properties['PRODID']!.value, ...eventsOf(body).map(({ text }) => text)]
  }
  expect(await read()).toEqual(['-//Medley//Calendar//EN', 'The Thing', 'Dark S1 E1 Part 1'])
  await db.updateTable('users').set({ language: 'de' }).where('id', '=', ada.id).execute()
  expect(await read()).toEqual(['-//Medley//Calendar//DE', 'Das Ding', 'Dark St. 1 F. 1 Part 1'])
  await site.close()
})

test('a link works until there is a new one, it is ended, or the account may no longer read; each time it is not found', async () => {
  const ada = await aSignedInMember(db)
  const me = as(ada)
  expect(await me.progress.calendarLink()).toEqual({ createdAt: null })
  const old = await linkOf(ada)
  const link = await linkOf(ada)
  expect((await me.progress.calendarLink()).createdAt).toMatch(/^20/)
  const notFound = async (url: string) => {
    const { statusCode, headers, body } = await get(url)
    const { message, code } = JSON.parse(body) as { message: string; code: string }
    expect([url, statusCode, message, code]).toEqual([url, 404, messages.notFound, 'NOT_FOUND'])
    return [headers['cache-control'], body]
  }
  const shapes = [
    await notFound(old),
    await notFound(`/calendar/${'a'.repeat(43)}.ics`),
    await notFound(link.replace('.ics', '')),
    await notFound(`${link}x`),
  ]
  expect(new Set(shapes.map((shape) => JSON.stringify(shape))).size).toBe(1)
  const set = (values: object) => db.updateTable('users').set(values).where('id', '=', ada.id).execute()
  await set({ standing: 'suspended' })
  await notFound(link)
  await set({ standing: 'frozen' })
  expect((await get(link)).statusCode).toBe(200)
  await set({ standing: 'active' })
  expect((await get(link)).statusCode).toBe(200)
  await set({ closed_at: '2026-01-01T00:00:00.000Z' })
  await notFound(link)
  await set({ closed_at: null })
  expect(await me.progress.removeCalendarLink()).toEqual({ message: messages.calendarLinkEnded })
  await notFound(link)
  expect(await me.progress.calendarLink()).toEqual({ createdAt: null })

  const moderator = await aSignedInMember(db)
  await db.updateTable('users').set({ role: 'moderator' }).where('id', '=', moderator.id).execute()
  const last = await linkOf(ada)
  await as({ ...moderator, role: 'moderator' }).admin.logOut({ id: ada.id, reason: 'Lost.' })
  await notFound(last)
})

test('only a hash of the secret is stored, and neither logs nor metrics have the secret', async () => {
  const ada = await aSignedInMember(db)
  const link = await linkOf(ada)
  const secret = /[\w-]{43}/.exec(link)![0]
  lines.length = 0
  for (const url of [
    link,
    `${link}?kind=movie`,
    `/calendar/${secret}`,
    `/calendar/x/${secret}`,
    `/Calendar/${secret}.ics`,
  ])
    await get(url)
  await app.inject({ method: 'POST', url: link })
  await get('/calendar')
  expect(lines.filter((line) => line.includes('"request"')).length).toBe(7)
  expect(lines.join('')).not.toContain(secret.slice(0, 10))
  expect(lines[0]).toContain('/calendar/…')
  expect(await metrics.text()).not.toContain(secret.slice(0, 10))
  const rows = await db.selectFrom('credentials').selectAll().where('user_id', '=', ada.id).execute()
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain(secret)
})

test('a link is limited by itself, whoever asks', async () => {
  const ada = await aSignedInMember(db)
  const [link, other] = [await linkOf(ada), await linkOf(await aSignedInMember(db))]
  const statuses = []
  for (let at = 0; at < 62; at++)
    statuses.push((await app.inject({ url: link, remoteAddress: `203.0.113.${at}` })).statusCode)
  expect(statuses.indexOf(429)).toBe(60)
  expect((await get(other)).statusCode).toBe(200)
})

test('a site that keeps visitors out still sends the file', async () => {
  const ada = await aSignedInMember(db)
  const link = await linkOf(ada)
  await db.updateTable('users').set({ role: 'admin' }).where('id', '=', ada.id).execute()
  await as({ ...ada, role: 'admin' }).site.change({ visitorsMayRead: false })
  expect((await get('/items')).statusCode).toBe(401)
  expect((await get(link)).statusCode).toBe(200)
})
