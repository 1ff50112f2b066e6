import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import axe, { type RunOnly } from 'axe-core'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Disposable,
  type Page,
} from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest'
import { type Db, openDatabase } from '#server/db/open.ts'
import type { specifiedTexts } from '#shared/texts/specified-texts.ts'
import { pseudo } from '#scripts/dev/messages/pseudo.ts'
import { readInEnglish } from '#scripts/testing/pseudo-reader.ts'
import { namesOfData, rememberNames, textsOf, untranslated } from './untranslated.ts'

/**
 * A journey runs in both sizes only if its steps depend on the size, otherwise on the desktop. states.test.ts checks the layout of
 * each screen in both sizes (`horizontalOverflow`, `coveredControls`). Each size has a theme, so that the colours of both themes are
 * checked.
 */
export const sizes = [
  { name: 'desktop', theme: 'light', width: 1280, height: 900 },
  { name: 'phone', theme: 'dark', width: 390, height: 844 },
] as const
export type Size = (typeof sizes)[number]

/** The sizes of long journeys: a desktop with `npm test`, a phone with `npm run test:full`. */
export const journeySizes = sizes.filter(
  ({ name }) => (name === 'phone') === (import.meta.env.MODE === 'full'),
)
export type Theme = Size['theme']

let browser: Browser | undefined
const browserErrors: string[] = []

/** A browser context, which tests use one after another. */
type Profile = {
  key: string
  context: BrowserContext
  /** Stays open, so that the page of the next test uses the same renderer process, which has compiled the code. */
  anchor: Page
  initScripts: Disposable[]
  isReusable: boolean
}

type PageOptions = BrowserContextOptions & {
  /** The browser has none of the app's files in its cache, as on the first visit. */
  isFirstVisit?: boolean
}
const usedProfiles: Profile[] = []
const idleProfiles: Profile[] = []

/** Launches the browser of this process, which serves one test file after another. It ends with the process. */
async function launchBrowser(): Promise<void> {
  browser = await chromium.launch({
    executablePath: inject('chromium'),
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      // A new page does not start a renderer process, see `Profile`.
      '--process-per-site',
      // A page is open for a second or two: optimizing its code and axe costs more than it saves.
      '--js-flags=--no-opt --no-maglev',
    ],
  })
  browser.on('disconnected', () => {
    browser = undefined
    idleProfiles.length = 0
  })
}

/**
 * Opens the browser for a test file. Closes the pages of a test after it, and clears what they stored. The file fails on a console
 * error, a violation of the content security policy, an uncaught error and a dialog.
 */
export function useBrowser(): void {
  beforeAll(async () => {
    if (!browser) await launchBrowser()
  })
  afterEach(async () => {
    const foreign = await collectFrom(usedProfiles)
    for (const profile of usedProfiles.splice(0)) {
      if (!profile.isReusable) await profile.context.close()
      else {
        await clearProfile(profile)
        idleProfiles.push(profile)
      }
    }
    expect(foreign, 'texts of no catalogue').toEqual([])
  })
  afterAll(() => {
    expect(takeBrowserErrors(), 'errors in the browser').toEqual([])
  })
}

/** Texts of no catalogue, on the pages that the running test has left, if these are in the pseudo language. */
const foreignTexts = new Set<string>()

async function collectTexts(page: Page): Promise<void> {
  const { origin, pathname } = new URL(page.url())
  // The data of a test’s own server is not known, and the API document is in English.
  if (origin !== inject('site').url || pathname === '/docs') return
  const names = await namesOfData(inject('site').dataDir)
  for (const text of untranslated(await textsOf(page), names)) foreignTexts.add(`${pathOf(page)}: ${text}`)
}

async function collectFrom(profiles: readonly Profile[]): Promise<string[]> {
  if (inject('pseudoLanguage') === null) return []
  for (const { context, anchor } of profiles)
    for (const page of context.pages()) if (page !== anchor) await collectTexts(page)
  const found = [...foreignTexts]
  foreignTexts.clear()
  return found
}

/** Opens the database of the site for the tests of a file, for what no call can do. */
export function siteDatabase(): Db {
  const db = openDatabase({ databaseUrl: undefined, dataDir: inject('site').dataDir })
  afterAll(() => db.destroy())
  return db
}

/** Returns the errors that the browser reported since the last call. */
export function takeBrowserErrors(): string[] {
  return browserErrors.splice(0)
}

/** Returns a profile without stored data. The profile of an earlier test has the files of the app in its cache. */
async function emptyProfile({ isFirstVisit = false, ...options }: PageOptions): Promise<Profile> {
  const key = JSON.stringify(options)
  const idle = isFirstVisit ? -1 : idleProfiles.findIndex((profile) => profile.key === key)
  if (idle !== -1) return idleProfiles.splice(idle, 1)[0]!
  const context = await browser!.newContext(options)
  context.setDefaultTimeout(60_000)
  const anchor = await context.newPage()
  await anchor.goto('/robots.txt')
  return { key, context, anchor, initScripts: [], isReusable: !isFirstVisit }
}

async function clearProfile({ context, anchor, initScripts }: Profile): Promise<void> {
  await Promise.all(context.pages().map((page) => page !== anchor && page.close()))
  for (const script of initScripts.splice(0)) await script.dispose()
  await context.setOffline(false)
  await context.clearCookies()
  await anchor.evaluate(() => localStorage.clear())
}

/** Leaves the live stream of notifications unanswered: unlike an `EventSource`, it would keep `networkidle` waiting. */
const holdInbox = () => {
  const { fetch } = globalThis
  globalThis.fetch = (url, options) =>
    url === '/notifications/live' ? new Promise(() => {}) : fetch(url, options)
}

/** Opens a page on its own: nothing is stored, no user is logged in. With `hasInbox`, notifications are live. */
export async function newPage(
  size: Size = sizes[0],
  theme: Theme = 'light',
  { hasInbox = false, ...options }: PageOptions & { hasInbox?: boolean } = {},
): Promise<Page> {
  const language = inject('pseudoLanguage')
  const profile = await emptyProfile({
    baseURL: inject('site').url,
    viewport: size,
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    ...options,
  })
  usedProfiles.push(profile)
  const page = await profile.context.newPage()
  if (language !== null) {
    readInEnglish(page)
    // Not the locale, in which the browser writes dates.
    const url = options.baseURL ?? inject('site').url
    await profile.context.addCookies([{ name: 'language', value: language, url }])
  }
  waitForApp(page)
  page.on('console', (message) => {
    // Some journeys include 4xx responses and a lost network, and the browser logs each as an error.
    if (
      message.type() === 'error' &&
      !/Failed to load resource: the server responded with a status of 4\d\d|net::ERR_INTERNET_DISCONNECTED/.test(
        message.text(),
      )
    ) {
      browserErrors.push(`${page.url()}: ${message.text()}`)
    }
  })
  page.on('pageerror', (error) => browserErrors.push(`${page.url()}: ${error.message}`))
  page.on('dialog', async (dialog) => {
    browserErrors.push(`${page.url()}: a dialog opened: “${dialog.message()}”`)
    await dialog.dismiss()
  })
  // The console omits some violations: those that a script listens for, and those in a worker.
  await page.exposeFunction('onViolation', (text: string) => void browserErrors.push(text))
  if (!hasInbox) await page.addInitScript(holdInbox)
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', (violation) => {
      const { documentURI, effectiveDirective, blockedURI, sourceFile, sample } = violation
      const report = (globalThis as unknown as { onViolation: (text: string) => void }).onViolation
      report(`${documentURI}: ${effectiveDirective} blocked ${blockedURI} ${sourceFile} ${sample}`)
    })
  })
  return page
}

/** Returns its argument. The type accepts only texts that the specification fixes. */
export function specified(text: (typeof specifiedTexts)[keyof typeof specifiedTexts][number]): string {
  return text
}

export type Session = { token: string; user: { id: number; username: string } }

/** Logs in through the REST API. Several pages can share the session. */
export async function createSession(email: string, password: string): Promise<Session> {
  const { status, body } = await post<Session>('/auth/login', { email, password })
  expect(status).toBe(200)
  return body
}

/** Logs in all pages of the browser context, from their next full page load on. */
export async function logInAs(page: Page, { token, user }: Session): Promise<void> {
  const script = await page.context().addInitScript(
    ([storedToken, storedUser]) => {
      // Only on the first load: a page that logs out and reloads must stay logged out.
      if (sessionStorage.getItem('logged in')) return
      sessionStorage.setItem('logged in', 'once')
      localStorage.setItem('token', storedToken!)
      localStorage.setItem('user', storedUser!)
    },
    [token, JSON.stringify(user)],
  )
  usedProfiles.find(({ context }) => context === page.context())!.initScripts.push(script)
}

/** The cookie that opens a member’s pages. */
export const pageCookie = 'medley-pages'

/** Logs in as `logIn`, with the cookie that opens the member’s pages, as the login form does. Returns the session. */
export async function logInWithPages(
  page: Page,
  email = 'demo@medley.example',
  secret = 'medley-demo',
): Promise<Session> {
  const response = await page.request.post('/auth/login', { data: { email, password: secret } })
  const session = (await response.json()) as Session
  await logInAs(page, session)
  return session
}

/** Logs in without the login form, and without the cookie that opens the member’s pages: the browser renders the first one. */
export async function logIn(
  page: Page,
  email = 'demo@medley.example',
  password = 'medley-demo',
): Promise<void> {
  await logInAs(page, await createSession(email, password))
}

export const password = 'six-or-more'
export type Member = Session & { email: string }

/**
 * Registers, verifies and logs in a new member through the REST API. The password is `password`. A test that is repeated gets
 * a member with another name.
 */
export async function aMember(username: string): Promise<Member> {
  const email = `${username}@example.org`
  const { status } = await post('/users/register', { username, email, password })
  if (status === 409) return aMember(`${username}.2`)
  expect(status).toBe(201)
  await call(`/auth${await linkMailedTo(email)}`)
  return { email, ...(await createSession(email, password)) }
}

/** Creates a movie without ratings. Returns its id. */
export async function aMovie({ token }: Session, name: string): Promise<number> {
  const { status, body } = await post<{ movie: { id: number } }>('/movies', { name }, token)
  expect(status).toBe(201)
  return body.movie.id
}

/** Sends a request to the REST API. */
export async function call<T>(
  path: string,
  options: RequestInit & { token?: string } = {},
): Promise<{ status: number; body: T }> {
  const { token, ...init } = options
  const send = () =>
    fetch(inject('site').url + path, {
      ...init,
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    })
  let response = await send()
  // On a busy machine the server may shed load: requests that prepare a test are retried.
  for (let tries = 0; response.status === 503 && tries < 60; tries++) {
    await delay(500)
    response = await send()
  }
  return { status: response.status, body: (await response.json()) as T }
}

/** Sends JSON to the REST API. */
export function post<T>(path: string, body: object, token?: string) {
  return call<T>(path, { method: 'POST', body: JSON.stringify(body), ...(token ? { token } : {}) })
}

/** Waits for a mail to this address with a link to the page `to`. Returns the path and query of the newest one. */
export async function linkMailedTo(email: string, to = '/verify-email'): Promise<string> {
  const folder = join(inject('site').dataDir, 'outbox')
  for (let attempt = 0; attempt < 300; attempt++) {
    const files = (await readdir(folder).catch(() => []))
      .filter((file) => file.endsWith('.eml'))
      .sort()
      .reverse()
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

/** Matches the URL of a tRPC call to a procedure (`reviews.react`), alone or in a batch. */
export const procedureUrl = (procedure: string) =>
  new RegExp(String.raw`/trpc/([^?]*,)?${RegExp.escape(procedure)}([,?]|$)`)

type StubbedError = { status: number; message: string }
const serverError: StubbedError = { status: 500, message: 'Something went wrong.' }

/** An English text of a stubbed response, as the server translates it. */
export function served(english: string): string {
  return inject('pseudoLanguage') === null || english === '' ? english : pseudo(english)
}

function errorResponse({ status, message }: StubbedError) {
  return {
    error: {
      message: served(message),
      code: -32603,
      data: { code: 'INTERNAL_SERVER_ERROR', httpStatus: status },
    },
  }
}

/** The stubbed responses of each page, by procedure (`sources.search books`: that tab). Null passes the call on to the server. */
const stubs = new WeakMap<Page, Map<string, Promise<object | null>>>()

async function stubsOf(page: Page): Promise<Map<string, Promise<object | null>>> {
  const existing = stubs.get(page)
  if (existing) return existing
  const created = new Map<string, Promise<object | null>>()
  stubs.set(page, created)
  // Not `page.route`, which intercepts all requests and switches the browser's cache off: loading a page takes twice as long.
  const devtools = await page.context().newCDPSession(page)
  devtools.on('Fetch.requestPaused', async ({ requestId, request, responseStatusCode }) => {
    const { pathname, searchParams } = new URL(request.url)
    // The server does not know the stubs: the page stays without the cookie with which it would render the next one.
    if (pathname === '/trpc/accounts.openPages') {
      await devtools.send('Fetch.fulfillRequest', { requestId, responseCode: 204 })
      return
    }
    const names = pathname.slice('/trpc/'.length).split(',')
    // The searches of the tabs are calls of one procedure, which are not batched.
    const tab = names[0] === 'sources.search' && /"tab":"(\w+)"/.exec(searchParams.get('input') ?? '')?.[1]
    const stubbed = await Promise.all(names.map((name) => created.get(name) ?? created.get(`${name} ${tab}`)))
    const isFetched = responseStatusCode !== undefined
    try {
      if (!isFetched && !stubbed.every(Boolean)) {
        const interceptResponse = stubbed.some(Boolean)
        await devtools.send('Fetch.continueRequest', { requestId, interceptResponse })
        return
      }
      const served = isFetched ? await servedBody(devtools, requestId) : []
      const json = stubbed.map((response, index) => response ?? served[index])
      // Status 200 also for errors: the browser would log any other status on the console.
      await devtools.send('Fetch.fulfillRequest', {
        requestId,
        responseCode: 200,
        responseHeaders: [{ name: 'content-type', value: 'application/json' }],
        body: Buffer.from(JSON.stringify(searchParams.has('batch') ? json : json[0])).toString('base64'),
      })
    } catch (error) {
      // The page was closed or has cancelled the request meanwhile.
      if (!/closed|Invalid InterceptionId/.test((error as Error).message)) throw error
    }
  })
  await devtools.send('Fetch.enable', { patterns: [{ urlPattern: '*/trpc/*' }] })
  await page.context().clearCookies({ name: pageCookie })
  return created
}

/** Returns the responses of the server to the calls of a batch. */
async function servedBody(devtools: CDPSession, requestId: string): Promise<object[]> {
  const { body, base64Encoded } = await devtools.send('Fetch.getResponseBody', { requestId })
  return JSON.parse(Buffer.from(body, base64Encoded ? 'base64' : 'utf8').toString()) as object[]
}

/** Removes all stubs of a page. */
export function clearStubs(page: Page): void {
  stubs.get(page)?.clear()
}

/**
 * Holds the responses to a page's calls of a procedure until `release` (sends the server's response), `fail` or `respond`. Later
 * calls get the same kind of response, until `restore`.
 */
export async function holdResponse(page: Page, procedure: string) {
  const response = Promise.withResolvers<object | null>()
  const pageStubs = await stubsOf(page)
  pageStubs.set(procedure, response.promise)
  return {
    release: () => response.resolve(null),
    fail: (error = serverError) => response.resolve(errorResponse(error)),
    respond: (data: object) => {
      rememberNames(data)
      response.resolve({ result: { data } })
    },
    restore: () => pageStubs.delete(procedure),
  }
}

/** Makes a page’s calls of a procedure fail. Returns a function that ends this. */
export async function stubError(page: Page, procedure: string, error = serverError): Promise<() => void> {
  const held = await holdResponse(page, procedure)
  held.fail(error)
  return held.restore
}

/** Makes a page’s calls of a procedure return `data`. */
export async function stubResponse(page: Page, procedure: string, data: object): Promise<void> {
  const held = await holdResponse(page, procedure)
  held.respond(data)
}

/** Navigates within the app, without loading the page again, as a link does. */
export async function navigate(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState({}, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
}

/**
 * Lets full page loads wait until a member’s page is hydrated, or the app has replaced the app shell, unless the test only waits for the
 * response (`commit`).
 */
function waitForApp(page: Page): void {
  const isVisitors = () => page.locator('html:not([data-member], :has(#shell))').count()
  const { goto, reload } = page
  const isPseudo = inject('pseudoLanguage') !== null
  const leave = async () => isPseudo && (await collectTexts(page))
  const ready = async () => {
    if ((await isVisitors()) === 0) await waitForHydration(page)
  }
  page.goto = async (...args) => {
    await leave()
    const response = await goto.apply(page, args)
    if (args[1]?.waitUntil !== 'commit') await ready()
    return response
  }
  page.reload = async (...args) => {
    await leave()
    const response = await reload.apply(page, args)
    await ready()
    return response
  }
}

/** Waits until a server-rendered page is hydrated, with the parts that follow later. Clicks before that have no effect. */
export async function waitForHydration(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const isHydrated = (element: Element) =>
      Object.keys(element).some((key) => key.startsWith('__reactProps$'))
    return (
      'hydrated' in document.documentElement.dataset &&
      [...document.querySelectorAll('main button')].every(isHydrated)
    )
  })
}

/** Returns by how many pixels the page is wider than its window. */
export function horizontalOverflow(page: Page): Promise<number> {
  return page.evaluate(async () => {
    // After a resize, sizes in vw follow two frames later.
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
    return document.documentElement.scrollWidth - document.documentElement.clientWidth
  })
}

/**
 * Returns the HTML of the buttons, links and fields that cannot be pressed, even after scrolling: others cover them, or they are
 * outside of the window. While a popup is open, only its own are considered.
 */
export function coveredControls(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const popups = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]'
    const open = [...document.querySelectorAll(popups)].filter((popup) => popup.checkVisibility())
    // The skip link appears when it has the focus.
    const controls =
      'a[href]:not([href="#main"]), button, input, select, textarea, [role=button], [role=menuitem], [role=option]'
    const covered: string[] = []
    const { scrollX, scrollY } = window
    for (const control of (open.at(-1) ?? document).querySelectorAll<HTMLElement>(controls)) {
      // Hidden from everyone (an inactive part), or for screen readers only (the field of a styled checkbox).
      const { width, height } = control.getBoundingClientRect()
      if (
        !control.checkVisibility({ opacityProperty: true, visibilityProperty: true }) ||
        width < 2 ||
        height < 2
      )
        continue
      const isHit = () =>
        [...control.getClientRects()].some((box) => {
          const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
          const label = hit?.closest('label')
          return hit && (control.contains(hit) || label?.control === control)
        })
      if (isHit()) continue
      control.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
      if (!isHit()) covered.push(control.outerHTML.slice(0, 200))
    }
    scrollTo({ left: scrollX, top: scrollY, behavior: 'instant' })
    return covered
  })
}

/** Returns the path and query of the current URL: `/movies/1?page=2`. */
export function pathOf(page: Page): string {
  const { pathname, search } = new URL(page.url())
  return pathname + search
}

const standardTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** The rules whose result depends on the theme. */
const colourRules = ['color-contrast', 'link-in-text-block']
/** The rules whose result depends on the size and the place of elements. */
const layoutRules = ['target-size', 'scrollable-region-focusable']

/**
 * Expects no axe violation on the page in its current state, or in the part that the selector `within` matches. Checks the colour
 * rules in the other theme too unless `inBothThemes` is false. `onlyAppearance` runs only the rules that depend on the theme or the
 * layout: for a page whose elements have been checked.
 */
export async function expectAccessible(
  page: Page,
  {
    inBothThemes = true,
    onlyAppearance = false,
    within,
  }: { inBothThemes?: boolean; onlyAppearance?: boolean; within?: string } = {},
): Promise<void> {
  const what = page.url()
  // Not by role: an open dialog hides the heading from the accessibility tree.
  await page.locator('h1').first().waitFor({ state: 'attached' })
  const rules: RunOnly = onlyAppearance
    ? { type: 'rule', values: [...colourRules, ...layoutRules] }
    : { type: 'tag', values: standardTags }
  expect(await violations(page, rules, within), what).toEqual([])
  if (!inBothThemes) return
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  await switchTheme(page, isDark ? 'light' : 'dark')
  const inOtherTheme = await violations(page, { type: 'rule', values: colourRules }, within)
  expect(inOtherTheme, `${what} in the other theme`).toEqual([])
  await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' })
}

/** Changes the theme of a page that follows the system's, without transitions, and waits until it is painted. */
export async function switchTheme(page: Page, theme: Theme): Promise<void> {
  // Even the shortest transition would delay inherited colours by one frame for each level.
  await page.evaluate(() => {
    const noTransitions = new CSSStyleSheet()
    noTransitions.replaceSync('* { transition: none !important }')
    document.adoptedStyleSheets.push(noTransitions)
  })
  await page.emulateMedia({ colorScheme: theme })
  await page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
  })
}

/** Returns the violations of these rules that axe finds on a page, or in the part of it that a selector matches. */
async function violations(page: Page, runOnly: RunOnly, within?: string) {
  // @axe-core/playwright would inject axe twice, and parsing its source takes time.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
  // During a transition, colours are between those before and after it. The focus may start one a frame later.
  await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
    const transitions = document.getAnimations().filter((one) => one instanceof CSSTransition)
    await Promise.allSettled(transitions.map(({ finished }) => finished))
  })
  const results = await page.evaluate(
    ([rules, part]) =>
      (globalThis as unknown as { axe: typeof axe }).axe.run(
        // Base UI’s focus guards pass the focus on; axe reports them while a popup covers the page.
        { ...(part && { include: [[part]] }), exclude: [['[data-base-ui-focus-guard]']] },
        // Lists the nodes of violations only, which is faster.
        { runOnly: rules, resultTypes: ['violations'] },
      ),
    [runOnly, within] as const,
  )
  return results.violations.map(({ id, help, nodes }) => ({
    id,
    help,
    at: nodes.map(({ target, any, html }) => {
      const related = any.flatMap((check) => check.relatedNodes?.map((node) => node.html) ?? [])
      return [target.join(' '), any[0]?.message, html, ...related].join('\n')
    }),
  }))
}
