import { expect, test } from 'vitest'
import { expectAccessible, complaintsSoFar, fail, go, hold, newReader, useBrowser } from './site.ts'

useBrowser()

// What finds fault with all other journeys must find it.

test('an error on the console, one that nobody caught, a dialog and a refused script or style each count', async () => {
  const page = await newReader()
  await page.goto('/')
  expect(complaintsSoFar()).toEqual([])
  // What the policy refuses is told twice: by the console, and by the page.
  const faults: [name: string, times: number, commit: () => void][] = [
    ['console.error', 1, () => console.error('said on purpose')],
    ['uncaught', 1, () => void setTimeout(() => expectNothing('thrown on purpose'))],
    ['unhandled', 1, () => void Promise.reject(new Error('rejected on purpose'))],
    ['dialog', 1, () => alert('asked on purpose')],
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
      expectNothing: (message: string) => {
        throw new Error(message)
      },
    })
  })
  for (const [name, times, commit] of faults) {
    const heard: string[] = []
    await page.evaluate(commit)
    await expect.poll(() => heard.push(...complaintsSoFar()), { message: name }).toBe(times)
  }
})
declare const expectNothing: (message: string) => void

test('a call can be kept waiting and made fail, alone in its batch, and the console says nothing of it', async () => {
  const page = await newReader()
  await page.goto('/login')
  await page.getByRole('heading', { level: 1 }).waitFor()
  const end = await fail(page, 'books.popular')
  const held = await hold(page, 'games.popular')
  const answers: unknown[] = []
  page.on('response', async (answer) => {
    if (answer.url().includes('books.popular')) answers.push(await answer.json())
  })
  await go(page, '/?tab=book')
  await page.getByRole('status', { name: /^Loading/ }).waitFor()
  expect(answers).toEqual([])
  held.pass()
  await page.getByRole('tabpanel').getByRole('alert').waitFor()
  const [first] = answers as [Record<'error' | 'result', object>[]]
  expect(first.filter((one) => 'error' in one)).toHaveLength(1)
  expect(first.filter((one) => 'result' in one).length).toBeGreaterThan(0)
  end()
  expect(complaintsSoFar()).toEqual([])
})

test('a field without a name, and words that one theme hides, are each objected to', async () => {
  const page = await newReader()
  await page.goto('/login')
  await page.locator('h1').waitFor()
  const objections = async (html: string) => {
    await page.evaluate((added) => {
      document.querySelector('#added')?.remove()
      document.querySelector('main')!.insertAdjacentHTML('beforeend', `<div id="added">${added}</div>`)
    }, html)
    return expectAccessible(page).then(
      () => 'none',
      (error: { actual?: unknown }) => JSON.stringify(error.actual),
    )
  }
  expect(await objections('<p>Nothing to object to.</p>')).toBe('none')
  expect(await objections('<input>')).toContain('"label"')
  // Dark ink stays dark.
  expect(await objections('<p style="color: #222">Hidden at night.</p>')).toContain('"color-contrast"')
})
