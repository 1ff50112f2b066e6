import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { variation } from '#scripts/testing/variation.ts'
import { messages } from '#shared/texts/messages.ts'
import {
  aMember,
  call,
  expectAccessible,
  logInAs,
  newPage,
  type Session,
  sizes,
  useBrowser,
  waitForHydration,
} from './site.ts'

useBrowser()

const fixtures = 'server/imports/fixtures'

async function chooseFile(page: Page, path: string): Promise<void> {
  await page.getByLabel('File to import').setInputFiles(join(fixtures, path))
}

/** The button that imports, once all titles are looked up. */
function startButton(page: Page) {
  return page.getByRole('button', { name: /^Import [\d,]+ titles?/ }).and(page.locator(':enabled'))
}

/** Uploads a file in the browser and waits until its titles are looked up. Returns the id of the import. */
async function rehearse(page: Page, path: string): Promise<number> {
  await chooseFile(page, path)
  await page.getByText('This is a rehearsal. Nothing has been changed.').waitFor()
  await startButton(page).waitFor()
  return Number(new URL(page.url()).pathname.split('/').at(-1))
}

const tile = (page: Page, label: string) => page.locator('dl > div', { hasText: label }).locator('dd')

test('a Letterboxd zip is rehearsed, decided about by keyboard, imported and undone', async () => {
  const member = await aMember('imports.member')
  const { token } = member
  const page = await newPage()
  await logInAs(page, member)
  await page.goto('/diary')
  await page.getByRole('link', { name: 'Import your history' }).click()
  await page.getByRole('heading', { name: 'Bring your history' }).waitFor()
  const id = await rehearse(page, 'letterboxd/letterboxd-maria-2023-06-11.zip')
  await page.getByRole('button', { name: 'Import 11 titles' }).waitFor()
  expect(await tile(page, 'Not found').textContent()).toBe('3')
  // What is chosen is not among what is left in the file.
  expect(await page.getByRole('checkbox', { name: 'Favorites', exact: true }).isChecked()).toBe(true)
  const inFile = page.getByRole('region', { name: 'What Medley does not import' })
  await inFile.waitFor()
  expect(await inFile.getByText(/^Favorites/).count()).toBe(0)

  // Rounding down changes the ratings, so the titles are compared again.
  await page.getByRole('radio', { name: 'Whole stars' }).click()
  await page.getByRole('radio', { name: 'Down' }).click()
  await page
    .getByRole('row', { name: /^4½ of 5/ })
    .getByRole('img', { name: '4 out of 5 stars' })
    .waitFor()
  await page.getByRole('button', { name: 'Import 11 titles' }).and(page.locator(':enabled')).waitFor()
  await expectAccessible(page)

  await page.getByRole('tab', { name: /^Decide/ }).press('Enter')
  await page.getByRole('article', { name: /^Parasite/ }).waitFor()
  await expectAccessible(page)
  const left = (number: number) => page.getByRole('heading', { name: `${number} left` }).waitFor()
  await left(1)
  await page.keyboard.press('1')
  await left(0)
  await page.getByText('Parasite: Chosen: Parasite. 0 left.').waitFor()
  await page.keyboard.press('u')
  await left(1)
  const parasite = page.getByRole('article', { name: /^Parasite/ })
  await expect.poll(() => parasite.evaluate((card) => card === document.activeElement)).toBe(true)
  await page.keyboard.press('1')
  await left(0)

  await page.getByRole('radio', { name: /^Not found/ }).click()
  await left(3)
  await page.getByRole('article').first().focus()
  // Searches for another title, which is the first result.
  await page.keyboard.press('/')
  await page.getByRole('searchbox', { name: 'Search the catalogue' }).fill('Alien')
  await page
    .getByRole('button', { name: /^Alien/ })
    .first()
    .waitFor()
  await page.keyboard.press('Enter')
  await left(2)
  await page.keyboard.press('s')
  await left(1)
  await page.keyboard.press('Control+z')
  await left(2)

  await page.getByRole('tab', { name: 'Rehearsal' }).press('Enter')
  await page.getByText(/^[2-9] ratings are rounded; the originals are kept\.$/).waitFor()
  await expect.poll(() => page.getByText('This turns on half stars.', { exact: true }).count()).toBe(0)
  await page.getByRole('radio', { name: 'Half stars', exact: true }).click()
  await page.getByText('This turns on half stars.', { exact: true }).waitFor()
  await page.getByText('1 rating is rounded; the original is kept.', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Import 13 titles' }).press('Enter')
  // The import is shown where its result will be, without another press.
  await page.getByText('13 imported. Nothing here was overwritten.').waitFor()
  await expectAccessible(page)

  const { body } = await call<{ titles: { title: { id: number } }[] }>(
    `/imports/${id}/titles?q=matrix&limit=1`,
    { token },
  )
  const movieId = body.titles[0]!.title.id
  await page.getByRole('link', { name: 'Open your diary' }).click()
  await page.getByRole('link', { name: 'The Matrix' }).first().click()
  await page.waitForURL(`**/movies/${movieId}`)
  await page.getByText('Better than I remembered.').first().waitFor()
  await page.getByRole('link', { name: /^Your rating 4½, 4 and a half stars.*Change your rating/ }).waitFor()
  await page.getByRole('button', { name: /^Watched again.*change your diary/ }).waitFor()

  const why = page.getByRole('button', { name: 'Why is this here?' })
  await page.goto('/favorites')
  await waitForHydration(page)
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click()
  await why.press('Enter')
  await page.getByText('Favorite', { exact: true }).and(page.locator('li p')).waitFor()
  await page
    .getByText(/^letterboxd-maria-2023-06-11\.zip, /)
    .first()
    .waitFor()
  await expectAccessible(page)

  const { body: own } = await call<{ lists: { id: number }[] }>('/users/me/lists', { token })
  await page.goto(`/list/${own.lists[0]!.id}`)
  await waitForHydration(page)
  await page.getByRole('button', { name: 'Edit titles' }).click()
  await page
    .getByRole('listitem')
    .getByRole('button', { name: /^Edit / })
    .first()
    .click()
  await why.press('Enter')
  await page.getByText('Title of a list', { exact: true }).waitFor()
  expect(await page.getByText(/^letterboxd-maria-2023-06-11\.zip, /).count()).toBe(1)
  await expectAccessible(page)

  await page.goto('/')
  await page.getByRole('link', { name: /Import a history.*Another one\?/ }).waitFor()
  await page.goto('/notifications')
  await page.getByText('13 titles imported').first().waitFor()
  expect(await page.getByText('13 titles imported').count()).toBe(1)

  await page.goto(`/imports/${id}`)
  await waitForHydration(page)
  await page.getByRole('button', { name: 'Undo the whole import' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Undo the whole import?' })
  await dialog
    .getByText(
      /^This removes \d+ ratings and reviews, \d+ diary entries, 2 favorites, \d+ lists?,? and \d+ titles? of lists?\.$/,
    )
    .waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Undo the import' }).click()
  await page.getByText('This import was undone').waitFor()
  expect((await call(`/reviews/mine?movieId=${movieId}`, { token })).status).toBe(404)
  expect((await call<{ entries: [] }>(`/diary/mine?movieId=${movieId}`, { token })).body.entries).toEqual([])

  await page.getByRole('link', { name: 'Your imports' }).click()
  await page.getByRole('button', { name: /^Delete the import of letterboxd-maria/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No imports yet.').waitFor()
})

variation(
  'rounded ratings have their halves again with one press, and are rounded again with Undo',
  async () => {
    const member = await aMember('imports.rounded')
    const { token } = member
    const names = ['A Rounded Reel', 'Another Rounded Reel', 'A Whole Reel']
    const lines = names.map((name, at) => `${name},1950,${[4.5, 2.5, 3][at]}`)
    const id = await send(member, ['Title,Year,Rating', ...lines].join('\n'))
    const change = (path: string, method: string, body: object) =>
      call(`/imports/${id}${path}`, { token, method, body: JSON.stringify(body) })
    const stateOf = async () =>
      (await call<{ import: { state: string } }>(`/imports/${id}`, { token })).body.import.state
    await change('', 'PATCH', { halfStars: false, missing: 'create' })
    await expect.poll(stateOf).toBe('ready')
    await change('/apply', 'POST', {})
    await expect.poll(stateOf).toBe('done')
    const ratings = async () => {
      const { body } = await call<{ reviews: { rating: number; title: { name: string } }[] }>(
        '/users/me/reviews?sort=title&order=asc',
        { token },
      )
      return body.reviews.map(({ rating }) => rating).sort()
    }
    expect(await ratings()).toEqual([3, 3, 5])

    const page = await newPage()
    await logInAs(page, member)
    const { body } = await call<{ reviews: { title: { id: number } }[] }>('/users/me/reviews?rating=5', {
      token,
    })
    const asked: string[] = []
    page.on('request', (request) => request.url().includes('imports.origins') && asked.push(request.url()))
    await page.goto(`/movies/${body.reviews[0]!.title.id}`)
    await waitForHydration(page)
    await page.waitForLoadState('networkidle')
    expect(asked).toEqual([])
    await page.getByRole('button', { name: 'Why is this here?' }).press('Enter')
    await page.getByText(/^films\.csv, .+ · line 2 · in the file 4½ of 5 · added$/).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Open the import films.csv' }).first().click()
    await page.waitForURL(`**/imports/${id}`)

    await page.goto('/settings')
    await page.getByText('2 imported ratings were rounded', { exact: true }).waitFor()
    await expectAccessible(page)
    const setting = page.getByRole('checkbox', { name: 'Half stars' })
    expect(await setting.isChecked()).toBe(false)
    await page.getByRole('button', { name: 'Restore the halves' }).press('Enter')
    await page.getByText('2 ratings are halves again.').waitFor()
    expect(await ratings()).toEqual([2.5, 3, 4.5])
    await expect.poll(() => setting.isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await expect.poll(() => setting.isChecked()).toBe(false)
    expect(await ratings()).toEqual([3, 3, 5])

    await page.goto('/imports')
    await page.getByRole('button', { name: 'Delete the import of Original ratings' }).waitFor()
    await page.getByRole('link', { name: 'Open the import of Original ratings' }).click()
    await page.getByRole('heading', { level: 1, name: 'Original ratings' }).waitFor()
    await page.getByText('This import was undone').waitFor()
    expect(await page.getByRole('tab').count()).toBe(0)
    await expectAccessible(page)
  },
)

variation('twenty questions are answered by keys alone, and a failed decision is back', async () => {
  const member = await aMember('imports.twenty')
  const names = Array.from({ length: 22 }, (_, index) => `No Such Film ${String.fromCharCode(65 + index)}`)
  const id = await send(member, ['Title,Year,Rating', ...names.map((name) => `${name},1950,4`)].join('\n'))
  const page = await newPage()
  await logInAs(page, member)
  await page.goto(`/imports/${id}?tab=decide&state=notFound`)
  await page.getByRole('heading', { name: '22 left' }).waitFor()
  // The second is the retry.
  await page.route(/imports\.decide/, (route) => route.abort('internetdisconnected'), { times: 2 })
  await page.keyboard.press('s')
  await page.getByText('Your decision was not saved').waitFor()
  await page.getByRole('heading', { name: '22 left' }).waitFor()
  for (let at = 0; at < 20; at++) await page.keyboard.press(at % 2 === 0 ? 's' : 'c')
  await page.getByRole('heading', { name: '2 left' }).waitFor()
  const counts = async () =>
    (await call<{ import: { counts: object } }>(`/imports/${id}`, { token: member.token })).body.import.counts
  await expect.poll(counts).toEqual({ left: 10, new: 10, notFound: 2 })
  await page.getByRole('button', { name: 'Leave all 2 out' }).click()
  await page.getByText('Nothing left to decide here.').waitFor()
})

/** Uploads a CSV file through the API and waits until its titles are looked up. Returns the id. */
async function send({ token }: Session, content: string): Promise<number> {
  const form = new FormData()
  form.append('file', new Blob([content]), 'films.csv')
  const response = await fetch(`${inject('site').url}/imports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  const { id } = ((await response.json()) as { import: { id: number } }).import
  const state = async () =>
    (await call<{ import: { state: string } }>(`/imports/${id}`, { token })).body.import.state
  await expect.poll(state).toBe('ready')
  return id
}

variation.each([
  ['imdb/ratings-2024.csv', 'Import from IMDb', { 'Repeated lines': '1' }],
  ['trakt/trakt-export.zip', 'Import from Trakt', { 'Not found': '1' }],
  ['csv/semicolons-latin1.csv', 'Import of a CSV file', {}],
])('%s is rehearsed', async (path, heading, tiles) => {
  const member = await aMember(`imports.${path.split('/')[0]}`)
  const page = await newPage()
  await logInAs(page, member)
  await page.goto('/imports')
  await waitForHydration(page)
  await rehearse(page, path)
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  for (const [label, number] of Object.entries({ New: /^\d+$/, ...tiles }))
    expect(await tile(page, label).first().textContent()).toMatch(number)
})

variation('a file that cannot be read is refused in words, and an upload can be cancelled', async () => {
  const member = await aMember('imports.refused')
  const page = await newPage(sizes[1], 'dark')
  await logInAs(page, member)
  await page.goto('/imports')
  await waitForHydration(page)
  await chooseFile(page, 'bad/not-a-zip.zip')
  await page.getByText(messages.importZip).waitFor()
  await chooseFile(page, 'bad/unknown-headers.csv')
  await page.getByText(messages.importUnknown).waitFor()
  await expectAccessible(page)
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/imports', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    await held
    return route.abort('aborted').catch(() => {})
  })
  await chooseFile(page, 'imdb/ratings-2024.csv')
  await page.getByRole('button', { name: 'Cancel' }).click()
  const choose = page.getByRole('button', { name: 'Choose a file' })
  await choose.waitFor()
  await expect.poll(() => choose.evaluate((button) => button === document.activeElement)).toBe(true)
  release()
  expect(await page.getByRole('alert').count()).toBe(0)
})
