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
      !/Failed to load resource: the server responded with a status of 4\d\d|net::ERR_INTERNET_DISCONNECTED|Network error –/.test(
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

/** Logs somebody in without the form: journeys that are not about it begin here. */
export async function logIn(
  page: Page,
  email = 'demo@medley.example',
  password = 'medley-demo',
): Promise<void> {
  const answer = await page.request.post('/auth/login', { data: { email, password } })
  expect(answer.status()).toBe(200)
  const { token, user } = (await answer.json()) as { token: string; user: object }
  await page.addInitScript(
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

/** The link of the newest mail to somebody, once it is there. */
export async function linkMailedTo(email: string): Promise<string> {
  const folder = join(inject('site').dataDir, 'outbox')
  for (let attempt = 0; attempt < 100; attempt++) {
    const files = (await readdir(folder).catch(() => [])).sort().reverse()
    for (const file of files) {
      const mail = await readFile(join(folder, file), 'utf8')
      if (!mail.includes(email)) continue
      const link = /https?:\/\/[^\s/]+(\/[^\s]+token=[\w-]+)/.exec(mail)?.[1]
      if (link) return link
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`No mail to ${email}`)
}

/** No violation that axe can find, in the state the page is in. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  expect(
    violations.map(({ id, help, nodes }) => ({ id, help, at: nodes.map((node) => node.target.join(' ')) })),
    page.url(),
  ).toEqual([])
}
