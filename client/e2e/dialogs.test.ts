import { readFile, glob } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import {
  aMember,
  aMovie,
  call,
  logInAs,
  newPage,
  post,
  siteDatabase,
  useBrowser,
  waitForHydration,
} from './site.ts'

useBrowser()

const db = siteDatabase()

type Case = {
  path: string
  /** Opens the dialog. */
  open: (page: Page) => Promise<void>
  /** The labels of its text fields. */
  fields: string[]
}

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()

/** The dialogs with text fields, by their modules. */
async function aScene(): Promise<{
  page: Page
  cases: Record<string, Case>
  movieId: number
  token: string
}> {
  const member = await aMember('writes.in.dialogs')
  const other = await aMember('is.reported')
  await db.updateTable('users').set({ role: 'moderator' }).where('id', '=', member.user.id).execute()
  const { token } = member
  const name = `A film for dialogs ${member.user.id}`
  const movieId = await aMovie(member, name)
  await post('/reviews', { movieId, rating: 3, text: 'To be reported.' }, other.token)
  const { list } = (await post<{ list: { id: number } }>('/lists', { title: 'In dialogs' }, token)).body
  await post('/diary', { movieId, status: 'started' }, token)
  await post(`/lists/${list.id}/items/batch`, { items: [{ itemId: movieId }] }, token)
  const page = await newPage()
  await logInAs(page, { ...member, user: { ...member.user, role: 'moderator' } as never })
  const title = `/movies/${movieId}`
  const ofList = `/list/${list.id}`
  return {
    page,
    movieId,
    token,
    cases: {
      'diary/entry-dialog.tsx': { path: title, open: press(/change your diary/), fields: ['Private note'] },
      'routes/-shell/log-dialog.tsx': {
        path: title,
        async open() {
          // Opened anew on each page: the form of the title shares its note.
          await page.locator('.bottom-bar').waitFor({ state: 'attached' })
          await page.keyboard.press('n')
          await page.getByRole('dialog').getByRole('searchbox').fill(name)
          await page
            .getByRole('dialog')
            .getByRole('list', { name: 'Titles' })
            .getByRole('button')
            .first()
            .click()
          await page.getByRole('button', { name: 'Add a private note' }).click()
        },
        fields: ['Private note', 'Review'],
      },
      'lists/list-dialog.tsx': {
        path: '/lists',
        open: press('New list'),
        fields: ['Title', 'Description', 'Tags'],
      },
      'lists/add-to-list.tsx': { path: title, open: press('Add to list'), fields: ['New list'] },
      'lists/owner-tools.tsx': { path: ofList, open: press('Editors'), fields: ['Invite a member'] },
      'lists/title-dialogs.tsx': {
        path: ofList,
        async open() {
          const edit = page.getByRole('button', { name: `Edit ${name}` })
          const start = page.getByRole('button', { name: 'Edit titles' })
          await edit.or(start).first().waitFor()
          if (await start.isVisible()) await start.click()
          await edit.click()
        },
        fields: ['Note'],
      },
      'members/report-dialog.tsx': {
        path: title,
        async open() {
          await page
            .getByRole('button', { name: /^Follow, mute, block or report/ })
            .first()
            .click()
          await page.getByRole('button', { name: 'Report the review' }).click()
        },
        fields: ['Comment'],
      },
      'accounts/settings/new-token-dialog.tsx': {
        path: '/settings?tab=account&developers=yes',
        open: press('New token'),
        fields: ['Name'],
      },
      'accounts/settings/new-webhook-dialog.tsx': {
        path: '/settings?tab=account&developers=yes',
        open: press('New webhook'),
        fields: ['URL'],
      },
      'admin/reports/decision-dialog.tsx': {
        path: '/admin/titles',
        open: press(`Remove ${name}`),
        fields: ['Reason'],
      },
      'admin/titles-section.tsx': {
        path: '/admin/titles',
        open: press(`Correct ${name}`),
        fields: ['Name', 'Description'],
      },
    },
  }
}

const field = (page: Page, label: string): Locator =>
  page.getByRole('dialog').getByRole('textbox', { name: label, exact: true })

/** The focus never falls to the body, where keys are shortcuts. */
const expectFocus = (page: Page, message: string) =>
  expect.poll(() => page.evaluate(() => document.activeElement?.tagName), { message }).not.toBe('BODY')

/** Opens a page by its path, after a page to which Back leads. */
async function visit(page: Page, path: string): Promise<void> {
  await page.goto('/items')
  await page.goto(path)
  await waitForHydration(page)
}

test('the tests below know every module with a dialog that has a text field', async () => {
  const { cases } = await aScene()
  const found: string[] = []
  for await (const file of glob('client/**/*.tsx')) {
    const text = await readFile(file, 'utf8')
    if (/<(Secret)?Dialog\b/.test(text) && /<Text(Field|Area)\b(?!\s+isKept=\{false\})/.test(text))
      found.push(file.replace('client/', ''))
  }
  // A passkey needs an authenticator: see sign-in.test.ts.
  expect(found.sort()).toEqual([...Object.keys(cases), 'accounts/settings/passkey-name-dialog.tsx'].sort())
})

test('what is written in a dialog is back after Escape, a press outside, Back and a reload, until it is discarded', async () => {
  const { page, cases } = await aScene()
  for (const [module, { path, open, fields }] of Object.entries(cases)) {
    const expectTexts = async (of: (label: string) => string, when: string) => {
      for (const label of fields)
        await expect
          .poll(() => field(page, label).inputValue(), { message: `${module}, ${label} ${when}` })
          .toBe(of(label))
    }
    const text = (label: string) => `${label} of ${module}`
    const closed = () => page.getByRole('dialog').waitFor({ state: 'hidden' })
    await visit(page, path)
    await open(page)
    const before: Record<string, string> = {}
    for (const label of fields) {
      before[label] = await field(page, label).inputValue()
      await field(page, label).fill(text(label))
    }
    await page.keyboard.press('Escape')
    await closed()
    await expectFocus(page, module)
    await open(page)
    await expectTexts(text, 'after Escape')
    await page.mouse.click(5, 5)
    await closed()
    await open(page)
    await expectTexts(text, 'after a press outside')
    await page.goBack()
    await page.waitForURL('**/items')
    await page.goForward()
    await waitForHydration(page)
    await open(page)
    await expectTexts(text, 'after Back')
    await page.reload()
    await waitForHydration(page)
    await open(page)
    await expectTexts(text, 'after a reload')
    await page.getByRole('dialog').getByRole('button', { name: 'Discard it' }).click()
    await expectTexts((label) => before[label]!, 'after it was discarded')
    await page.keyboard.press('Escape')
    await closed()
    await open(page)
    await expectTexts((label) => before[label]!, 'when it is opened again')
  }
})

test('what was saved in a dialog is not kept, and is saved', async () => {
  const { page, cases, movieId, token } = await aScene()
  const kept = () =>
    page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('draft dialog')))
  const submits: Record<string, string> = {
    'diary/entry-dialog.tsx': 'Save',
    'lists/add-to-list.tsx': 'Create and add',
    'lists/title-dialogs.tsx': 'Save',
    'lists/list-dialog.tsx': 'Create list',
    'members/report-dialog.tsx': 'Report',
    'accounts/settings/new-token-dialog.tsx': 'Create token',
    'admin/titles-section.tsx': 'Save',
  }
  for (const [module, submit] of Object.entries(submits)) {
    const { path, open, fields } = cases[module]!
    await visit(page, path)
    await open(page)
    for (const label of fields) await field(page, label).fill('Saved')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(await kept(), module).toHaveLength(1)
    await open(page)
    await expect.poll(() => field(page, fields[0]!).inputValue()).toBe('Saved')
    const spam = page.getByRole('dialog').getByRole('radio', { name: /Spam/ })
    if (module === 'members/report-dialog.tsx') await spam.click()
    await page.getByRole('dialog').getByRole('button', { name: submit, exact: true }).click()
    await expect.poll(kept, { message: module }).toEqual([])
    await expectFocus(page, `${module}, saved`)
  }
  const { entries } = (
    await call<{ entries: { text: string }[] }>(`/diary/mine?movieId=${movieId}`, { token })
  ).body
  expect(entries.map(({ text }) => text)).toEqual(['Saved'])
})

test('in every list of choices below a field, arrow keys lead to the choices and back, Enter chooses, and the focus stays', async () => {
  const { page, cases } = await aScene()
  const friend = await aMember('is.invited')
  const focused = () => page.evaluate(() => document.activeElement?.tagName)
  const choices: [path: string, open: (page: Page) => Promise<unknown>, field: string, text: string][] = [
    ['/lists', async () => page.keyboard.press('n'), 'What did you watch, read or play?', 'the'],
    [cases['lists/owner-tools.tsx']!.path, () => press(/^(Edit|Add) titles$/)(page), 'Add titles', 'the'],
    [
      cases['lists/owner-tools.tsx']!.path,
      () => press('Editors')(page),
      'Invite a member',
      friend.user.username,
    ],
    ['/', async () => press(/^Choose number/)(page), 'Number 1', 'the'],
  ]
  for (const [path, open, label, text] of choices) {
    await visit(page, path)
    await page.locator('.bottom-bar').waitFor({ state: 'attached' })
    await open(page)
    const input = page.getByLabel(label, { exact: true }).and(page.locator('input'))
    await input.pressSequentially(text)
    const list = page.getByRole('list', { name: /^Titles$|^Members to invite$/ })
    await list.getByRole('button').first().waitFor()
    await expect
      .poll(
        async () => {
          await input.press('ArrowDown')
          return focused()
        },
        { message: label },
      )
      .toBe('BUTTON')
    await page.keyboard.press('ArrowUp')
    expect(await focused(), label).toBe('INPUT')
    await page.keyboard.press('Enter')
    await expectFocus(page, label)
    await page.keyboard.press('Escape')
  }
})
