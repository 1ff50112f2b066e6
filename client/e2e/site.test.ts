import { expect, test } from 'vitest'
import {
  coveredControls,
  expectAccessible,
  takeBrowserErrors,
  stubError,
  navigate,
  holdResponse,
  newPage,
  useBrowser,
} from './site.ts'

useBrowser()

// Verifies the checks that all other tests rely on.

test('a console error, an uncaught error, a dialog and a blocked script or style are each reported', async () => {
  const page = await newPage()
  await page.goto('/')
  expect(takeBrowserErrors()).toEqual([])
  // A policy violation is reported twice: by the console and by the page’s event.
  const faults: [name: string, times: number, commit: () => void][] = [
    ['console.error', 1, () => console.error('logged on purpose')],
    ['uncaught', 1, () => void setTimeout(() => throwError('thrown on purpose'))],
    ['unhandled', 1, () => void Promise.reject(new Error('rejected on purpose'))],
    ['dialog', 1, () => alert('opened on purpose')],
    [
      'inline style',
      2,
      () => document.head.append(Object.assign(document.createElement('style'), { textContent: 'a{}' })),
    ],
    [
      'inline script',
      2,
      () => document.head.append(Object.assign(document.createElement('script'), { textContent: ';' })),
    ],
  ]
  await page.evaluate(() => {
    Object.assign(globalThis, {
      throwError: (message: string) => {
        throw new Error(message)
      },
    })
  })
  for (const [name, times, commit] of faults) {
    const errors: string[] = []
    await page.evaluate(commit)
    await expect.poll(() => errors.push(...takeBrowserErrors()), { message: name }).toBe(times)
  }
})
declare const throwError: (message: string) => void

test('one call of a batch can be held or made to fail, without an error on the console', async () => {
  const page = await newPage()
  await page.goto('/login')
  await page.getByRole('heading', { level: 1 }).waitFor()
  const restore = await stubError(page, 'books.popular')
  const held = await holdResponse(page, 'games.popular')
  const bodies: unknown[] = []
  page.on('response', async (response) => {
    if (response.url().includes('books.popular')) bodies.push(await response.json())
  })
  await navigate(page, '/?tab=book')
  await page.getByRole('status', { name: /^Loading/ }).waitFor()
  expect(bodies).toEqual([])
  held.release()
  await page.getByRole('tabpanel').getByRole('alert').waitFor()
  await expect.poll(() => bodies.length).toBeGreaterThan(0)
  const [first] = bodies as [Record<'error' | 'result', object>[]]
  expect(first.filter((one) => 'error' in one)).toHaveLength(1)
  expect(first.filter((one) => 'result' in one).length).toBeGreaterThan(0)
  restore()
  expect(takeBrowserErrors()).toEqual([])
})

test('an unlabelled field, and low contrast in only one theme, are each reported', async () => {
  const page = await newPage()
  await page.goto('/login')
  await page.locator('h1').waitFor()
  const violations = async (html: string) => {
    await page.evaluate((added) => {
      document.querySelector('#added')?.remove()
      document.querySelector('main')!.insertAdjacentHTML('beforeend', `<div id="added">${added}</div>`)
    }, html)
    return expectAccessible(page).then(
      () => 'none',
      (error: { actual?: unknown }) => JSON.stringify(error.actual),
    )
  }
  expect(await violations('<p>No violation.</p>')).toBe('none')
  expect(await violations('<input>')).toContain('"label"')
  // A fixed dark colour fails on the dark theme.
  expect(await violations('<p style="color: #222">Unreadable on dark.</p>')).toContain('"color-contrast"')
})

test('a control that is covered, clipped or outside of the window is reported', async () => {
  const page = await newPage()
  await page.setContent(`
    <button>Visible</button> <label>Labelled <input type="checkbox"></label>
    <a href="/" style="position: absolute; left: -9999px">Outside</a>
    <div style="overflow: clip; width: 10px; height: 10px"><button style="margin-left: 50px">Clipped</button></div>
    <div style="position: relative">
      <button>Covered</button><p style="position: absolute; inset: 0; margin: 0; background: white"></p>
    </div>`)
  const covered = await coveredControls(page)
  expect(covered.map((html) => />(.*)</.exec(html)![1])).toEqual(['Outside', 'Clipped', 'Covered'])
})
