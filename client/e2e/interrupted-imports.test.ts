import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { aDataFolder, startProgram } from '#scripts/testing/program.ts'
import {
  logInAs,
  newPage,
  type Session,
  sizes,
  takeBrowserErrors,
  useBrowser,
  waitForHydration,
} from './site.ts'

useBrowser()

/** The button that imports, once all titles are looked up. */
function startButton(page: Page) {
  return page.getByRole('button', { name: /^Import [\d,]+ titles?/ }).and(page.locator(':enabled'))
}

/** Starts a server of its own, and logs a page in as a member of its demo community. */
async function anotherServer(env: Record<string, string> = {}) {
  const { folder, remove } = aDataFolder()
  const start = (port = '0') => startProgram({ DATA_DIR: folder, DEMO: 'on', PORT: port, ...env })
  let server = await start()
  const { url } = server
  const response = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'demo@medley.example', password: 'medley-demo' }),
  })
  const page = await newPage(sizes[0], 'light', { baseURL: url })
  await logInAs(page, (await response.json()) as Session)
  return {
    page,
    async restart() {
      expect(await server.end()).toBe(0)
      server = await start(new URL(url).port)
    },
    async end() {
      await page.close()
      await server.end()
      remove()
    },
  }
}

test('books wait while their source does not respond, and go on without it', async () => {
  // Nothing listens on this port.
  const server = await anotherServer({ OPEN_LIBRARY_URL: 'http://127.0.0.1:9' })
  const { page } = server
  try {
    for (const [path, service, undecided] of [
      ['goodreads/goodreads_library_export.csv', 'Goodreads', '2'],
      ['storygraph/storygraph_export.csv', 'StoryGraph', undefined],
    ] as const) {
      await page.goto('/imports')
      await waitForHydration(page)
      await page.getByLabel('File to import').setInputFiles(join('server/imports/fixtures', path))
      await page.getByRole('heading', { level: 1, name: `Import from ${service}` }).waitFor()
      await page.getByText(/^Waiting for Open Library\. Continues at \d{1,2}:\d\d(\s[AP]M)?\./).waitFor()
      await page.getByRole('button', { name: 'Go on without Open Library' }).press('Enter')
      await startButton(page).waitFor()
      if (undecided)
        expect(await page.locator('dl > div', { hasText: 'To decide' }).locator('dd').textContent()).toBe(
          undecided,
        )
    }
  } finally {
    await server.end()
  }
})

test('an import goes on after a restart of the server, in the open page', async () => {
  const server = await anotherServer()
  const { page } = server
  try {
    await page.goto('/imports')
    await waitForHydration(page)
    const rows = Array.from({ length: 300 }, (_, index) => `A Film of My Own ${index},1950,4`)
    const buffer = Buffer.from(['Title,Year,Rating', ...rows].join('\n'))
    await page.getByLabel('File to import').setInputFiles({ name: 'mine.csv', mimeType: 'text/csv', buffer })
    await page.getByText('This is a rehearsal.').waitFor()
    await page.getByRole('radio', { name: 'Create' }).click()
    await page.getByRole('button', { name: 'Import 300 titles' }).and(page.locator(':enabled')).click()
    await page.getByText('You can close this page.').waitFor()
    await server.restart()
    await page.getByRole('tab', { name: 'Done' }).press('Enter')
    await page.getByText('300 imported. Nothing here was overwritten.').waitFor()
  } finally {
    // The browser reports each call that found no server.
    takeBrowserErrors()
    await server.end()
  }
})
