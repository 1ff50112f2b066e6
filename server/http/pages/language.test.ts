import { afterAll, expect, test } from 'vitest'
import { findMessages } from '#scripts/dev/messages/all.ts'
import { pseudoCatalogue } from '#scripts/dev/messages/catalogue.ts'
import { translationsOf } from '#scripts/dev/messages/write.ts'
import { buildApp } from '#server/app.ts'
import { aServer, aSignedInMember, aTitle } from '#server/testing.ts'
import { translatorOf, translatorsOf } from '#server/text/translator.ts'
import { toLine } from '#server/imports/view.ts'
import { noteOf } from '#shared/texts/import-notes.ts'
import { messages } from '#shared/texts/messages.ts'
import { noWeb } from './web.ts'

const codes = ['en', 'en-XA', 'de', 'fr']
const found = await findMessages(process.cwd(), ['shared/{texts,domain}/*.ts', 'server/http/pages/*.ts'])
const inWords = (code: string) => ({ textOf: ({ source }: { source: string }) => `${code}: ${source}` })
const translators = translatorsOf([
  translatorOf('en', translationsOf(found.messages)),
  translatorOf('en-XA', translationsOf(found.messages, pseudoCatalogue)),
  ...['de', 'fr'].map((code) => translatorOf(code, translationsOf(found.messages, inWords(code)))),
])
const { services, db } = await aServer({ RATE_LIMITS: 'off' })
const app = await buildApp({ ...services, translators }, { web: { ...noWeb, languages: codes } })
afterAll(() => app.close())

const pseudoText = /^⟦[^a-zA-Z]*[ȧẽĭȯŭṅṡṫ].*∼⟧$/
const textIn = (code: string, text: string) => (code === 'en' ? text : `${code}: ${text}`)
const read = (path: string, input: object, headers: Record<string, string> = {}) =>
  app.inject({ url: `/trpc/${path}?input=${encodeURIComponent(JSON.stringify(input))}`, headers })
const write = (path: string, payload: object, headers: Record<string, string> = {}) =>
  app.inject({ method: 'POST', url: `/trpc/${path}`, headers, payload })
const errorOf = (response: { json: () => unknown }) =>
  (response.json() as { error: { message: string; data: Record<string, never> } }).error

test('a refusal to the web app is in the language of its reader, with what its message was made of', async () => {
  const member = await aSignedInMember(db)
  const authorization = `Bearer ${member.token}`
  const ways: [string, Record<string, string>][] = [
    ['en', {}],
    ['de', { 'accept-language': 'de-AT, en;q=0.5' }],
    ['fr', { 'accept-language': 'de', cookie: 'language=fr' }],
    ['en', { 'accept-language': 'xx', cookie: 'language=../de' }],
    ['de', { 'accept-language': 'de', authorization }],
  ]
  for (const [code, headers] of ways) {
    const response = await read('items.byId', { id: 999_999 }, headers)
    expect(errorOf(response).message).toBe(textIn(code, messages.itemNotFound))
    expect(errorOf(response).data).toMatchObject({
      code: 'NOT_FOUND',
      key: messages.itemNotFound,
      values: {},
    })
    expect(response.headers['vary']).toMatch(/Accept-Language, Cookie$/)
  }
  await db.updateTable('users').set({ language: 'fr' }).where('id', '=', member.id).execute()
  const chosen = { 'accept-language': 'de', authorization }
  const response = await read('items.byId', { id: 999_999 }, chosen)
  expect(errorOf(response).message).toBe(textIn('fr', messages.itemNotFound))
})

test('an error of REST stays in English', async () => {
  const headers = { 'accept-language': 'de', cookie: 'language=de', accept: 'application/json' }
  const { body, headers: sent } = await app.inject({ url: '/movies/999999', headers })
  expect(body).not.toContain('de: ')
  expect(JSON.parse(body)).not.toHaveProperty('key')
  expect(sent).not.toHaveProperty('content-language')
  const invalid = await app.inject({ url: '/movies/search?q=', headers })
  expect(invalid.json()).toMatchObject({ message: messages.queryRequired })
})

test('an error of a REST call of the web app is in the language of its page, whatever the browser asks for', async () => {
  const member = await aSignedInMember(db)
  await db.updateTable('users').set({ language: 'fr' }).where('id', '=', member.id).execute()
  const authorization = `Bearer ${member.token}`
  const form = { 'content-type': 'multipart/form-data; boundary=b' }
  const file = (name: string) =>
    `--b\r\ncontent-disposition: form-data; name="${name}"; filename="a"\r\n\r\nnothing\r\n--b--\r\n`
  const calls = [
    { method: 'POST', url: '/upload', headers: form, payload: file('image') },
    { method: 'POST', url: '/upload', headers: { 'content-type': 'text/plain' }, payload: 'a' },
    { method: 'POST', url: '/imports', headers: form, payload: file('file') },
    { method: 'POST', url: '/imports', headers: form, payload: '--b--' },
    { method: 'GET', url: '/imports/999999/report' },
    { method: 'GET', url: '/admin/audit.csv' },
    { method: 'GET', url: '/export?format=nothing' },
    { method: 'DELETE', url: '/comments/999999' },
    { method: 'DELETE', url: '/lists/999999' },
    { method: 'POST', url: '/reviews', headers: { 'content-type': 'application/json' }, payload: '{' },
    { method: 'GET', url: '/nowhere' },
  ] as const
  for (const { method, url, ...call } of calls) {
    const send = (headers: Record<string, string>) =>
      app.inject({
        method,
        url,
        ...call,
        headers: {
          authorization,
          accept: 'application/json',
          ...('headers' in call && call.headers),
          ...headers,
        },
      })
    const english = await send({ 'accept-language': 'de', cookie: 'language=de' })
    const { message, ...rest } = english.json() as { message: string }
    expect([url, english.statusCode >= 400, message]).toEqual([
      url,
      true,
      expect.not.stringMatching(/^(de|fr): /),
    ])
    expect(rest).not.toHaveProperty('key')
    for (const [code, named] of [
      ['de', 'de'],
      ['en', 'en'],
      ['fr', url === '/nowhere' ? 'fr' : 'xx'],
    ] as const) {
      const response = await send({ 'accept-language': 'en', 'medley-language': named })
      expect([url, response.statusCode]).toEqual([url, english.statusCode])
      const shown = url.includes('format=') ? expect.any(String) : textIn(code, message)
      expect(response.json()).toMatchObject({ message: shown, key: message })
    }
  }
})

test('a call is in the language of its page before the setting of the member and the wishes of the browser', async () => {
  const { token, id } = await aSignedInMember(db)
  await db.updateTable('users').set({ language: 'de' }).where('id', '=', id).execute()
  const headers = { authorization: `Bearer ${token}`, 'accept-language': 'en' }
  const input = encodeURIComponent('{"id":999999}')
  for (const [query, code] of [
    ['', 'de'],
    ['lang=fr&', 'fr'],
    ['lang=en&', 'en'],
  ] as const) {
    const response = await app.inject({ url: `/trpc/items.byId?${query}input=${input}`, headers })
    expect(errorOf(response).message).toBe(textIn(code, messages.itemNotFound))
  }
  const visitor = { 'accept-language': 'de' }
  const response = await app.inject({ url: `/trpc/items.byId?lang=en&input=${input}`, headers: visitor })
  expect(errorOf(response).message).toBe(messages.itemNotFound)
})

test('values of a message are told apart, and a message of a schema is in the language of the reader', async () => {
  const headers = { 'accept-language': 'en-XA' }
  const response = await write(
    'accounts.register',
    { username: 'a b', email: 'nobody', password: 'x' },
    headers,
  )
  const { message, data } = errorOf(response)
  const issues = data['issues'] as unknown as { path: string[]; message: string }[]
  expect(issues.length).toBeGreaterThan(1)
  for (const issue of issues) expect(issue.message).toMatch(pseudoText)
  expect(message).toBe(issues[0]!.message)

  const described = translators.of('en').describe(messages.scopeMissing('lists'))
  expect(described).toMatchObject({ key: messages.scopeMissing('{scope}'), values: { scope: 'lists' } })
})

test('messages of zod are in the languages that zod has, and name the type that was sent', async () => {
  const sent: [object, string][] = [
    [{ id: '7' }, 'id: Ungültige Eingabe: erwartet Zahl, erhalten string'],
    [{ id: null }, 'id: Ungültige Eingabe: erwartet Zahl, erhalten null'],
    [{ id: [] }, 'id: Ungültige Eingabe: erwartet Zahl, erhalten Array'],
    [{}, 'id: Ungültige Eingabe: erwartet Zahl, erhalten undefined'],
    [{ id: -1 }, 'id: Zu klein: erwartet, dass number >0 ist'],
  ]
  for (const [input, message] of sent) {
    const german = errorOf(await read('items.byId', input, { 'accept-language': 'de' }))
    expect(german.message).toBe(message)
    const english = errorOf(await read('items.byId', input)).message
    expect(german.data['key']).toBe(english)
    expect(english).toMatch(/^id: (Invalid input: expected number, received|Too small: expected)/)
  }
})

test('what a call has done is said in the language of the reader', async () => {
  const { token, id } = await aSignedInMember(db)
  const headers = { authorization: `Bearer ${token}`, 'accept-language': 'de' }
  await aTitle(db, 'movie', 'Solaris')
  const response = await write('accounts.forgotPassword', { email: 'nobody@example.org' }, headers)
  const { data } = (response.json() as { result: { data: { message: string } } }).result
  expect(data.message).toBe(textIn('de', messages.resetSent))
  expect(id).toBeGreaterThan(0)
})

test('a note of an import is in the language of the reader, and a note of an earlier version as it was', () => {
  const noteIn = (code: string | undefined, note: string) =>
    toLine({ id: 1, file: '', line: 1, note } as never, code === undefined ? code : translators.of(code)).note
  const note = noteOf('missingColumn', 'Year')
  expect(noteIn(undefined, note)).toBe('The file has no column “Year”.')
  expect(noteIn('de', note)).toBe('de: The file has no column “Year”.')
  expect(noteIn('de', 'By name and year, once')).toBe('By name and year, once')
})

test('the language of the emails of a member without a setting is what the browser chose at the last login', async () => {
  const account = { email: 'reader@example.org', password: 'a-long-password' }
  const stored = async () => {
    const columns = ['language', 'login_language'] as const
    const rows = db.selectFrom('users').select(columns).where('email', '=', account.email)
    return await rows.executeTakeFirstOrThrow()
  }
  const german = { 'accept-language': 'de-AT, en;q=0.5' }
  const registered = await write('accounts.register', { username: 'reader', ...account }, german)
  expect(registered.statusCode).toBe(200)
  expect(await stored()).toEqual({ language: null, login_language: 'de' })
  await db
    .updateTable('users')
    .set({ verified_at: '2026-01-01T00:00:00.000Z' })
    .where('email', '=', account.email)
    .execute()
  const logins: [string, Record<string, string>][] = [
    ['fr', { ...german, cookie: 'language=fr' }],
    // Neither names a language that the site has, so the last one stays.
    ['fr', { 'accept-language': 'xx' }],
    ['fr', {}],
    ['de', german],
    ['en', { 'accept-language': 'en' }],
  ]
  for (const [code, headers] of logins) {
    const response = await write('accounts.login', account, headers)
    expect([response.statusCode, await stored()]).toEqual([200, { language: null, login_language: code }])
  }
  const rest = await app.inject({ method: 'POST', url: '/auth/login', payload: account, headers: german })
  expect([rest.statusCode, await stored()]).toEqual([200, { language: null, login_language: 'de' }])
})

test('the preview of a review for other sites is in the language of its reader', async () => {
  const title = await aTitle(db, 'movie', 'Nostalghia')
  const member = await aSignedInMember(db, 'embedded')
  const review = { movieId: title, rating: 4, text: 'They all die.', hasSpoilers: true }
  const saved = await write('reviews.save', review, { authorization: `Bearer ${member.token}` })
  const { id } = (saved.json() as { result: { data: { review: { id: number } } } }).result.data.review
  const url = new URL(`/movies/${title}?review=${id}`, services.config.publicUrl)
  for (const [code, query, headers] of [
    ['en', '', {}],
    ['de', '', { 'accept-language': 'de' }],
    ['fr', '', { 'accept-language': 'de', cookie: 'language=fr' }],
    ['fr', '&lang=fr', { 'accept-language': 'de' }],
  ] as const) {
    const preview = `/oembed?url=${encodeURIComponent(url.href)}${query}`
    const { body, headers: sent } = await app.inject({ url: preview, headers })
    expect(sent['content-language']).toBe(code)
    const { title: name, html } = JSON.parse(body) as Record<string, string>
    expect(name).toBe(textIn(code, 'embedded on Nostalghia'))
    expect(html).toContain(`<p>${textIn(code, messages.reviewHasSpoilers)}</p>`)
  }
})

test('500 requests in four languages, interleaved over feeds, the manifest, previews and refused calls, each get their own', async () => {
  const title = await aTitle(db, 'movie', 'Stalker')
  const ways = [
    (code: string) => ({ headers: { 'accept-language': `${code}, en;q=0.1` } }),
    (code: string) => ({ headers: { 'accept-language': 'fr', cookie: `language=${code}` } }),
  ]
  const urls = [
    `/movies/${title}/reviews.atom`,
    '/manifest.webmanifest',
    `/trpc/items.byId?input=${encodeURIComponent('{"id":888888}')}`,
    `/trpc/items.byId,items.byId?batch=1&input=${encodeURIComponent('{"0":{"id":888888},"1":{"id":888889}}')}`,
    '/trpc/reviews.list?input=%7B%7D',
  ]
  const requests = Array.from({ length: 500 }, async (_, at) => {
    const code = codes[(at * 3) % codes.length]!
    const url = urls[at % urls.length]!
    const { headers } = ways[Math.floor(at / 20) % ways.length]!(code)
    return { code, url, response: await app.inject({ url, headers }) }
  })
  for (const { code, url, response } of await Promise.all(requests)) {
    const { body, headers } = response
    expect(headers['vary'], url).toMatch(/Accept-Language.*Cookie|Cookie.*Accept-Language/)
    if (url.includes('.atom')) {
      expect(body).toContain(`xml:lang="${code}"`)
      expect(headers['content-language']).toBe(code)
      const name = /<title>([^<]*)<\/title>/.exec(body)![1]!
      if (code === 'en-XA') expect(name).toContain('Ṙẽṽĭẽẇṡ')
      else expect(name).toBe(textIn(code, 'Reviews of Stalker'))
    } else if (url.includes('manifest')) {
      expect(JSON.parse(body)).toMatchObject({ lang: code, dir: 'ltr' })
    } else if (url.includes('items.byId')) {
      const answer = JSON.parse(body) as { error: { message: string } } | { error: { message: string } }[]
      for (const { error } of [answer].flat())
        if (code === 'en-XA') expect(error.message).toMatch(pseudoText)
        else expect(error.message).toBe(textIn(code, messages.itemNotFound))
    }
  }
})
