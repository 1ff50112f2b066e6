import { expect, test } from 'vitest'
import { english } from '#scripts/dev/messages/pseudo.ts'
import { variation } from '#scripts/testing/variation.ts'
import { messages } from '#shared/texts/messages.ts'
import {
  aMember,
  aMovie,
  call,
  expectAccessible,
  logInAs,
  newPage,
  post,
  specified,
  useBrowser,
  waitForHydration,
  holdResponse,
} from './site.ts'

useBrowser()

/** The date of the browser and the server, which run on the same machine. */
function today(): string {
  const now = new Date()
  const [month, day] = [now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0'))
  return `${now.getFullYear()}-${month}-${day}`
}

type Mine = {
  status: string | null
  entries: { status: string; finishedOn: string | null; rating: number | null }[]
}

test('from want to watching to watched on a date, rated and shown in the diary', async () => {
  const member = await aMember('diary.member')
  const movieId = await aMovie(member, 'A film for the diary')
  const name = 'A film for the diary'
  const mine = async () => (await call<Mine>(`/diary/mine?movieId=${movieId}`, { token: member.token })).body
  const page = await newPage()
  await logInAs(page, member)
  await page.goto(`/movies/${movieId}`)
  await waitForHydration(page)
  const dialog = page.getByRole('dialog', { name, exact: true })
  const open = async (label: string) => {
    await page.getByRole('button', { name: new RegExp(`^${label}.*your diary\\)$`) }).click()
    await dialog.waitFor()
  }
  const save = async (status: string) => {
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await expect.poll(async () => (await mine()).status).toBe(status)
  }

  // With the keyboard only: the same form as everywhere, with stars, “Watched” and today.
  await page.getByRole('button', { name: 'Log (not in your diary)' }).press('Enter')
  const log = page.getByRole('dialog', { name: 'Log' })
  await log.getByRole('radio', { name: /^1 star/ }).waitFor()
  expect(await log.getByRole('radio', { name: 'Watched', exact: true }).isChecked()).toBe(true)
  expect(await log.getByLabel('Date').inputValue()).toBe(today())
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await log.waitFor({ state: 'hidden' })
  const button = page.getByRole('button', { name: /your diary\)$/ })
  await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.getByRole('button', { name: 'Want to watch' }).press('Enter')
  await page.getByText(`“${name}” is on your want list`).waitFor()
  await expect.poll(async () => (await mine()).status).toBe('want')

  await open('Want to watch')
  await dialog.getByRole('radio', { name: 'Watching' }).click()
  expect(await dialog.getByLabel('Started on').inputValue()).toBe(today())
  await save('started')

  await open('Watching')
  await dialog.getByRole('radio', { name: 'Watched' }).click()
  await dialog.getByLabel('Started on').fill('2024-02-28')
  await dialog.getByLabel('Watched on').fill('2024-02-27')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText(messages.endBeforeStart).waitFor()
  await dialog.getByLabel('Watched on').fill('2024-02-29')
  await dialog.getByLabel('Private note').fill('At home.')
  await save('finished')
  await page.getByRole('button', { name: 'Watched on 29 Feb 2024 (change your diary)' }).waitFor()

  await page.getByRole('radio', { name: '4 stars' }).click()
  await expect.poll(async () => (await mine()).entries[0]?.rating).toBe(4)

  await open('Watched on')
  expect(await dialog.getByLabel('Watched on').inputValue()).toBe('2024-02-29')
  await dialog.getByRole('button', { name: 'Log it again' }).click()
  expect(await log.getByLabel('Watched again').isChecked()).toBe(true)
  await page.keyboard.press('Escape')
  await log.waitFor({ state: 'hidden' })

  await page.goto('/diary')
  const month = page.getByRole('region', { name: 'February 2024' })
  const row = month.getByRole('listitem')
  await row.getByRole('link', { name }).waitFor()
  await row.getByRole('img', { name: '4 out of 5 stars' }).waitFor()
  await row.getByText('At home.').waitFor()
  await month.getByRole('heading', { name: '29 February 2024' }).waitFor()
  await row.getByRole('link', { name }).press('e')
  await dialog.getByLabel('Watched on').fill('2024-02-28')
  await save('finished')
  await expect.poll(async () => (await mine()).entries[0]?.finishedOn).toBe('2024-02-28')
  await page.getByRole('button', { name: 'Show 2024' }).click()
  await page.waitForURL(/year=2024/)
  await page.getByRole('link', { name: 'My 2024' }).click()
  await page.getByRole('heading', { level: 1, name: 'My 2024' }).waitFor()
  await page.getByRole('region', { name: 'First and last' }).getByRole('link', { name }).first().waitFor()
  await page.getByText('Show as table').first().click()
  await page.getByRole('row', { name: /^February 1 0 0 0$/ }).waitFor()
  await expectAccessible(page)
})

test('the log of a title rates, dates and reviews it with one button, and marks spoilers', async () => {
  const member = await aMember('diary.logs')
  const movieId = await aMovie(member, 'Logged at once')
  const page = await newPage()
  await logInAs(page, member)
  await page.goto(`/movies/${movieId}`)
  await waitForHydration(page)
  let clicks = 0
  const press = async (name: string | RegExp, role: 'button' | 'radio' = 'button') => {
    clicks++
    const control = page.getByRole(role, { name }).and(page.locator(':not([aria-hidden])'))
    await (role === 'radio' ? page.getByRole('dialog').getByRole(role, { name }) : control.first()).click()
  }
  await press('Log (not in your diary)')
  await press(/^4 stars/, 'radio')
  const log = page.getByRole('dialog', { name: 'Log' })
  await log.getByLabel('Review').fill('The ship sinks.')
  await log.getByLabel('My review contains spoilers').check()
  await log.getByRole('button', { name: 'Log', exact: true }).click()
  // The best rival needs three.
  expect(++clicks).toBeLessThanOrEqual(3)
  await page.getByText('“Logged at once” is in your diary').waitFor()
  const { review } = (
    await call<{ review: object }>(`/reviews/mine?movieId=${movieId}`, { token: member.token })
  ).body
  expect(review).toMatchObject({ rating: 4, text: 'The ship sinks.', hasSpoilers: true })
  const { entries } = (await call<Mine>(`/diary/mine?movieId=${movieId}`, { token: member.token })).body
  expect(entries).toMatchObject([{ status: 'finished', finishedOn: today(), rating: 4 }])
  // A review that is there is edited on the page of the title.
  await page.getByRole('button', { name: /change your diary/ }).click()
  await page.getByRole('button', { name: 'Log it again' }).click()
  await log.getByLabel('Watched again').waitFor()
  expect(await log.getByLabel('Review').count()).toBe(0)
})

variation(
  'a rating that is saved while the module that logs it loads is logged when it has loaded',
  async () => {
    const member = await aMember('diary.slow')
    const id = await aMovie(member, 'Seen on a slow line')
    const mine = async () => (await call<Mine>(`/diary/mine?movieId=${id}`, { token: member.token })).body
    const page = await newPage()
    await logInAs(page, member)
    await page.addInitScript(() => localStorage.setItem('log always', 'yes'))
    const held: (() => Promise<void>)[] = []
    await page.route('**/assets/**/*.js', async (route) => {
      const response = await route.fetch()
      const isLogger = english(await response.text()).includes('added to your diary')
      if (isLogger) held.push(() => route.fulfill({ response }))
      else await route.fulfill({ response })
    })
    await page.goto(`/movies/${id}`)
    await waitForHydration(page)
    const saved = page.waitForResponse((response) => response.url().includes('reviews.save'))
    await page
      .getByRole('region', { name: 'Share Your Take' })
      .getByRole('radio', { name: /^3 stars/ })
      .click()
    await saved
    await expect.poll(() => held.length).toBeGreaterThan(0)
    expect((await mine()).entries).toEqual([])
    for (const release of held) await release()
    await expect.poll(async () => (await mine()).entries[0]?.finishedOn).toBe(today())
  },
)

variation(
  '“Watched today” logs a title with its rating, takes it back, and is a setting for every rating',
  async () => {
    const member = await aMember('diary.today')
    const [first, second] = [await aMovie(member, 'Seen today'), await aMovie(member, 'Seen today too')]
    const mine = async (id: number) =>
      (await call<Mine>(`/diary/mine?movieId=${id}`, { token: member.token })).body
    const page = await newPage()
    await logInAs(page, member)
    await page.goto('/items?sort=added')
    await waitForHydration(page)
    await page.getByRole('button', { name: 'Actions for Seen today', exact: true }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Seen today', exact: true })
    const box = dialog.getByRole('checkbox', { name: 'Watched today' })
    // Nothing is logged unless it is checked.
    await box.check()
    expect((await mine(first)).status).toBeNull()
    await page.keyboard.press('4')
    await expect.poll(async () => (await mine(first)).entries[0]?.finishedOn).toBe(today())
    await box.uncheck()
    await expect.poll(() => mine(first)).toEqual({ status: null, entries: [] })
    // Also while the entry is being saved.
    const saving = await holdResponse(page, 'diary.create')
    await box.check()
    await box.uncheck()
    const taken = page.waitForResponse(/diary\.remove/)
    saving.release()
    await taken
    await expect.poll(() => mine(first)).toEqual({ status: null, entries: [] })

    await page.goto('/settings')
    await page.getByRole('checkbox', { name: 'Always log when I rate' }).check()
    await page.goto(`/movies/${second}`)
    await page
      .getByRole('region', { name: 'Share Your Take' })
      .getByRole('radio', { name: /^3 stars/ })
      .click()
    await expect.poll(async () => (await mine(second)).entries[0]?.finishedOn).toBe(today())
    const undo = page.getByRole('button', { name: 'Undo' })
    await undo.waitFor()
    // The toast makes way for what has the focus.
    const covers = () =>
      page.evaluate(() => {
        const focused = document.activeElement!.getBoundingClientRect()
        return [...document.querySelectorAll('.toast')].some((toast) => {
          const { top, bottom, left, right } = toast.getBoundingClientRect()
          return focused.bottom > top && focused.top < bottom && focused.right > left && focused.left < right
        })
      })
    for (const control of await page.getByRole('main').locator('a, button, textarea').all()) {
      if (!(await control.isVisible()) || !(await control.isEnabled())) continue
      await control.focus()
      await expect.poll(covers).toBe(false)
    }
    await undo.click()
    await expect.poll(() => mine(second)).toEqual({ status: null, entries: [] })
  },
)

variation('a diary entry that another tab has changed is not replaced without saying so', async () => {
  const member = await aMember('diary.tabs')
  const movieId = await aMovie(member, 'A film in two tabs')
  const entry = { movieId, status: 'finished', finishedOn: '2024-05-01', text: 'Of both tabs.' }
  const { body } = await post<{ entry: { id: number } }>('/diary', entry, member.token)
  const page = await newPage()
  await logInAs(page, member)
  await page.goto('/diary')
  await page.getByRole('button', { name: 'Edit the entry of A film in two tabs' }).click()
  const dialog = page.getByRole('dialog', { name: 'A film in two tabs', exact: true })
  await dialog.getByLabel('Private note').fill('Of this tab.')
  const { status } = await call(`/diary/${body.entry.id}`, {
    method: 'PATCH',
    body: JSON.stringify({ text: 'Of the other tab.' }),
    token: member.token,
  })
  expect(status).toBe(200)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText(/Of the other tab/).waitFor()
  const note = async () =>
    (await call<{ entries: { text: string }[] }>('/diary', { token: member.token })).body.entries[0]?.text
  expect(await note()).toBe('Of the other tab.')
  await dialog.getByRole('button', { name: 'Replace it' }).click()
  await expect.poll(note).toBe('Of this tab.')
})

variation('a diary is private until its owner chooses otherwise in the settings', async () => {
  const [owner, reader] = [await aMember('diary.owner'), await aMember('diary.reader')]
  const movieId = await aMovie(owner, 'A film of the owner')
  const entry = { movieId, status: 'finished', finishedOn: '2024-05-01', text: 'A secret note.' }
  const { status } = await call('/diary', { method: 'POST', body: JSON.stringify(entry), token: owner.token })
  expect(status).toBe(201)
  const [page, settings] = [await newPage(), await newPage()]
  await logInAs(page, reader)
  await page.goto(`/user/${owner.user.id}/diary`)
  await page.getByText(messages.diaryPrivate).waitFor()
  await page.goto(`/user/${owner.user.id}/year/2024`)
  await page.getByText(messages.diaryPrivate).waitFor()
  await page.goto(`/user/${owner.user.id}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await page.getByRole('link', { name: 'Diary', exact: true }).count()).toBe(1)

  await logInAs(settings, owner)
  await settings.goto('/settings')
  await waitForHydration(settings)
  await settings.getByRole('combobox', { name: 'Who can see your diary' }).click()
  await settings.getByRole('option', { name: 'Everyone' }).click()
  await settings.getByText('The setting is saved.').waitFor()

  await page.goto(`/user/${owner.user.id}`)
  await page.getByRole('main').getByRole('link', { name: 'Diary', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Diary of diary.owner' }).waitFor()
  await page.getByRole('link', { name: 'A film of the owner' }).waitFor()
  expect(await page.content()).not.toContain('A secret note.')
  await expectAccessible(page)
})

variation('a visitor is asked to log in', async () => {
  const page = await newPage()
  await page.goto('/movies/1')
  await waitForHydration(page)
  await page.getByRole('button', { name: /^Want to watch/ }).click()
  await page.getByText(specified('Please log in first.')).waitFor()
})

test('one press on Home finishes what was started, and can be undone', async () => {
  const member = await aMember('diary.continues')
  const movieId = await aMovie(member, 'A long film')
  await post('/diary', { movieId, status: 'started', startedOn: '2026-01-02' }, member.token)
  const mine = async () => (await call<Mine>(`/diary/mine?movieId=${movieId}`, { token: member.token })).body
  const page = await newPage()
  await logInAs(page, member)
  await page.goto('/')
  await waitForHydration(page)
  await page.getByRole('button', { name: 'Mark A long film as watched' }).click()
  await expect.poll(async () => (await mine()).status).toBe('finished')
  expect((await mine()).entries[0]!.finishedOn).toBe(today())
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(async () => (await mine()).status).toBe('started')
  await page.getByRole('button', { name: 'Mark A long film as watched' }).waitFor()
})
