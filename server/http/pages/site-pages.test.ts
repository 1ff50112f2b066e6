import { afterAll, expect, onTestFinished, test } from 'vitest'
import { findMessages } from '#scripts/dev/messages/all.ts'
import { translationsOf } from '#scripts/dev/messages/write.ts'
import { buildApp } from '#server/app.ts'
import { forgetSettings } from '#server/members/settings.ts'
import { aServer } from '#server/testing.ts'
import { translatorOf, translatorsOf } from '#server/text/translator.ts'
import type { Settings } from '#shared/contracts/site.ts'
import { defaultSettings, defaultSite, publicSite } from '#shared/domain/site-defaults.ts'
import { withSite } from './site-look.ts'
import { noWeb } from './web.ts'

const server = await aServer({ RATE_LIMITS: 'off' })
const { db } = server
const app = await buildApp(server.services, { web: noWeb })
afterAll(() => app.close())
let version = 0

async function set(settings: Partial<Settings>) {
  version++
  for (const [key, value] of Object.entries(settings)) {
    const row = { value: JSON.stringify(value), version, updated_at: '2026-01-01T00:00:00.000Z' }
    await db
      .insertInto('settings')
      .values({ key, ...row })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
      .execute()
  }
  forgetSettings(db)
}
const page = async (about: string) => {
  await set({ pages: { ...defaultSettings.pages, about } })
  return (await app.inject('/about')).body
}

test.each([
  ['a script', '<script>alert(1)</script>'],
  ['an element with a handler', '<img src=x onerror=alert(1)>'],
  ['a javascript link', '[x](javascript:alert(1))'],
  ['a javascript link with entities', '[x](javas&#99;ript:alert(1))'],
  ['a data link', '[x](data:text/html,<script>alert(1)</script>)'],
  ['a link that closes its attribute', '[x](https://a.example/"onmouseover="alert(1))'],
  ['a picture of another host', '![x](https://tracker.example/x.png)'],
  ['an autolink', '<javascript:alert(1)>'],
  ['a frame', '<iframe src="https://a.example"></iframe>'],
  ['a code block', '```"><script>alert(1)</script>\n```'],
])('the Markdown of a page cannot contain %s', async (_, text) => {
  const html = await page(`${text}\n\nEnd.`)
  const main = /<main>([\s\S]*)<\/main>/.exec(html)![1]!
  expect(main).not.toMatch(/<(script|img|iframe)|<[^>]* on\w+=|href="(?!https?:|mailto:|\/)/i)
  expect(main).toContain('End.')
})

test('what surrounds the Markdown of a page is in the language of its reader, and each language has a cached page', async () => {
  await set({ contact: 'host@films.example', pages: { ...defaultSettings.pages, about: 'Hello.' } })
  const found = await findMessages(process.cwd(), [
    'shared/domain/site-pages.ts',
    'server/http/pages/site-pages.ts',
  ])
  const inLanguage = (code: string) =>
    translatorOf(code, translationsOf(found.messages, { textOf: ({ source }) => `${code}: ${source}` }))
  const translators = translatorsOf(['ar', 'de'].map(inLanguage))
  const other = await buildApp(
    { ...server.services, translators },
    { web: { ...noWeb, languages: ['en', 'de', 'ar'] } },
  )
  onTestFinished(() => other.close())
  for (const code of ['de', 'ar', 'en', 'de', 'en', 'ar']) {
    const { body, headers } = await other.inject({ url: '/about', headers: { 'accept-language': code } })
    const text = (english: string) => (code === 'en' ? english : `${code}: ${english}`)
    expect(body).toContain(`<html lang="${code}" dir="${code === 'ar' ? 'rtl' : 'ltr'}"`)
    expect(body).toContain(`<h1 class="text-h1">${text('About')}</h1><div dir="auto"><p>Hello.</p>`)
    expect(body).toContain(`<title>${text('About')} · `)
    expect(body).toContain(`host@films.example">${text('Contact')}</a>`)
    expect(headers['content-language']).toBe(code)
    expect(headers['vary']).toContain('Accept-Language')
  }
})

test('a page has its Markdown, the name of the site and links to the other pages; a blank page does not exist', async () => {
  await set({
    name: 'Films & <Friends>',
    accent: 200,
    contact: 'host@films.example',
    pages: {
      ...defaultSettings.pages,
      about: '## Us\n\n**Hello** [home](https://films.example).',
      imprint: '# Ada\n\n## Address',
    },
  })
  const { body, headers } = await app.inject('/about')
  expect(body).toContain(
    '<h2>Us</h2>\n<p><strong>Hello</strong> <a href="https://films.example">home</a>.</p>',
  )
  expect(body).toContain('<title>About · Films &amp; &lt;Friends&gt;</title>')
  expect(body).toContain('href="/imprint"')
  expect(body).toContain('mailto:host@films.example')
  expect((await app.inject('/imprint')).body).toContain('<h2>Ada</h2>\n<h3>Address</h3>')
  expect(body).toContain('style="--color-accent:light-dark(')
  expect(headers['content-security-policy']).toContain("script-src 'self'")
  expect((await app.inject({ url: '/terms', headers: { accept: 'application/json' } })).statusCode).toBe(404)
  expect((await app.inject('/manifest.webmanifest')).json()).toMatchObject({ name: 'Films & <Friends>' })
})

test('a page shows the announcement as text, until it ends', async () => {
  const announcement = { text: 'Closed on <b>"Sunday"</b> & *later*.', until: null }
  await set({ announcement })
  expect(await page('Us.')).toContain(
    '<p>Closed on &lt;b&gt;&quot;Sunday&quot;&lt;/b&gt; &amp; *later*.</p></aside>',
  )
  await set({ announcement: { ...announcement, until: new Date(Date.now() - 1).toISOString() } })
  expect(await page('Us.')).not.toContain('<aside')
  await set({ announcement: null })
  expect(await page('Us.')).not.toContain('<aside')
})

test('a page of a site with default settings is unchanged, and no setting closes the element of another one', () => {
  const html = '<html lang="en"><head><title>Medley</title></head></html>'
  expect(withSite(html, defaultSite)).toBe(html)
  const hostile = { ...defaultSettings, name: '</script></title><script>alert(1)</script>$&' }
  const siteHtml = withSite(html, publicSite(hostile, 1))
  expect(siteHtml.match(/<script/g)).toHaveLength(1)
  expect(siteHtml.match(/<\/title>/g)).toHaveLength(1)
})

test('a page says what is announced before its scripts load, and has the icon of the site', () => {
  const html =
    '<html lang="en"><head><link rel="icon" href="/ui/icon.svg"><title>Medley</title></head></html>'
  const announcement = { text: 'Closed on "Sunday".', until: null }
  const icon = '/uploads/3f9c2a7d5e-640.webp'
  const siteHtml = withSite(html, publicSite({ ...defaultSettings, announcement, icon }, 1))
  expect(siteHtml).toContain('<html lang="en" data-announcement="Closed on &quot;Sunday&quot;.">')
  expect(siteHtml).toContain(`<link rel="icon" type="image/webp" href="${icon}">`)
})

test('the shell is another one after each change of the settings, and when the announcement ends', async () => {
  const html = '<html lang="en"><head><title>Medley</title></head></html>'
  const page = async () => ({ status: 200, html })
  const other = await buildApp(server.services, { web: { ...noWeb, page, shell: page } })
  onTestFinished(() => other.close())
  const shell = async () => (await other.inject({ url: '/nothing', headers: { accept: 'text/html' } })).body
  await set({ announcement: null, name: 'First' })
  const first = await shell()
  await set({ name: 'Second' })
  const second = await shell()
  const until = new Date(Date.now() + 1_000).toISOString()
  await set({ announcement: { text: 'Soon over.', until } })
  expect(new Set([first, second, await shell()]).size).toBe(3)
  await expect.poll(shell).not.toContain('Soon over.')
})

test('the site without settings is the public part of the default settings', () => {
  expect(defaultSite).toEqual(publicSite(defaultSettings, 0))
})
