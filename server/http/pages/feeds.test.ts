import { afterAll, expect, test } from 'vitest'
import { buildApp } from '#server/app.ts'
import { aMember, aServer, aTitle } from '#server/testing.ts'
import { messages } from '#shared/texts/messages.ts'
import { noWeb } from './web.ts'

const server = await aServer({ RATE_LIMITS: 'off', PUBLIC_URL: 'https://medley.example' })
const { db, as } = server
const app = await buildApp(server.services, { web: noWeb })
afterAll(() => app.close())

const get = (url: string, headers = {}) => app.inject({ url, headers })
const embed = (url: string, more = {}) => get(`/oembed?${new URLSearchParams({ url, ...more }).toString()}`)

test('the feeds of a member and of a title have the reviews with a text, newest first', async () => {
  const [ann, ben] = [await aMember(db, 'ann'), await aMember(db, 'ben')]
  const bookId = await aTitle(db, 'book', 'Dune & <Friends>')
  const gameId = await aTitle(db, 'game', 'Portal')
  const at = (minute: number) => ({ now: new Date(Date.UTC(2026, 4, 1, 12, minute)) })
  const first = (
    await as(ann, at(1)).reviews.save({ bookId, rating: 4, text: 'Good “sand” & <b>worms</b>.' })
  ).review
  const second = (await as(ann, at(2)).reviews.save({ gameId, rating: 4.5, text: 'He ||dies||.' })).review
  const third = (
    await as(ben, at(3)).reviews.save({ bookId, rating: 1, text: 'They all die.', hasSpoilers: true })
  ).review
  await as(await aMember(db)).reviews.save({ bookId, rating: 2 })

  const ofMember = await get(`/users/${ann.id}/reviews.atom`)
  expect(ofMember.statusCode).toBe(200)
  expect(ofMember.headers).toMatchObject({
    'content-type': 'application/atom+xml; charset=utf-8',
    'access-control-allow-origin': '*',
  })
  expect(ofMember.body).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>https://medley.example/users/${ann.id}/reviews.atom</id>
<title>Reviews by ann</title>
<updated>2026-05-01T12:02:00.000Z</updated>
<link rel="self" type="application/atom+xml" href="https://medley.example/users/${ann.id}/reviews.atom"/>
<link rel="alternate" type="text/html" href="https://medley.example/user/${ann.id}"/>
<generator>Medley</generator>
<entry>
<id>https://medley.example/games/${gameId}?review=${second.id}</id>
<title>Portal ★ 4½</title>
<published>2026-05-01T12:02:00.000Z</published>
<updated>2026-05-01T12:02:00.000Z</updated>
<author><name>ann</name></author>
<link rel="alternate" type="text/html" href="https://medley.example/games/${gameId}?review=${second.id}"/>
<content type="text">He ….</content>
</entry>
<entry>
<id>https://medley.example/books/${bookId}?review=${first.id}</id>
<title>Dune &amp; &lt;Friends&gt; ★★★★☆</title>
<published>2026-05-01T12:01:00.000Z</published>
<updated>2026-05-01T12:01:00.000Z</updated>
<author><name>ann</name></author>
<link rel="alternate" type="text/html" href="https://medley.example/books/${bookId}?review=${first.id}"/>
<content type="text">Good “sand” &amp; &lt;b&gt;worms&lt;/b&gt;.</content>
</entry>
</feed>
`)
  const ofTitle = (await get(`/books/${bookId}/reviews.atom`)).body
  expect(ofTitle.match(/<id>.*<\/id>/g)).toEqual([
    `<id>https://medley.example/books/${bookId}/reviews.atom</id>`,
    `<id>https://medley.example/books/${bookId}?review=${third.id}</id>`,
    `<id>https://medley.example/books/${bookId}?review=${first.id}</id>`,
  ])
  expect(ofTitle).toContain(`<content type="text">${messages.reviewHasSpoilers}</content>`)
  expect(ofTitle).not.toContain('They all die')
})

test('a feed has an ETag, is the same for a member, and changes with a new review', async () => {
  const member = await aMember(db)
  const url = `/users/${member.id}/reviews.atom`
  const etag = (await get(url)).headers.etag as string
  expect((await get(url, { 'if-none-match': etag })).statusCode).toBe(304)
  await as(member).reviews.save({ movieId: await aTitle(db), rating: 4, text: 'New.' })
  const next = await get(url, { 'if-none-match': etag })
  expect([next.statusCode, next.body.includes('New.')]).toEqual([200, true])
})

test('characters that XML does not allow are left out', async () => {
  const movieId = await aTitle(db, 'movie', 'A\u0001B\uffff\ud800C')
  const { body } = await get(`/movies/${movieId}/reviews.atom`)
  expect(body).toContain('<title>Reviews of AB')
  // eslint-disable-next-line no-control-regex
  expect(body).not.toMatch(/[\u0000-\u0008\ufffe\uffff]/)
})

test('the feed of an unknown member or title, or of another kind, is a 404', async () => {
  const bookId = await aTitle(db, 'book')
  for (const url of [
    '/users/999999/reviews.atom',
    '/books/999999/reviews.atom',
    `/movies/${bookId}/reviews.atom`,
    '/movies/0/reviews.atom',
    '/movies/1e3/reviews.atom',
    '/movies/99999999999999999999/reviews.atom',
  ])
    expect((await get(url)).statusCode, url).toBe(404)
})

test('oEmbed describes a title as a link, and a review as escaped HTML without scripts', async () => {
  const member = await aMember(db)
  const movieId = await aTitle(db, 'movie', '<img src=x>')
  const url = `https://medley.example/movies/${movieId}`
  const { review } = await as(member).reviews.save({
    movieId,
    rating: 3,
    text: `<script>alert("1")</script>${'x'.repeat(600)}`,
  })
  expect((await embed(url)).json()).toEqual({
    version: '1.0',
    type: 'link',
    title: '<img src=x>',
    provider_name: 'Medley',
    provider_url: 'https://medley.example/',
    cache_age: 3600,
  })
  const response = await embed(`${url}?review=${review.id}`, { maxwidth: '300', format: 'json' })
  const body = response.json<{ html: string }>()
  expect(body).toMatchObject({
    type: 'rich',
    title: `${member.username} on <img src=x>`,
    author_name: member.username,
    width: 300,
    height: 240,
  })
  expect(body.html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;')
  expect(body.html).toContain(`href="${url}?review=${review.id}"`)
  expect(body.html).not.toMatch(/<(?!\/?(blockquote|p|footer|a)\b)/)
  expect(body.html.length).toBeLessThan(1_500)
})

test('oEmbed hides what the author marked as spoilers', async () => {
  const movieId = await aTitle(db)
  const quoteOf = async (written: { text: string; hasSpoilers?: boolean }) => {
    const { review } = await as(await aMember(db)).reviews.save({ movieId, rating: 3, ...written })
    const { html } = (await embed(`https://medley.example/movies/${movieId}?review=${review.id}`)).json()
    return /<\/p><p>(.*)<\/p>/.exec(html)?.[1]
  }
  expect(await quoteOf({ text: 'He ||dies||.' })).toBe('He ….')
  expect(await quoteOf({ text: 'They all die.', hasSpoilers: true })).toBe(messages.reviewHasSpoilers)
})

test('oEmbed refuses what it cannot describe', async () => {
  const [movieId, otherId] = [await aTitle(db), await aTitle(db)]
  const { review } = await as(await aMember(db)).reviews.save({ movieId, rating: 3 })
  const base = 'https://medley.example/movies'
  for (const [url, status] of [
    [`https://elsewhere.example/movies/${movieId}`, 404],
    [`${base}/999999`, 404],
    [`https://medley.example/books/${movieId}`, 404],
    ['https://medley.example/', 404],
    [`${base}/${otherId}?review=${review.id}`, 404],
    [`${base}/${movieId}?review=x`, 404],
    ['nonsense', 400],
    [`${base}/${'1'.repeat(3_000)}`, 400],
  ] as const)
    expect((await embed(url)).statusCode, url).toBe(status)
  expect((await get('/oembed')).statusCode).toBe(400)
  expect((await get('/oembed?url=a&url=b')).statusCode).toBe(400)
  expect((await embed(`${base}/${movieId}`, { format: 'xml' })).statusCode).toBe(501)
})

test('the feed of a list has the titles that were added last; lists that are not public have none', async () => {
  const owner = await aMember(db, 'cleo')
  const call = (minute: number) => as(owner, { now: new Date(Date.UTC(2026, 4, 1, 12, minute)) }).lists
  const { list } = await call(0).create({ title: 'Rain & <snow>', visibility: 'public' })
  const [first, second] = [await aTitle(db, 'book', 'Ice'), await aTitle(db, 'game', 'Frost & Co')]
  await call(1).addItem({ id: list.id, itemId: first })
  await call(2).addItem({ id: list.id, itemId: second, note: 'So <cold>.', position: 1 })
  const { body } = await get(`/lists/${list.id}.atom`)
  const page = `https://medley.example/list/${list.id}`
  expect(body).toContain('<title>Rain &amp; &lt;snow&gt; by cleo</title>\n<updated>2026-05-01T12:02:00.000Z')
  expect(body).toContain(`<link rel="alternate" type="text/html" href="${page}"/>`)
  expect([...body.matchAll(/<id>(.*?)<\/id>/g)].map(([, id]) => id)).toEqual([
    `https://medley.example/lists/${list.id}.atom`,
    `${page}#${second}`,
    `${page}#${first}`,
  ])
  expect(body).toContain('<content type="text">So &lt;cold&gt;.</content>')
  expect((await embed(page)).json()).toMatchObject({
    type: 'link',
    title: 'Rain & <snow>',
    author_name: 'cleo',
  })
  await call(3).edit({ id: list.id, visibility: 'followers' })
  expect((await get(`/lists/${list.id}.atom`)).statusCode).toBe(404)
  expect((await embed(page)).statusCode).toBe(404)
})
