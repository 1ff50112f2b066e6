import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import {
  aMember,
  aMovie,
  call,
  logInAs,
  type Member,
  newPage,
  password,
  pathOf,
  post,
  siteDatabase,
  sizes,
  useBrowser,
  waitForHydration,
} from './site.ts'

useBrowser()
const db = siteDatabase()

type Row = {
  action: string
  path: string
  press: (page: Page) => Promise<void>
  /** What the question says. */
  says: (string | RegExp)[]
}

const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()
const question = (page: Page) => page.locator('[role=alertdialog], [role=dialog]').last()

/** An admin who has everything that can be taken away. */
async function aScene() {
  const host = await aMember('asks.host')
  const other = await aMember('asks.other')
  const asking = await aMember('asks.asking')
  await db.updateTable('users').set({ role: 'admin' }).where('id', '=', host.user.id).execute()
  const movieId = await aMovie(other, `A film for questions ${host.user.id}`)
  const reported = { movieId, rating: 4, text: 'The ship sinks.' }
  const { review } = (await post<{ review: { id: number } }>('/reviews', reported, other.token)).body
  const own = { movieId, rating: 5, text: 'Mine.' }
  const mine = (await post<{ review: { id: number } }>('/reviews', own, host.token)).body.review
  await post(`/reviews/${mine.id}/comments`, { text: 'I agree.' }, host.token)
  await post('/reports', { target: { type: 'review', id: review.id }, category: 'spoiler' }, asking.token)
  const { list } = (
    await post<{ list: { id: number } }>('/lists', { title: 'Acts', visibility: 'link' }, host.token)
  ).body
  await call(`/lists/${list.id}/editors/${other.user.id}`, { method: 'PUT', token: host.token })
  await post('/diary', { movieId, status: 'finished', finishedOn: '2026-05-04', text: 'At sea.' }, host.token)
  await post('/invites', { maxUses: 1, expiresInDays: 7, note: '' }, host.token)
  await post('/users/follow', { userIdToFollow: host.user.id }, other.token)
  await call('/users/me/privacy', {
    method: 'PATCH',
    body: JSON.stringify({ isPrivate: true }),
    token: host.token,
  })
  await post('/users/follow', { userIdToFollow: host.user.id }, asking.token)
  return { host, other, asking, movieId, listId: list.id, reviewId: review.id }
}

const logInAsAdmin = (page: Page, member: Member) =>
  logInAs(page, { ...member, user: { ...member.user, role: 'admin' } as never })

test('nothing is taken away by one press or key: each action says first what follows, and Escape leaves all as it was', async () => {
  const { host, other, asking, movieId, listId, reviewId } = await aScene()
  const name = other.user.username
  const title = `/movies/${movieId}`
  const openCase = async (page: Page) => {
    await button(`Review by ${name}`)(page)
    await page.getByRole('heading', { name: `Review by ${name}` }).waitFor()
    await page.getByRole('group', { name: 'Decision' }).waitFor()
  }
  const rows: Row[] = [
    {
      action: 'mark as a spoiler, which the report asks for',
      path: '/admin/reports',
      async press(page) {
        await openCase(page)
        await page.getByRole('group', { name: 'Decision' }).getByRole('button').first().click()
      },
      says: [`Mark the review by ${name} as a spoiler?`, 'only after a click', 'Reason'],
    },
    {
      action: 'suspend, by its key',
      path: '/admin/reports',
      async press(page) {
        await openCase(page)
        await page.keyboard.press('s')
      },
      says: [`Suspend ${name}?`, 'logged out everywhere', 'How long', '7 days', 'Reason'],
    },
    {
      action: 'remove a review, by its key',
      path: '/admin/reports',
      async press(page) {
        await openCase(page)
        await page.keyboard.press('r')
      },
      says: [`Remove the review by ${name}?`, 'destroyed after 30 days', 'Reason'],
    },
    {
      action: 'remove a title',
      path: '/admin/titles',
      press: button(`Remove A film for questions ${host.user.id}`),
      says: ['Remove the title A film for questions', 'destroyed after 30 days', 'Reason'],
    },
    {
      action: 'end the sessions of a member',
      path: `/admin/members/${other.user.id}`,
      press: button('End sessions'),
      says: [`End all sessions of ${name}?`, 'revoked too'],
    },
    {
      action: 'delete an account',
      path: `/admin/members/${other.user.id}`,
      press: button('Delete account'),
      says: [`Delete the account of ${name}?`, 'seven days'],
    },
    {
      action: 'revoke an invite',
      path: '/admin/invites',
      press: button('Revoke this invite'),
      says: [/^Revoke this invite/, 'no longer works'],
    },
    {
      action: 'remove an editor',
      path: `/list/${listId}`,
      async press(page) {
        await button('Editors')(page)
        await button(`Remove ${name}`)(page)
      },
      says: [`Remove ${name} from the editors?`, 'What', 'stays'],
    },
    {
      action: 'make a new link',
      path: `/list/${listId}`,
      press: button('New link'),
      says: ['Make a new link?', 'no longer works'],
    },
    {
      action: 'delete a list',
      path: `/list/${listId}`,
      press: button('Delete'),
      says: ['Delete this list?', 'go with it'],
    },
    {
      action: 'delete a review',
      path: title,
      press: button('Delete'),
      says: ['Delete this review?'],
    },
    {
      action: 'delete a comment',
      path: title,
      async press(page) {
        await button('Comments (1)')(page)
        await button('Delete comment')(page)
      },
      says: ['Delete this comment?', 'bring it back'],
    },
    {
      action: 'delete a diary entry',
      path: title,
      async press(page) {
        await button(/change your diary/)(page)
        await button('Delete entry')(page)
      },
      says: [/Delete “Watched, .*”\?/, 'private note go with it'],
    },
    {
      action: 'block a member',
      path: `/user/${other.user.id}`,
      async press(page) {
        await button(/^Mute, block or report/)(page)
        await button(/^Block/)(page)
      },
      says: [`Block ${name}?`, 'no longer follow each other'],
    },
    {
      action: 'remove a follower',
      path: `/user/${host.user.id}/followers`,
      press: button(`Remove ${name} from your followers`),
      says: [`Remove ${name} from your followers?`, 'can follow you again'],
    },
    {
      action: 'reject a request to follow',
      path: `/user/${host.user.id}`,
      press: button(`Reject ${asking.user.username}`),
      says: [`Reject the request of ${asking.user.username}?`, 'can ask again'],
    },
  ]
  const page = await newPage()
  await logInAsAdmin(page, host)
  for (const { action, path, press, says } of rows) {
    await page.goto(path)
    await waitForHydration(page)
    await press(page)
    for (const words of says)
      await question(page)
        .getByText(words)
        .first()
        .waitFor({ timeout: 20_000 })
        .catch(() => expect.fail(`${action}: the question does not say “${words}”`))
    const before = await page.locator('[role=alertdialog], [role=dialog]').count()
    await page.keyboard.press('Escape')
    await expect
      .poll(() => page.locator('[role=alertdialog], [role=dialog]').count(), { message: action })
      .toBeLessThan(before)
  }
  const { token } = host
  expect((await call(`/reviews/${reviewId}`, { token: asking.token })).status).toBe(200)
  expect((await call(`/lists/${listId}`, { token })).status).toBe(200)
  const followers = await call<{ users: unknown[] }>(`/users/${host.user.id}/followers`, { token })
  expect(followers.body.users).toHaveLength(1)
  const { invites } = (await call<{ invites: unknown[] }>('/invites', { token })).body
  expect(invites).toHaveLength(1)
})

test.each(sizes)(
  'a suspension takes a duration and a reason, and a toast undoes it ($name)',
  async (size) => {
    const { host, other, reviewId } = await aScene()
    const name = other.user.username
    const statusOf = async () => (await call(`/reviews/${reviewId}`)).status
    const page = await newPage(size, size.theme)
    await logInAsAdmin(page, host)
    await page.goto('/admin/reports')
    await waitForHydration(page)
    await page.getByRole('button', { name: `Review by ${name}` }).click()
    await page.getByRole('combobox', { name: 'Another decision' }).click()
    await page.getByRole('option', { name: 'Suspend', exact: true }).click()
    await page.getByRole('combobox', { name: 'How long' }).click()
    await page.getByRole('option', { name: '30 days' }).click()
    await page.getByRole('textbox', { name: 'Reason' }).fill('Again and again.')
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend', exact: true }).click()
    await page.getByText(`${name} is suspended`).first().waitFor()
    await expect.poll(statusOf).toBe(404)
    const decision = await db
      .selectFrom('decisions')
      .select(['reason', 'until', 'created_at'])
      .where('user_id', '=', other.user.id)
      .executeTakeFirstOrThrow()
    expect(decision.reason).toBe('Again and again.')
    // The member's next login leads to what has been decided.
    const suspended = await newPage(size)
    await suspended.goto('/login')
    await suspended.getByLabel('Email').fill(other.email)
    await suspended.getByLabel('Password', { exact: true }).fill(password)
    await suspended.getByLabel('Password', { exact: true }).press('Enter')
    await suspended.getByText('Again and again.').waitFor()
    expect(pathOf(suspended)).toMatch(/^\/decisions\/\d+$/)
    const days = (Date.parse(decision.until!) - Date.parse(decision.created_at)) / 86_400_000
    expect(Math.round(days)).toBe(30)
    await page.getByRole('button', { name: 'Undo', exact: true }).last().click()
    await expect.poll(statusOf).toBe(200)
  },
)
