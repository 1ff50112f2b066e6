import { expect, test } from 'vitest'
import {
  aMember,
  aMovie,
  call,
  expectAccessible,
  logInAs,
  newPage,
  pathOf,
  useBrowser,
  waitForHydration,
} from './site.ts'

useBrowser()

test('a title goes into a new list from its page, is moved there by keyboard and undone, and a visitor reads the list', async () => {
  const owner = await aMember('lists.owner')
  const names = ['Lists Alpha', 'Lists Beta', 'Lists Gamma']
  const ids: number[] = []
  for (const name of names) ids.push(await aMovie(owner, name))
  const page = await newPage()
  await logInAs(page, owner)
  await page.goto(`/movies/${ids[0]}`)
  await waitForHydration(page)
  await page.getByRole('button', { name: 'Add to list…' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add to list' })
  await dialog.getByRole('textbox', { name: 'New list' }).fill('Films in order')
  await dialog.getByRole('button', { name: 'Create and add' }).click()
  await page.getByText('Added to “Films in order”').waitFor()

  await page.goto('/lists?tab=mine')
  await page.getByRole('link', { name: 'Films in order' }).click()
  await page.getByRole('heading', { level: 1, name: 'Films in order' }).waitFor()
  const path = pathOf(page)
  const list = page.getByRole('list', { name: 'Films in order' })
  const order = () => list.locator('.card-link').allInnerTexts()
  await page.getByRole('button', { name: 'Edit titles' }).click()
  const search = page.getByRole('searchbox', { name: 'Add titles' })
  for (const name of names.slice(1)) {
    await search.fill(name)
    await page.getByRole('list', { name: 'Titles to add' }).getByRole('button', { name }).click()
    await expect.poll(order).toContain(name)
  }
  await page.getByRole('button', { name: 'Move Lists Gamma, position 3' }).focus()
  await page.keyboard.press('Alt+ArrowUp')
  await expect.poll(order).toEqual(['Lists Alpha', 'Lists Gamma', 'Lists Beta'])
  await page.getByRole('checkbox', { name: 'Select Lists Alpha' }).check()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect.poll(order).toEqual(['Lists Gamma', 'Lists Beta'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(order).toEqual(['Lists Alpha', 'Lists Gamma', 'Lists Beta'])
  await expectAccessible(page)
  const items = () =>
    call<{ items: { title: { name: string } }[] }>(`${path.replace('/list/', '/lists/')}/items`)
  await expect
    .poll(async () => (await items()).body.items.map(({ title }) => title.name))
    .toEqual(['Lists Alpha', 'Lists Gamma', 'Lists Beta'])

  const visitor = await newPage()
  await visitor.goto(path)
  await visitor.getByRole('heading', { level: 1, name: 'Films in order' }).waitFor()
  await expectAccessible(visitor)
})
