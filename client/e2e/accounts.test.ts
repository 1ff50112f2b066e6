import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { variation } from '#scripts/testing/variation.ts'
import { messages } from '#shared/texts/messages.ts'
import {
  waitForHydration,
  aMember,
  aMovie,
  stubResponse,
  call,
  expectAccessible,
  logIn,
  logInAs,
  holdResponse,
  linkMailedTo,
  newPage,
  password,
  pathOf,
  post,
  createSession,
  type Session,
  sizes,
  specified,
  useBrowser,
} from './site.ts'

useBrowser()

const picture = 'server/starter/pictures/portrait-1-1-320.webp'

const passwordOf = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const isBusy = (page: Page, name: string) =>
  expect
    .poll(() => page.getByRole('button', { name, exact: true }).getAttribute('aria-disabled'))
    .toBe('true')

async function logInByForm(page: Page, email: string, word = password) {
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await passwordOf(page, 'Password').fill(word)
  await page.getByRole('button', { name: 'Log in' }).click()
}

test('sign-up previews the picture, and login succeeds only after the email is verified', async () => {
  const page = await newPage()
  const username = 'signup.member'
  const email = `${username}@example.org`
  await page.goto('/')
  await waitForHydration(page)
  await page
    .getByRole('banner')
    .getByRole('link', { name: specified('Sign up') })
    .click()
  const button = page.getByRole('button', { name: specified('Create account') })
  await page.getByText(specified('JPG, PNG or GIF. 5MB max.')).waitFor()
  await page.getByLabel('Username').fill('demo')
  await page.getByRole('textbox', { name: 'Email' }).fill('nobody@nowhere')
  await passwordOf(page, 'Password').fill('six-or-more')
  await button.click()
  await page.getByText(messages.emailInvalid).waitFor()
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await button.click()
  await page.getByText(messages.usernameTaken).waitFor()
  await expect
    .poll(() => page.getByLabel('Username').evaluate((field) => field === document.activeElement))
    .toBe(true)
  await page.getByLabel('Username').fill(username)

  // A failed upload stops the sign-up and keeps the form’s values.
  await page.getByLabel('Profile picture').setInputFiles(picture)
  const preview = page.getByRole('main').locator('form img[src^="blob:"]')
  await expect
    .poll(() => preview.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0)
  const registering = await holdResponse(page, 'accounts.register')
  await page.route('/upload', (route) =>
    route.fulfill({ status: 413, json: { message: messages.uploadTooLarge } }),
  )
  await button.click()
  await page.getByText(messages.profilePictureFailed).waitFor()
  await page.getByText(messages.uploadTooLarge).waitFor()
  await expect.poll(() => page.getByLabel('Username').inputValue()).toBe(username)
  await page.unroute('/upload')

  const uploading = Promise.withResolvers<void>()
  await page.route('/upload', async (route) => {
    await uploading.promise
    return route.fallback()
  })
  await button.click()
  await isBusy(page, specified('Uploading…'))
  uploading.resolve()
  await isBusy(page, specified('Creating account…'))
  registering.release()
  await page.waitForURL((url) => url.pathname === '/login')
  await page.getByText(`${messages.registered} ${messages.verificationSent(email)}`).waitFor()

  await expect.poll(() => page.getByRole('textbox', { name: 'Email' }).inputValue()).toBe(email)
  await logInByForm(page, email)
  await page.getByText(messages.verifyFirst).waitFor()
  await page.getByRole('button', { name: 'Resend the verification email' }).click()
  await page.getByText(messages.verificationResent).waitFor()
  const link = await linkMailedTo(email)
  const verifying = await holdResponse(page, 'accounts.verifyEmail')
  await page.goto(link)
  await page.getByText(messages.verifying).waitFor()
  // As in another browser, where the link does not log in.
  await page.evaluate(() => localStorage.clear())
  verifying.release()
  await page.getByText(messages.verified).waitFor()
  // A reload opens the link again.
  await page.reload()
  await page.getByText(messages.verified).waitFor()
  await page.getByRole('link', { name: specified('Continue to login') }).click()
  await logInByForm(page, email)
  await page.waitForURL((url) => url.pathname === '/items')
  const own = page.getByRole('banner').getByRole('link', { name: `Your profile, ${username}` })
  await expect
    .poll(() => own.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0)
})

test('one press on the page of the verification logs in, in the browser of the sign-up, and leads back to its title', async () => {
  const page = await newPage()
  await page.goto('/movies/1?order=asc')
  await page
    .getByRole('banner')
    .getByRole('link', { name: specified('Login') })
    .click()
  await page.getByRole('heading', { level: 1, name: 'Welcome back.' }).waitFor()
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.getByText(/without spaces/).waitFor()
  const email = 'from.a.title@example.org'
  await page.getByLabel('Username').fill('from.a.title')
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await passwordOf(page, 'Password').fill(password)
  await page.getByRole('button', { name: specified('Create account') }).click()
  await page.getByRole('heading', { level: 1, name: 'Almost there.' }).waitFor()
  expect(new URL(page.url()).searchParams.get('redirect')).toBe('/movies/1?order=asc')

  // The link is opened in another tab.
  const tab = await page.context().newPage()
  await tab.goto(await linkMailedTo(email))
  await tab.getByText(messages.verified).waitFor()
  // The link alone does not log in.
  expect(await tab.evaluate(() => localStorage.getItem('token'))).toBeNull()
  await tab.getByRole('link', { name: specified('Continue to login') }).click()
  await tab.waitForURL((url) => url.pathname + url.search === '/movies/1?order=asc')
  await tab.getByRole('banner').getByRole('link', { name: 'Your profile, from.a.title' }).waitFor()
  expect(await tab.evaluate(() => localStorage.getItem('signed up'))).toBeNull()
})

variation('a sign-up never leads to another site', async () => {
  const page = await newPage()
  await logIn(page)
  await page.goto('/signup?redirect=//evil.example')
  await page.waitForURL((url) => url.pathname === '/items')
})

variation('a login response without a token or a user stores no session and shows an error', async () => {
  const page = await newPage()
  await page.goto('/login')
  await stubResponse(page, 'accounts.login', { user: null, token: '' })
  await logInByForm(page, 'demo@medley.example')
  await page.getByText(messages.loginIncomplete).waitFor()
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
})

test('a mailed link resets a forgotten password once and ends all sessions', async () => {
  const member = await aMember('forgot.member')
  const page = await newPage()
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByRole('heading', { level: 1, name: 'Forgot your password?' }).waitFor()
  await page.getByRole('textbox', { name: 'Email' }).fill(member.email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByText(messages.resetSent).waitFor()
  await page.getByRole('heading', { level: 1, name: 'Look in your inbox.' }).waitFor()
  await page.getByRole('button', { name: 'Send it again' }).click()
  await page.getByText(messages.resetSent).waitFor()
  const link = await linkMailedTo(member.email, '/reset-password')
  await page.goto(link)
  const set = page.getByRole('button', { name: 'Set password' })
  await passwordOf(page, 'New password').fill('another-one')
  await passwordOf(page, 'New password again').fill('another-two')
  await set.click()
  await page.getByText(messages.passwordsDiffer).waitFor()
  await passwordOf(page, 'New password again').fill('another-one')
  await set.click()
  await page.getByText(messages.resetDone).waitFor()
  expect((await call('/users/me', { token: member.token })).status).toBe(401)
  await page.getByRole('link', { name: specified('Continue to login') }).click()
  await logInByForm(page, member.email)
  await page.getByText(messages.invalidCredentials).waitFor()
  await logInByForm(page, member.email, 'another-one')
  await page.waitForURL((url) => url.pathname === '/items')

  await page.goto(link)
  await passwordOf(page, 'New password').fill('yet-another')
  await passwordOf(page, 'New password again').fill('yet-another')
  await set.click()
  await page.getByText('This link has already set a new password.').waitFor()
  await page.getByRole('link', { name: 'Request a new link' }).waitFor()
})

test('the settings change the name, and the email after the password and a mailed link confirm it', async () => {
  const member = await aMember('profile.member')
  const page = await newPage()
  await logInAs(page, member)
  await page.goto('/settings')
  const save = page.getByRole('button', { name: specified('Save changes') })
  await expect.poll(() => page.getByRole('textbox', { name: 'Email' }).inputValue()).toBe(member.email)
  await page.waitForLoadState('networkidle')
  await save.click()
  await page.getByText(messages.noChanges).waitFor()
  await page.getByLabel('Display name').fill('demo')
  await save.click()
  await page.getByText(messages.usernameTaken).waitFor()
  const username = 'renamed.member'
  await page.getByLabel('Display name').fill(username)
  const updating = await holdResponse(page, 'accounts.updateProfile')
  await save.click()
  await isBusy(page, specified('Saving…'))
  updating.release()
  await page.getByText(messages.profileUpdated).waitFor()
  await page
    .getByRole('banner')
    .getByRole('link', { name: `Your profile, ${username}` })
    .waitFor()

  const email = `${username}@example.org`
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await save.click()
  const dialog = page.getByRole('dialog', { name: 'Confirm your new email' })
  const confirm = dialog.getByRole('button', { name: 'Change email' })
  await confirm.click()
  await dialog.getByText(messages.currentPasswordMissing).waitFor()
  const current = dialog.getByRole('textbox', { name: 'Current password' })
  await current.fill('not-it')
  await confirm.click()
  await dialog.getByText(messages.currentPasswordWrong).waitFor()
  await current.fill(password)
  await confirm.click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText(messages.emailChangeSent(email)).waitFor()
  await page.getByText(`Waiting for ${email}`).waitFor()
  await expect.poll(() => page.getByRole('textbox', { name: 'Email' }).inputValue()).toBe(member.email)
  await page.goto(await linkMailedTo(email))
  await page.getByText(messages.verified).waitFor()
  await page.goto('/settings')
  await expect.poll(() => page.getByRole('textbox', { name: 'Email' }).inputValue()).toBe(email)

  // A chosen picture uploads immediately; Remove removes it, and Undo restores it.
  const preview = page.getByRole('main').locator('img')
  await page.getByLabel('Profile picture').setInputFiles(picture)
  await expect.poll(() => profilePicture(member.token)).toMatch(/^\/uploads\//)
  await preview.first().waitFor()
  await page.getByRole('button', { name: 'Remove' }).click()
  await expect.poll(() => profilePicture(member.token)).toBeNull()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => profilePicture(member.token)).toMatch(/^\/uploads\//)
})

const profilePicture = async (token: string) =>
  (await call<{ user: { profilePicture: string | null } }>('/users/me', { token })).body.user.profilePicture

test('a password change is validated and ends all other sessions', async () => {
  const member = await aMember('password.member')
  const elsewhere = await createSession(member.email, password)
  const page = await newPage()
  await logInAs(page, member)
  await page.goto('/settings')
  await page.getByRole('tab', { name: specified('Account') }).click()
  await expect.poll(() => pathOf(page)).toBe('/settings?tab=account')
  const sessions = page.getByRole('region', { name: 'Where you are logged in' }).getByRole('listitem')
  await expect.poll(() => sessions.count()).toBe(2)
  const update = page.getByRole('button', { name: 'Update password' })
  const fill = async (current: string, next: string, again: string) => {
    await passwordOf(page, 'Current password').fill(current)
    await passwordOf(page, 'New password').fill(next)
    await passwordOf(page, 'Confirm new password').fill(again)
    await update.click()
  }
  await update.click()
  await page.getByText(messages.passwordFieldsMissing).waitFor()
  await fill(password, 'short', 'short')
  await page.getByText(messages.newPasswordTooShort).waitFor()
  await fill(password, 'long-enough', 'long-enoughh')
  await page.getByText(messages.passwordsDiffer).waitFor()
  await fill(password, password, password)
  await page.getByText(messages.passwordUnchanged).waitFor()
  await fill('not-it-at-all', 'long-enough', 'long-enough')
  await page.getByText(messages.currentPasswordWrong).waitFor()
  await fill(password, 'long-enough', 'long-enough')
  await page.getByText(messages.passwordUpdated).waitFor()
  await expect.poll(() => passwordOf(page, 'New password').inputValue()).toBe('')
  await expect.poll(() => sessions.count()).toBe(1)
  expect((await call('/users/me', { token: elsewhere.token })).status).toBe(401)

  // A member can end one of the other sessions.
  const third = await createSession(member.email, 'long-enough')
  await page.reload()
  await expect.poll(() => sessions.count()).toBe(2)
  await sessions
    .filter({ hasNotText: 'This device' })
    .getByRole('button', { name: /^Log out/ })
    .click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Log out' }).click()
  await expect.poll(() => sessions.count()).toBe(1)
  await expect.poll(async () => (await call('/users/me', { token: third.token })).status).toBe(401)

  await page.getByRole('tab', { name: specified('Notifications') }).click()
  await page
    .getByRole('tabpanel')
    .getByText(/coming soon/)
    .waitFor()
  await page.reload()
  await page
    .getByRole('tabpanel')
    .getByText(/coming soon/)
    .waitFor()
})

variation(
  'a query with an expired session leads to the login page, and the login back to the requested page',
  async () => {
    const member = await aMember('died.asking')
    const page = await newPage()
    await logInAs(page, member)
    await page.goto('/settings', { waitUntil: 'networkidle' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    await post('/auth/logout', {}, member.token)
    await page
      .getByRole('banner')
      .getByRole('link', { name: specified('For You') })
      .click()
    await page.waitForURL((url) => url.pathname === '/login')
    await page.getByText(messages.wasLoggedOut).waitFor()
    await logInByForm(page, member.email)
    await page.waitForURL((url) => url.pathname === '/for-you')
  },
)

variation('a mutation with an expired session logs the member out and keeps the unsent text', async () => {
  const member = await aMember('died.sending')
  const movieId = await aMovie(member, 'Seen to the end')
  await post('/reviews', { movieId, rating: 4 }, member.token)
  const page = await newPage()
  await logInAs(page, member)
  await page.goto(`/movies/${movieId}`)
  const area = page.getByRole('textbox', { name: 'Your review' })
  await area.fill('All of an evening’s work.')
  await expect.poll(() => page.getByRole('button', { name: specified('Post review') }).isEnabled()).toBe(true)
  await post('/auth/logout', {}, member.token)
  await page.getByRole('button', { name: specified('Post review') }).click()
  await page.getByText(messages.wasLoggedOut).waitFor()
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  expect(pathOf(page)).toBe(`/movies/${movieId}`)
  await page
    .getByRole('main')
    .getByRole('link', { name: specified('Login') })
    .click()
  await logInByForm(page, member.email)
  await page.waitForURL((url) => url.pathname === `/movies/${movieId}`)
  await expect.poll(() => area.inputValue()).toBe('All of an evening’s work.')
  await page.getByRole('button', { name: specified('Post review') }).click()
  await page.getByRole('article', { name: `Review by ${member.user.username}` }).waitFor()
})

variation('logging out of an expired session goes Home too', async () => {
  const member = await aMember('died.leaving')
  const page = await newPage()
  await logInAs(page, member)
  await page.goto('/settings')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
  await post('/auth/logout', {}, member.token)
  await page.getByRole('button', { name: specified('Logout') }).click()
  await page.waitForURL((url) => url.pathname === '/')
  await page
    .getByRole('banner')
    .getByRole('link', { name: specified('Login') })
    .waitFor()
})

variation('logging out and in applies to all tabs', async () => {
  const member = await aMember('two.tabs')
  const page = await newPage()
  await logInAs(page, member)
  await page.goto('/movies/1')
  const other = await page.context().newPage()
  const third = await page.context().newPage()
  await other.goto('/settings')
  await third.goto('/movies/1')
  await other.getByLabel('Display name').waitFor()
  await third.getByRole('link', { name: `Your profile, ${member.user.username}` }).waitFor()
  await page.getByRole('button', { name: specified('Logout') }).click()
  await page.waitForURL((url) => url.pathname === '/')
  await other.waitForURL((url) => url.pathname === '/login')
  expect(new URL(other.url()).searchParams.get('redirect')).toBe('/settings')
  await third
    .getByRole('banner')
    .getByRole('link', { name: specified('Login') })
    .waitFor()
  expect(new URL(third.url()).pathname).toBe('/movies/1')

  // After a login, the tab at the login page returns to its previous page.
  await logInByForm(other, member.email)
  await other.waitForURL((url) => url.pathname === '/settings')
  await third.getByRole('link', { name: `Your profile, ${member.user.username}` }).waitFor()
})

variation(
  'a page from the back/forward cache shows nothing of a member who has logged out since',
  async () => {
    const [first, second] = [await aMember('cached.first'), await aMember('cached.second')]
    const page = await newPage()
    await logInAs(page, first)
    /** As if the session had changed in the same tab on another page: no storage event is sent. */
    const returnWith = (session: Session | null) =>
      page.evaluate((next) => {
        if (next) localStorage.setItem('token', next.token)
        else localStorage.removeItem('token')
        if (next) localStorage.setItem('user', JSON.stringify(next.user))
        dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
      }, session)
    await page.goto('/settings')
    await page.getByLabel('Display name').fill('not for the next user')
    await returnWith(second)
    await expect.poll(() => page.getByLabel('Display name').inputValue()).toBe(second.user.username)
    await returnWith(second)
    expect(await page.getByLabel('Display name').inputValue()).toBe(second.user.username)
    await returnWith(null)
    await page.waitForURL((url) => url.pathname === '/login')
  },
)

variation('a member creates an access token with the keyboard, uses it, and revokes it', async () => {
  const member = await aMember('tokens.member')
  const page = await newPage(sizes[0], 'light', { permissions: ['clipboard-read', 'clipboard-write'] })
  await logInAs(page, member)
  await page.goto('/settings?tab=account&developers=yes')
  await waitForHydration(page)
  await page.getByText('No access tokens').waitFor()
  await page.getByRole('button', { name: 'New token' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Backup')
  await dialog.getByRole('checkbox', { name: /diary:write$/ }).press('Space')
  await dialog.getByRole('combobox', { name: 'Expires after' }).press('Enter')
  await page.getByRole('option', { name: 'A year' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await dialog.getByRole('combobox', { name: 'Expires after' }).getByText('A year').waitFor()
  await dialog.getByRole('button', { name: 'Create token' }).press('Enter')
  const secret = dialog.getByRole('textbox', { name: 'Access token' })
  await expect.poll(() => secret.evaluate((field) => field === document.activeElement)).toBe(true)
  const token = await secret.inputValue()
  await dialog.getByRole('button', { name: 'Copy' }).press('Enter')
  await dialog.getByText('Copied.').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token)
  // A press beside the dialog does not lose the secret.
  await page.mouse.click(5, 5)
  await dialog.getByRole('button', { name: 'Done' }).press('Enter')
  await dialog.waitFor({ state: 'detached' })

  // The next token starts with an empty form.
  await page.getByRole('button', { name: 'New token' }).click()
  await expect.poll(() => dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  expect((await call('/diary', { token })).status).toBe(200)
  const entry = { movieId: await aMovie(member, 'Of a token'), status: 'want' }
  expect((await post('/diary', entry, token)).status).toBe(201)
  expect((await post('/movies', { name: 'Not allowed' }, token)).status).toBe(403)
  await page.reload()
  const tokens = page.getByRole('region', { name: 'Access tokens' }).getByRole('listitem')
  await tokens.getByText('read, diary:write').waitFor()
  await tokens.getByText(/Last used/).waitFor()
  expect(await page.content()).not.toContain(token)
  await tokens.getByRole('button', { name: 'Revoke Backup' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText(messages.tokenRevoked).waitFor()
  await page.getByText('No access tokens').waitFor()
  await expect.poll(async () => (await call('/diary', { token })).status).toBe(401)
})

variation('a member creates a webhook, tests it, and removes it', async () => {
  const member = await aMember('hooks.member')
  const page = await newPage()
  await logInAs(page, member)
  await page.goto('/settings?tab=account&developers=yes')
  await waitForHydration(page)
  await page.getByText('No webhooks').waitFor()
  await page.getByRole('button', { name: 'New webhook' }).press('Enter')
  const dialog = page.getByRole('dialog')
  const url = dialog.getByRole('textbox', { name: 'URL' })
  await url.fill('example.org')
  await dialog.getByRole('button', { name: 'Create webhook' }).press('Enter')
  await dialog.getByText(messages.webhookUrlInvalid).waitFor()
  // The server refuses to call itself.
  await url.fill('https://127.0.0.1/hook')
  await dialog.getByRole('checkbox', { name: /comment$/ }).press('Space')
  await dialog.getByRole('button', { name: 'Create webhook' }).press('Enter')
  const secret = dialog.getByRole('textbox', { name: 'Signing secret' })
  await expect.poll(() => secret.inputValue()).toMatch(/^whsec_/)
  await dialog.getByRole('button', { name: 'Done' }).press('Enter')
  await dialog.waitFor({ state: 'detached' })

  const hooks = page.getByRole('region', { name: 'Webhooks' }).getByRole('listitem')
  await hooks.getByText('review, comment').waitFor()
  await hooks.getByRole('button', { name: 'Deliveries https://127.0.0.1/hook' }).click()
  await dialog.getByText('Nothing was sent yet.').waitFor()
  await dialog.getByRole('button', { name: 'Send a test event' }).click()
  await dialog.getByText('webhook.test').waitFor()
  await dialog.getByText('The host has no public address').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await hooks.getByRole('button', { name: /^Remove/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText(messages.webhookRemoved).waitFor()
  await page.getByText('No webhooks').waitFor()
  const { body } = await call<{ webhooks: unknown[] }>('/users/me/webhooks', { token: member.token })
  expect(body.webhooks).toEqual([])
})

/** The clicks of a newcomer: sign-up, `Continue to login`, ten ratings, the next step, three follows. */
const clicksOfANewcomer = 1 + 1 + 10 + 1 + 3

variation(
  'a newcomer signs up, verifies, rates ten titles and follows three members with sixteen clicks',
  async () => {
    const page = await newPage()
    let clicks = 0
    const click = async (target: Locator) => {
      await target.click()
      clicks++
    }
    await page.goto('/signup')
    await waitForHydration(page)
    const email = 'a.newcomer@example.org'
    await page.getByLabel('Username').fill('a.newcomer')
    await page.getByRole('textbox', { name: 'Email' }).fill(email)
    await passwordOf(page, 'Password').fill(password)
    await click(page.getByRole('button', { name: specified('Create account') }))
    await page.getByRole('heading', { level: 1, name: 'Almost there.' }).waitFor()
    await page.goto(await linkMailedTo(email))
    await click(page.getByRole('link', { name: specified('Continue to login') }))
    await page.waitForURL((url) => url.pathname === '/items')

    const card = page.getByRole('region', { name: 'Make it yours' })
    const wall = card.getByRole('list', { name: 'Well-known titles to rate' })
    await wall.waitFor()
    await expectAccessible(page, { within: 'section[aria-labelledby=first-steps]' })
    const progress = card.getByRole('progressbar', { name: 'First steps' })
    for (let title = 0; title < 10; title++) {
      const stars = wall
        .getByRole('listitem')
        .nth(title)
        .getByRole('radio', { name: /^5 stars/ })
      await click(stars)
      await expect.poll(() => stars.isChecked()).toBe(true)
    }
    await expect.poll(() => progress.getAttribute('aria-valuetext')).toMatch(/^10 of 10 rated/)
    await click(card.getByRole('button', { name: 'Next: follow three' }))
    const people = page.getByRole('list', { name: 'People to follow' }).getByRole('listitem')
    // By what was just rated.
    await people
      .filter({ hasText: /You both gave 5|similar ratings/ })
      .first()
      .waitFor()
    for (let person = 0; person < 3; person++)
      await click(people.nth(person).getByRole('button', { name: /^Follow/ }))
    await page.getByRole('heading', { name: 'That is it.' }).waitFor()
    expect(clicks).toBe(clicksOfANewcomer)

    await page.getByRole('button', { name: 'Close the first steps' }).click()
    await page.goto('/for-you')
    await page.getByRole('heading', { level: 1, name: 'For You' }).waitFor()
    await page.getByRole('article').first().waitFor()
  },
)
