import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { afterAll, beforeAll, expect, inject } from 'vitest'
import type { specifiedTexts } from '#shared/specified-texts.ts'

/** The two widths that every journey is made at. */
export const sizes = [
  { name: 'desktop', width: 1280, height: 900 },
  { name: 'phone', width: 390, height: 844 },
] as const
export type Size = (typeof sizes)[number]
export type Theme = 'light' | 'dark'

let browser: Browser
const contexts: BrowserContext[] = []
const complaints: string[] = []

/**
 * Opens the browser for a test file and closes it after. What the console complained of, what the content security
 * policy refused, an error that nobody caught and a dialog fail it.
 */
export function useBrowser(): void {
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: inject('chromium'),
      args: [
        '--no-sandbox',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    })
  })
  afterAll(async () => {
    await Promise.all(contexts.map((context) => context.close()))
    await browser.close()
    expect(complaintsSoFar(), 'the browser’s console').toEqual([])
  })
}

/** What the browser complained of since this was asked last. */
export function complaintsSoFar(): string[] {
  return complaints.splice(0)
}

/** A page of a reader of their own: nothing stored, nobody logged in. */
export async function newReader(
  size: Size = sizes[0],
  theme: Theme = 'light',
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: inject('site').url,
    viewport: size,
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    ...options,
  })
  contexts.push(context)
  context.setDefaultTimeout(15_000)
  const page = await context.newPage()
  page.on('console', (message) => {
    // A refused call and a lost network are part of some journeys, and the browser notes each; everything else is a fault.
    if (
      message.type() === 'error' &&
      !/Failed to load resource: the server responded with a status of 4\d\d|net::ERR_INTERNET_DISCONNECTED/.test(
        message.text(),
      )
    ) {
      complaints.push(`${page.url()}: ${message.text()}`)
    }
  })
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`))
  page.on('dialog', async (dialog) => {
    complaints.push(`${page.url()}: a dialog says “${dialog.message()}”`)
    await dialog.dismiss()
  })
  // The console does not tell of every violation: not of those that a script listens for, nor of a worker's.
  await page.exposeFunction('onViolation', (text: string) => void complaints.push(text))
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', (violation) => {
      const { documentURI, effectiveDirective, blockedURI, sourceFile, sample } = violation
      const report = (globalThis as unknown as { onViolation: (text: string) => void }).onViolation
      report(`${documentURI}: ${effectiveDirective} refuses ${blockedURI} ${sourceFile} ${sample}`)
    })
  })
  return page
}

/** A text of the specification, word for word: another is a fault of types. */
export function specified(text: (typeof specifiedTexts)[keyof typeof specifiedTexts][number]): string {
  return text
}

export type Session = { token: string; user: { id: number; username: string } }

/** Logs somebody in by the REST door; of one session as many pages as you like can be a member's. */
export async function sessionOf(email: string, password: string): Promise<Session> {
  const { status, body } = await post<Session>('/auth/login', { email, password })
  expect(status).toBe(200)
  return body
}

/** Makes all pages of a reader a member's, from their next address on. */
export async function enter(page: Page, { token, user }: Session): Promise<void> {
  await page.context().addInitScript(
    ([storedToken, storedUser]) => {
      // Once: a page that logs out and is loaded again stays logged out.
      if (sessionStorage.getItem('logged in')) return
      sessionStorage.setItem('logged in', 'once')
      localStorage.setItem('token', storedToken!)
      localStorage.setItem('user', storedUser!)
    },
    [token, JSON.stringify(user)],
  )
}

/** Logs somebody in without the form: journeys that are not about it begin here. */
export async function logIn(
  page: Page,
  email = 'demo@medley.example',
  password = 'medley-demo',
): Promise<void> {
  await enter(page, await sessionOf(email, password))
}

export const password = 'six-or-more'
export type Member = Session & { email: string }

/** Somebody new, verified and logged in, by the REST door; the password is `password`. */
export async function aMember(username: string): Promise<Member> {
  const email = `${username}@example.org`
  const { status } = await post('/users/register', { username, email, password })
  expect(status).toBe(201)
  await call(`/auth${await linkMailedTo(email)}`)
  return { email, ...(await sessionOf(email, password)) }
}

/** A movie that nobody has rated yet. */
export async function aMovie({ token }: Session, name: string): Promise<number> {
  const { status, body } = await post<{ movie: { id: number } }>('/movies', { name }, token)
  expect(status).toBe(201)
  return body.movie.id
}

/** Calls the REST door, as anybody would with curl. */
export async function call<T>(
  path: string,
  options: RequestInit & { token?: string } = {},
): Promise<{ status: number; body: T }> {
  const { token, ...init } = options
  const answer = await fetch(inject('site').url + path, {
    ...init,
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
  })
  return { status: answer.status, body: (await answer.json()) as T }
}

/** Sends JSON to the REST door. */
export function post<T>(path: string, body: object, token?: string) {
  return call<T>(path, { method: 'POST', body: JSON.stringify(body), ...(token ? { token } : {}) })
}

/** The link of the newest mail to somebody that leads to this page, once it is there. */
export async function linkMailedTo(email: string, to = '/verify-email'): Promise<string> {
  const folder = join(inject('site').dataDir, 'outbox')
  for (let attempt = 0; attempt < 100; attempt++) {
    const files = (await readdir(folder).catch(() => [])).sort().reverse()
    for (const file of files) {
      const mail = await readFile(join(folder, file), 'utf8')
      if (!mail.includes(email)) continue
      const link = /https?:\/\/[^\s/]+(\/[^\s]+token=[\w-]+)/.exec(mail)?.[1]
      if (link?.startsWith(to)) return link
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`No mail to ${email}`)
}

/** What the app asks of a procedure (`reviews.react`), alone or in a batch with others. */
export const callsOf = (procedure: string) =>
  new RegExp(String.raw`/trpc/([^?]*,)?${RegExp.escape(procedure)}([,?]|$)`)

type Fault = { status: number; message: string }
const broken: Fault = { status: 500, message: 'Something went wrong.' }

function failure({ status, message }: Fault) {
  return { error: { message, code: -32603, data: { code: 'INTERNAL_SERVER_ERROR', httpStatus: status } } }
}

/** What is to come of calls: of each page, by procedure. Null is the server's own answer. */
const decisions = new WeakMap<Page, Map<string, Promise<object | null>>>()

async function decisionsOf(page: Page): Promise<Map<string, Promise<object | null>>> {
  const known = decisions.get(page)
  if (known) return known
  const made = new Map<string, Promise<object | null>>()
  decisions.set(page, made)
  // One handler for all: of several for one address only the last would be asked, and calls go in batches.
  await page.route(/\/trpc\//, async (route) => {
    const { pathname, searchParams } = new URL(route.request().url())
    const names = pathname.slice('/trpc/'.length).split(',')
    const answers = await Promise.all(names.map((name) => made.get(name)))
    if (answers.every((answered) => !answered)) return route.fallback()
    const isWhole = answers.every(Boolean)
    const served = isWhole ? [] : ((await (await route.fetch()).json()) as object[])
    const json = answers.map((answered, index) => answered ?? served[index])
    // With status 200 also for a failure: the console would note another.
    return route.fulfill({ json: searchParams.has('batch') ? json : json[0] })
  })
  return made
}

/** All calls of a page are the server's again. */
export function letPass(page: Page): void {
  decisions.get(page)?.clear()
}

/** Keeps what a page asks of a procedure waiting, until it is told what comes of it: from then on, until `end`. */
export async function hold(page: Page, procedure: string) {
  const decision = Promise.withResolvers<object | null>()
  const made = await decisionsOf(page)
  made.set(procedure, decision.promise)
  return {
    pass: () => decision.resolve(null),
    fail: (fault = broken) => decision.resolve(failure(fault)),
    answer: (data: object) => decision.resolve({ result: { data } }),
    end: () => made.delete(procedure),
  }
}

/** Has what a page asks of a procedure fail; answers how to end that. */
export async function fail(page: Page, procedure: string, fault = broken): Promise<() => void> {
  const held = await hold(page, procedure)
  held.fail(fault)
  return held.end
}

/** Answers what a page asks of a procedure in the place of the server. */
export async function answer(page: Page, procedure: string, data: object): Promise<void> {
  const held = await hold(page, procedure)
  held.answer(data)
}

/** Goes to another place without loading the page anew, as a link does. */
export async function go(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState({}, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
}

/** Until then nothing answers on a page that the server rendered: what is pressed on it before is lost. */
export async function alive(page: Page): Promise<void> {
  await page.locator('html[data-alive]').waitFor({ state: 'attached' })
}

/** What the address says: `/movies/1?page=2`. */
export function place(page: Page): string {
  const { pathname, search } = new URL(page.url())
  return pathname + search
}

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** All that a change of theme can change. */
const ofColours = ['color-contrast', 'link-in-text-block']

/** No violation that axe can find, in the state the page is in, and none of its colours in the other theme. */
export async function expectAccessible(page: Page, what = page.url()): Promise<void> {
  // Not by its role, which it loses under a dialog.
  await page.locator('h1').first().waitFor({ state: 'attached' })
  // In the page itself: there are no frames, for which axe would open a page of its own each time.
  // Focus guards hand on the focus, which axe sees only while something covers the page.
  const axe = () =>
    new AxeBuilder({ page })
      .setLegacyMode()
      // What passes is counted, not described.
      .options({ resultTypes: ['violations'] })
      .exclude('[data-base-ui-focus-guard]')
  expect(await violationsOf(axe().withTags(standards)), what).toEqual([])
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  // However short, colours would pass over: each that is inherited a frame after that of its parent.
  await page.evaluate(() => {
    const still = new CSSStyleSheet()
    still.replaceSync('* { transition: none !important }')
    document.adoptedStyleSheets.push(still)
  })
  await page.emulateMedia({ colorScheme: isDark ? 'light' : 'dark' })
  await page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
  })
  expect(await violationsOf(axe().withRules(ofColours)), `${what} in the other theme`).toEqual([])
  await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' })
}

async function violationsOf(axe: AxeBuilder) {
  const { violations } = await axe.analyze()
  return violations.map(({ id, help, nodes }) => ({
    id,
    help,
    at: nodes.map(({ target, any }) => `${target.join(' ')} ${any[0]?.message ?? ''}`),
  }))
}
