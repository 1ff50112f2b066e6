import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import {
  aMember,
  aMovie,
  call,
  expectAccessible,
  holdResponse,
  logInAs,
  navigate,
  newPage,
  pathOf,
  post,
  sizes,
  stubError,
  useBrowser,
  waitForHydration,
} from './site.ts'
import { variation } from '#scripts/testing/variation.ts'

useBrowser()

/** Returns the titles of a list that is being edited, in their order. */
async function editedOrder(list: Locator): Promise<string[]> {
  const boxes = list.getByRole('checkbox')
  const labels = await boxes.evaluateAll((all) => all.map((box) => box.getAttribute('aria-label')!))
  return labels.map((label) => label.slice('Select '.length))
}

test('a title goes into a new list from its page, is moved there by keyboard and undone, and a visitor reads the list', async () => {
  const owner = await aMember('lists.owner')
  const names = ['Lists Alpha', 'Lists Beta', 'Lists Gamma']
  const ids: number[] = []
  for (const name of names) ids.push(await aMovie(owner, name))
  const page = await newPage()
  await logInAs(page, owner)
  let clicks = 0
  const press = async (control: Locator) => {
    clicks++
    await control.click()
  }
  await page.goto(`/movies/${ids[0]}`)
  await waitForHydration(page)
  await press(page.getByRole('button', { name: 'Add to list…' }).first())
  const dialog = page.getByRole('dialog', { name: 'Add to list' })
  const title = dialog.getByRole('textbox', { name: 'New list' })
  // The browser cuts a longer one, which is said.
  await title.fill('x'.repeat(101))
  await dialog.getByText('At most 100 characters.').waitFor()
  await title.fill('Films in order')
  await press(dialog.getByRole('button', { name: 'Create and add' }))
  await page.getByText('Added to “Films in order”').waitFor()
  await press(page.getByRole('button', { name: 'Open list' }))
  await page.getByRole('heading', { level: 1, name: 'Films in order' }).waitFor()
  const path = pathOf(page)
  await press(page.getByRole('button', { name: 'Share' }))
  const share = page.getByRole('dialog')
  await press(share.getByRole('button', { name: /copy link/i }))
  await page
    .getByText(/^(Link copied|Copy this address)$/)
    .first()
    .waitFor()
  // From the page of a title to the address of a list that others can read.
  expect(clicks).toBeLessThanOrEqual(5)
  await page.keyboard.press('Escape')
  const list = page.getByRole('list', { name: 'Films in order' })
  const order = () => editedOrder(list)
  await page.getByRole('button', { name: 'Edit titles' }).click()
  const search = page.getByRole('searchbox', { name: 'Add titles' })
  for (const name of names.slice(1)) {
    await search.fill(name)
    await page.getByRole('list', { name: 'Titles' }).getByRole('button', { name }).click()
    await expect.poll(order).toContain(name)
  }
  // A row is low, and is moved by what is first in it.
  const row = (await list.getByRole('listitem').first().boundingBox())!
  expect(row.height).toBeLessThanOrEqual(66)
  const handle = (await list
    .getByRole('button', { name: /^Move / })
    .first()
    .boundingBox())!
  expect(handle.x).toBeLessThanOrEqual(row.x)
  expect(await list.getByRole('listitem').first().getByRole('button').count()).toBe(2)
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
  const tag = (name: string) => visitor.locator(`meta[property="og:${name}"]`).getAttribute('content')
  const apiPath = path.replace('/list/', '/lists/')
  expect(await tag('image')).toContain(`${apiPath}/share.jpg?`)

  // Without its link, the list is not found.
  const { body } = await call<{ list: { link: string } }>(apiPath, {
    method: 'PATCH',
    body: JSON.stringify({ visibility: 'link' }),
    token: owner.token,
  })
  await visitor.goto(body.list.link)
  expect(await tag('url')).toContain(body.list.link)
})

variation(
  'a title that is moved beyond the loaded part of a long list is there once, and comes back with the undo',
  async () => {
    const owner = await aMember('lists.long')
    const { items } = (await call<{ items: { id: number }[] }>('/items?limit=65')).body
    const { list } = (await post<{ list: { id: number } }>('/lists', { title: 'Long' }, owner.token)).body
    const ids = items.map(({ id }) => id)
    await post(`/lists/${list.id}/items/batch`, { items: ids.map((itemId) => ({ itemId })) }, owner.token)
    const page = await newPage()
    await logInAs(page, owner)
    await page.goto(`/list/${list.id}`)
    await waitForHydration(page)
    await page.getByRole('button', { name: 'Edit titles' }).click()
    const shown = () =>
      page
        .locator('[data-item]')
        .evaluateAll((rows) => rows.map((row) => Number((row as HTMLElement).dataset['item'])))
    await expect.poll(shown).toEqual(ids.slice(0, 60))
    await page
      .getByRole('button', { name: /^Edit / })
      .first()
      .click()
    const dialog = page.getByRole('dialog')
    const position = dialog.getByRole('textbox', { name: 'Move to position' })
    await position.fill('last')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('A number from 1 to 65.').waitFor()
    await position.fill('64')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect.poll(shown).toEqual(ids.slice(1, 60))
    const restore = await stubError(page, 'lists.items')
    const more = page.getByRole('button', { name: 'Load more' })
    await more.click()
    await page.getByRole('alert').getByText('The next ones did not load.').waitFor()
    restore()
    await more.click()
    await expect.poll(shown).toEqual([...ids.slice(1, 64), ids[0], ids[64]])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(shown).toEqual(ids)
  },
)

/** Adds a list with movies of a member. Returns its path and the names of the titles in order. */
async function aList(owner: Awaited<ReturnType<typeof aMember>>, title: string, count: number) {
  const names = Array.from({ length: count }, (_, at) => `${title} ${at + 1}`)
  const items: { itemId: number }[] = []
  for (const name of names) items.push({ itemId: await aMovie(owner, name) })
  const { body } = await post<{ list: { id: number } }>(
    '/lists',
    { title, visibility: 'public' },
    owner.token,
  )
  const path = `/lists/${body.list.id}`
  await post(`${path}/items/batch`, { items }, owner.token)
  return { path, page: `/list/${body.list.id}`, names }
}

const orderOf = async (path: string) => {
  const { body } = await call<{ items: { title: { name: string } }[] }>(`${path}/items`)
  return body.items.map(({ title }) => title.name)
}

/** Drags with a finger from one control to another. */
async function drag(page: Page, from: Locator, to: Locator) {
  const devtools = await page.context().newCDPSession(page)
  const centre = async (of: Locator) => {
    const { x, y, width, height } = (await of.boundingBox())!
    return { x: x + width / 2, y: y + height / 2 }
  }
  const [start, end] = [await centre(from), await centre(to)]
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [start] })
  for (const part of [0.25, 0.5, 0.75, 1]) {
    const point = { x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part }
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [point] })
  }
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

variation(
  'on a phone titles are dragged with a finger, several move to a position together, and both are undone',
  async () => {
    const owner = await aMember('lists.touch')
    const { path, page: address, names } = await aList(owner, 'Touch', 4)
    const page = await newPage(sizes[1], 'light', { hasTouch: true })
    await logInAs(page, owner)
    await page.goto(address)
    await waitForHydration(page)
    await page.getByRole('button', { name: 'Edit titles' }).tap()
    const handle = (at: number) => page.getByRole('button', { name: `Move ${names[at]}, ` })
    // Near an edge of the window, a drag scrolls the page.
    await handle(0).evaluate((control) => control.scrollIntoView({ block: 'center' }))
    const scrolledTo = await page.evaluate(() => scrollY)
    const [one, two, three, four] = names
    const isMoved = page.waitForResponse((response) => response.url().includes('lists.changeItems'))
    await drag(page, handle(0), handle(1))
    await isMoved
    // At once: a browser that takes the drag for a fling ignores this tap.
    await page.getByRole('button', { name: 'Undo' }).tap()
    await page.getByText(`Moved “${one}”`).waitFor({ state: 'detached' })
    await expect.poll(() => orderOf(path)).toEqual(names)
    // The finger has moved the title, not the page.
    expect(await page.evaluate(() => scrollY)).toBe(scrolledTo)

    await drag(page, handle(0), handle(1))
    await expect.poll(() => orderOf(path)).toEqual([two, one, three, four])
    // By keyboard from here on: a toast that appears may move under the finger, or cover a control.
    await page.getByRole('button', { name: 'Undo' }).press('Enter')
    await expect.poll(() => orderOf(path)).toEqual(names)

    for (const name of [four, one]) await page.getByRole('checkbox', { name: `Select ${name}` }).press(' ')
    await page.getByRole('button', { name: 'Move to position…' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Move 2 titles' })
    await dialog.getByRole('textbox', { name: 'Position' }).fill('2')
    await dialog.getByRole('button', { name: 'Move', exact: true }).press('Enter')
    await expect.poll(() => orderOf(path)).toEqual([two, one, four, three])
    await page.getByText('Moved 2 titles').waitFor()
    await page.getByRole('button', { name: 'Undo' }).first().press('Enter')
    await expect.poll(() => orderOf(path)).toEqual(names)
  },
)

test('Escape during a drag leaves the order as it was', async () => {
  const owner = await aMember('lists.escape')
  const { path, page: address, names } = await aList(owner, 'Escape', 3)
  const page = await newPage()
  await logInAs(page, owner)
  await page.goto(address)
  await waitForHydration(page)
  await page.getByRole('button', { name: 'Edit titles' }).click()
  const order = () => editedOrder(page.getByRole('list', { name: 'Escape' }))
  const handle = (at: number) => page.getByRole('button', { name: `Move ${names[at]}, ` })
  const changes: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') changes.push(request.url())
  })
  await handle(0).hover()
  await page.mouse.down()
  await handle(2).hover()
  await expect.poll(order).toEqual([names[1], names[2], names[0]])
  await page.keyboard.press('Escape')
  await expect.poll(order).toEqual(names)
  await page.mouse.up()
  expect(await order()).toEqual(names)
  expect(await orderOf(path)).toEqual(names)
  expect(changes).toEqual([])
})

variation(
  'a list is found by its title, among all lists and among more than a hundred lists of a member',
  async () => {
    const owner = await aMember('lists.many')
    const movieId = await aMovie(owner, 'Filed')
    const create = (title: string) =>
      post<{ list: { id: number } }>('/lists', { title, visibility: 'public' }, owner.token)
    const { list } = (await create('Needle in a haystack')).body
    for (let at = 0; at < 100; at++) expect((await create(`Straw ${at}`)).status).toBe(201)
    const page = await newPage()
    await logInAs(page, owner)
    await page.goto(`/movies/${movieId}`)
    await waitForHydration(page)
    await page.getByRole('button', { name: 'Add to list…' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Add to list' })
    const own = dialog.getByRole('list', { name: 'Your lists' }).getByRole('button')
    await expect.poll(() => own.count()).toBe(101)
    await dialog.getByRole('textbox', { name: 'Find a list' }).fill('NEEDLE ')
    await expect.poll(() => own.count()).toBe(1)
    await own.click()
    await page.getByText('Added to “Needle in a haystack”').waitFor()
    expect(await orderOf(`/lists/${list.id}`)).toEqual(['Filed'])

    await page.goto('/lists')
    await waitForHydration(page)
    const search = page.getByRole('searchbox', { name: 'Find lists' })
    await search.fill('needle')
    const found = page.getByRole('list', { name: 'Lists' }).getByRole('link')
    await expect.poll(() => pathOf(page)).toBe('/lists?q=needle')
    await expect.poll(() => found.allInnerTexts()).toContain('Needle in a haystack')
    await search.fill('no such list')
    await page.getByText('No such lists.').waitFor()
    await page.goto('/lists?q=needle')
    await found.filter({ hasText: 'Needle in a haystack' }).click()
    await expect.poll(() => pathOf(page)).toBe(`/list/${list.id}`)
  },
)

test('a deleted list comes back as it was if that is undone, and is gone otherwise', async () => {
  const owner = await aMember('lists.undo')
  const { path, page: address, names } = await aList(owner, 'Undone', 2)
  const page = await newPage()
  await logInAs(page, owner)
  const remove = async () => {
    await page.goto(address)
    await waitForHydration(page)
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expect.poll(() => pathOf(page)).toBe('/lists?tab=mine')
  }
  await remove()
  const card = page.getByRole('link', { name: 'Undone', exact: true })
  await expect.poll(() => card.count()).toBe(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await card.waitFor()
  expect(await orderOf(path)).toEqual(names)
  await remove()
  // Leaving the page sends the deletion.
  await page.goto('/items')
  await expect.poll(async () => (await call(path)).status).toBe(404)
})

test('an undo of what was added to a list shows on the page of the list, and a failed undo is said', async () => {
  const owner = await aMember('lists.undo.add')
  const { page: address } = await aList(owner, 'Added by mistake', 1)
  const movieId = await aMovie(owner, 'Not for the list')
  const page = await newPage()
  await logInAs(page, owner)
  /** Opens the list with the title and the toast. */
  const add = async () => {
    await page.goto(`/movies/${movieId}`)
    await waitForHydration(page)
    await page.getByRole('button', { name: 'Add to list…' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Add to list' })
    await dialog.getByRole('button', { name: /Added by mistake/ }).click()
    await dialog.waitFor({ state: 'hidden' })
    await navigate(page, address)
    await added.waitFor()
  }
  const added = page.getByRole('list').getByRole('link', { name: 'Not for the list' })
  await add()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => added.count()).toBe(0)

  await add()
  await stubError(page, 'lists.changeItems')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('The list was not changed.').waitFor()
})

test('a visitor who opens the address of own lists gets the popular ones', async () => {
  const page = await newPage()
  await page.goto('/lists?tab=mine')
  await waitForHydration(page)
  expect(await page.getByRole('tab', { selected: true }).innerText()).toBe('Popular')
  await page.getByRole('searchbox', { name: 'Find lists' }).waitFor()
})

test('titles that are added to a list before the first response are each confirmed, or each said to be missing', async () => {
  const owner = await aMember('lists.quick')
  const { path, page: address } = await aList(owner, 'Quick', 0)
  const names = ['Quickly one', 'Quickly two']
  for (const name of names) await aMovie(owner, name)
  const page = await newPage()
  await logInAs(page, owner)
  await page.goto(address)
  await waitForHydration(page)
  await page.getByRole('button', { name: 'Edit titles' }).click()
  const choose = async () => {
    for (const name of names) {
      await page.getByRole('searchbox', { name: 'Add titles' }).fill(name)
      await page.getByRole('list', { name: 'Titles' }).getByRole('button', { name }).click()
    }
  }
  const held = await holdResponse(page, 'lists.addItem')
  await choose()
  held.fail()
  for (const name of names) await page.getByText(`“${name}” was not added.`).waitFor()
  held.restore()
  const again = await holdResponse(page, 'lists.addItem')
  await choose()
  again.release()
  for (const name of names) await page.getByText(`Added “${name}”`).waitFor()
  expect(await orderOf(path)).toHaveLength(2)
})

test('a title that is in a list already is said to be, also while other additions are unanswered', async () => {
  const owner = await aMember('lists.twice')
  const { page: address, names } = await aList(owner, 'Twice', 1)
  const there = names[0]!
  await aMovie(owner, 'Added twice')
  const page = await newPage()
  await logInAs(page, owner)
  await page.goto(address)
  await waitForHydration(page)
  await page.getByRole('button', { name: 'Edit titles' }).click()
  const held = await holdResponse(page, 'lists.addItem')
  for (const name of ['Added twice', there, 'Added twice']) {
    await page.getByRole('searchbox', { name: 'Add titles' }).fill(name)
    await page.getByRole('list', { name: 'Titles' }).getByRole('button', { name }).click()
  }
  held.release()
  await page.getByText('Added “Added twice”').waitFor()
  for (const name of ['Added twice', there])
    await page.getByText(`“${name}” is in the list already`).waitFor()
  expect(await page.getByText(/^Added “/).count()).toBe(1)
})

test('what fails on the page of a list is said, and is not taken for an empty list or search', async () => {
  const owner = await aMember('lists.failing')
  const { page: address } = await aList(owner, 'Fails', 1)
  const page = await newPage()
  await logInAs(page, owner)
  for (const procedure of ['lists.like', 'lists.mine', 'movies.search', 'items.search'])
    await stubError(page, procedure)
  await page.goto(address)
  await waitForHydration(page)
  await page.getByRole('button', { name: /^Like/ }).click()
  await page.getByText('That did not work').waitFor()

  await page.getByRole('button', { name: 'Edit titles' }).click()
  await page.getByRole('searchbox', { name: 'Add titles' }).fill('Fails')
  const picker = page.getByRole('region', { name: 'Add titles' })
  await picker.getByText('Something went wrong.').waitFor()
  expect(await picker.getByText('Not here yet.').count()).toBe(0)

  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('list').getByRole('link', { name: 'Fails 1' }).press('l')
  const dialog = page.getByRole('dialog', { name: 'Add to list' })
  await dialog.getByText('Something went wrong.').waitFor()
  expect(await dialog.getByText(/You have no list yet/).count()).toBe(0)
})

variation(
  'titles that are chosen in the library go into a new list in one call, and the next ones into the same',
  async () => {
    const owner = await aMember('lists.library')
    const names = ['Chosen Alpha', 'Chosen Beta', 'Chosen Gamma'] as const
    for (const name of names) {
      const itemId = await aMovie(owner, name)
      await post('/reviews', { itemId, rating: 4 }, owner.token)
    }
    const page = await newPage()
    await logInAs(page, owner)
    const calls: string[] = []
    page.on('request', (request) => void calls.push(request.url()))
    await page.goto(`/user/${owner.user.id}/reviews`)
    await waitForHydration(page)
    await page.getByRole('button', { name: 'Select', exact: true }).click()
    for (const name of names.slice(0, 2)) await page.getByRole('button', { name, exact: true }).click()
    await page.getByText('2 selected').waitFor()
    // The presses have scrolled the page: the bar at its top would cover parts of controls.
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
    await expectAccessible(page)
    await page.getByRole('group', { name: 'Selection' }).getByRole('button', { name: 'Add to list…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add to list' })
    await dialog.getByText('2 titles').waitFor()
    await dialog.getByRole('textbox', { name: 'New list' }).fill('Chosen')
    await dialog.getByRole('button', { name: 'Create and add' }).click()
    await page.getByText('Added to “Chosen”').waitFor()
    const { body } = await call<{ lists: { id: number }[] }>('/users/me/lists', { token: owner.token })
    const path = `/lists/${body.lists[0]!.id}`
    expect(await orderOf(path)).toEqual(names.slice(0, 2))
    expect(calls.filter((url) => url.includes('lists.changeItems'))).toHaveLength(1)

    // All are chosen now; the list has two of them already.
    await page.getByRole('button', { name: names[2], exact: true }).click()
    await page.getByRole('group', { name: 'Selection' }).getByRole('button', { name: 'Add to list…' }).click()
    await dialog.getByRole('list', { name: 'Your lists' }).getByRole('button').first().click()
    await page.getByText('1 title of 3').waitFor()
    expect(await orderOf(path)).toEqual(names)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => orderOf(path)).toEqual(names.slice(0, 2))
  },
)

variation(
  'the owner of a private account who loads a list for everyone sees the list, and not first that there is none',
  async () => {
    const owner = await aMember('lists.private')
    const { list } = (
      await post<{ list: { id: number } }>('/lists', { title: 'Everyone', visibility: 'public' }, owner.token)
    ).body
    await call('/users/me/privacy', {
      method: 'PATCH',
      body: JSON.stringify({ isPrivate: true }),
      token: owner.token,
    })
    const page = await newPage()
    await logInAs(page, owner)
    const held = await holdResponse(page, 'lists.byId')
    await page.goto(`/list/${list.id}`)
    await waitForHydration(page)
    // With reduced motion, styles still take a frame to change.
    await expect.poll(() => page.getByText('List not found.').isVisible()).toBe(false)
    held.release()
    await page.getByRole('heading', { level: 1, name: 'Everyone' }).waitFor()
    await page.goto('/list/99999999')
    await page.getByText('List not found.').waitFor()
  },
)
