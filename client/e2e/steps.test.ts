import { expect, test } from 'vitest'
import {
  aMember,
  call,
  expectAccessible,
  horizontalOverflow,
  logInAs,
  newPage,
  sizes,
  useBrowser,
  waitForHydration,
} from './site.ts'

useBrowser()

type Listed = {
  entries: { id: number; status: string; progress: { value: number; percent: number } | null }[]
}

test('a member says on Home how far they are in a book, takes it back, and finishes it at the end, with a phone', async () => {
  const member = await aMember('pages.member')
  const { token } = member
  const { body } = await call<{ items: { id: number }[] }>('/items?category=Book&limit=1', { token })
  const begun = { bookId: body.items[0]!.id, status: 'started' }
  const created = await call<{ entry: { pageCount: number } }>('/diary', {
    token,
    method: 'POST',
    body: JSON.stringify(begun),
  })
  const pages = created.body.entry.pageCount
  const stored = async () => (await call<Listed>('/diary', { token })).body.entries[0]!

  const page = await newPage(sizes[1])
  await logInAs(page, member)
  await page.goto('/')
  await waitForHydration(page)
  const strip = page.getByRole('list', { name: 'Continue' })
  const field = strip.getByRole('textbox', { name: /^Page of / })
  await field.fill(String(pages + 1))
  await field.press('Enter')
  await strip.getByRole('alert').waitFor()
  expect((await stored()).progress).toBeNull()
  await field.fill('12')
  await field.press('Enter')
  await expect.poll(async () => (await stored()).progress?.value).toBe(12)
  await expectAccessible(page)
  expect(await horizontalOverflow(page)).toBe(0)
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect.poll(async () => (await stored()).progress).toBeNull()

  await field.fill(String(pages))
  await strip.getByRole('button', { name: /^Update: / }).click()
  await expect.poll(async () => (await stored()).progress?.percent).toBe(100)
  expect((await stored()).status).toBe('started')
  await strip.getByText('Read', { exact: true }).click()
  await expect.poll(async () => (await stored()).status).toBe('finished')

  await call(`/diary/${(await stored()).id}`, {
    token,
    method: 'PATCH',
    body: JSON.stringify({ status: 'started' }),
  })
  await page.goto('/diary')
  await waitForHydration(page)
  await page.getByText(`Page ${pages} of ${pages}`).waitFor()
  await page.getByRole('button', { name: /^Edit/ }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('list', { name: 'Progress' }).waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: `Delete: Page ${pages}` }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect.poll(async () => (await stored()).progress).toBeNull()
})
