import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openProgram } from './program.ts'
import {
  expectAccessible,
  horizontalOverflow,
  logInAs,
  newPage,
  password,
  type Session,
  type Size,
  sizes,
  useBrowser,
  waitForHydration,
} from './site.ts'

/** A server of its own without any data, because the settings of the site apply to everybody. */
const own = openProgram()
useBrowser()

async function post<T>(path: string, body: object, token?: string): Promise<T> {
  const response = await fetch(own.program.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })
  expect(response.ok, `${path}: ${response.status}`).toBe(true)
  return (await response.json()) as T
}

/** Returns the path of the link in the mail that verifies an address. */
async function verificationOf(name: string): Promise<string | undefined> {
  const outbox = join(own.folder, 'outbox')
  for (const file of await readdir(outbox).catch(() => [])) {
    const mail = await readFile(join(outbox, file), 'utf8')
    const link = /https?:\/\/[^\s/]+(\/verify-email\?token=[\w-]+)/.exec(mail)?.[1]
    if (link && mail.includes(`${name}@example.org`)) return link
  }
  return undefined
}

async function verifyAndLogIn(name: string): Promise<Session> {
  await expect.poll(() => verificationOf(name)).toBeTruthy()
  await fetch(`${own.program.url}/auth${await verificationOf(name)}`)
  return post<Session>('/auth/login', { email: `${name}@example.org`, password })
}

test.each(sizes)(
  'a host sets up an empty site, closes it but for invites, decides about a report, answers the appeal and undoes the decision ($name)',
  async (size: Size) => {
    const program = await own.start()
    const open = async (path: string, member?: Session) => {
      const page = await newPage(size, size.theme, { baseURL: own.program.url })
      if (member) await logInAs(page, member)
      await page.goto(path)
      await waitForHydration(page)
      return page
    }
    const setup = () => /http\S+(\/setup\?code=[\w-]+)/.exec(own.program.output())?.[1]
    await expect.poll(setup).toBeTruthy()

    await post('/users/register', { username: 'ada', email: 'ada@example.org', password })
    const ada = await verifyAndLogIn('ada')
    const host = await open(setup()!, ada)
    await host.getByRole('button', { name: 'Make me the admin' }).click()
    await host.getByText('The site has a name of its own (to do)').waitFor()
    await expectAccessible(host, { inBothThemes: false })
    expect(await horizontalOverflow(host)).toBe(0)

    await host.getByRole('link', { name: 'Settings' }).last().click()
    const part = (title: string) => host.getByRole('region', { name: title, exact: true })
    const unfold = (title: string) => part(title).getByRole('heading').click()
    const save = async (title: string) => {
      await part(title).getByRole('button', { name: 'Save' }).click()
      await host.getByText('Saved. Pages show it from now on.').last().waitFor()
    }
    await unfold('Name and look')
    await host.getByLabel('Name', { exact: true }).fill('Film Club')
    await host.getByLabel('Icon').setInputFiles('server/starter/pictures/portrait-1-1-320.webp')
    await host.locator('form img[src^="/uploads/"]').waitFor()
    await save('Name and look')
    await unfold('Rules')
    await host.getByRole('button', { name: 'Add a rule' }).click()
    await host.getByLabel('Rule 1', { exact: true }).fill('Be kind.')
    await save('Rules')
    await unfold('Sign-up')
    await host.getByRole('combobox', { name: 'Who may sign up' }).click()
    await host.getByRole('option', { name: 'People with an invite' }).click()
    await host.getByRole('checkbox', { name: 'Slow robots down' }).check()
    await save('Sign-up')
    // The link that made an admin offers an admin nothing.
    await host.goto(setup()!)
    await host.getByRole('heading', { name: 'You are an admin' }).waitFor()
    await host.getByRole('link', { name: 'Go to the site’s administration' }).click()
    await host.getByText('The site has a name of its own (done)').waitFor()

    const stranger = await open('/signup')
    await stranger.getByLabel('Invite code').waitFor()
    expect(await stranger.locator('link[rel=icon]').getAttribute('href')).toMatch(/^\/uploads\//)
    await host.goto('/admin/invites')
    await host.getByLabel('People').fill('2')
    await host.getByRole('button', { name: 'Create invite' }).click()
    await host.getByText('0 of 2 used').first().waitFor()
    await expectAccessible(host, { inBothThemes: false })
    const headers = { authorization: `Bearer ${ada.token}` }
    const { invites } = (await (await fetch(`${program.url}/invites`, { headers })).json()) as {
      invites: { url: string }[]
    }
    const invite = new URL(invites[0]!.url)
    const join = async (name: string) => {
      const page = await open(invite.pathname + invite.search)
      await page.getByLabel('Username').fill(name)
      await page.getByLabel('Email').fill(`${name}@example.org`)
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.getByRole('checkbox', { name: 'I accept the rules' }).check()
      await page.getByRole('button', { name: 'Create account' }).click()
      await page.getByText(`We sent a verification email to ${name}@example.org`).waitFor()
      return verifyAndLogIn(name)
    }
    const [bob, eve] = [await join('bob'), await join('eve')]

    const { movie } = await post<{ movie: { id: number } }>('/movies', { name: 'A Film' }, bob.token)
    const text = 'You are all fools.'
    const { review } = await post<{ review: { id: number } }>(
      '/reviews',
      { movieId: movie.id, rating: 1, text },
      bob.token,
    )
    const statusOf = async () => (await fetch(`${own.program.url}/reviews/${review.id}`)).status
    const reading = await open(`/movies/${movie.id}`, eve)
    await reading.getByRole('button', { name: 'Follow, mute, block or report bob' }).click()
    await reading.getByRole('button', { name: 'Report the review' }).click()
    await reading.getByRole('radio', { name: 'Breaks a rule of this site' }).check()
    await reading.getByRole('checkbox', { name: 'Be kind.' }).check()
    await expectAccessible(reading, { within: '[role=dialog]', inBothThemes: false })
    await reading.getByRole('button', { name: 'Report', exact: true }).last().click()
    await reading.getByText('Thank you for your report').waitFor()

    await host.goto('/admin')
    await host.getByRole('link', { name: '1 report waiting' }).click()
    await host.getByRole('button', { name: text }).click()
    await host.getByText('Breaks a rule of this site (Be kind.)').waitFor()
    await host.getByRole('button', { name: 'Assign to me' }).click()
    await host.getByText('Assigned to you').waitFor()
    await host.getByRole('button', { name: 'Remove …' }).click()
    await host.getByRole('checkbox', { name: 'Be kind.' }).check()
    await host.getByLabel('Reason').fill('It insults everybody.')
    await expectAccessible(host, { inBothThemes: false })
    expect(await horizontalOverflow(host)).toBe(0)
    await host.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await expect.poll(statusOf).toBe(404)

    const author = await open('/settings?tab=account', bob)
    await author.getByRole('link', { name: 'What you posted was removed' }).click()
    await author.getByText('It insults everybody.').waitFor()
    await author.getByText('Be kind.').waitFor()
    await author.getByLabel('Why is the decision wrong?').fill('I meant my own films.')
    await author.getByRole('button', { name: 'Appeal' }).click()
    await author.getByText('A moderator will look at it.').waitFor()

    await host.goto('/admin')
    await host.getByRole('link', { name: '1 appeal waits for an answer' }).click()
    await host.getByRole('button', { name: text }).click()
    await host.getByLabel('Your answer').fill('It reads otherwise.')
    await host.getByRole('button', { name: 'Do not accept' }).click()
    await host.getByText('Not accepted: “It reads otherwise.”').waitFor()
    await author.reload()
    await author.getByText('Your appeal was not accepted').waitFor()
    expect(await statusOf()).toBe(404)
    await host.getByRole('button', { name: 'Undo' }).first().click()
    await expect.poll(statusOf).toBe(200)

    await host.goto('/admin/audit')
    await host.getByText('undid').first().waitFor()
    await host.getByRole('button', { name: 'Filter' }).click()
    await host.getByRole('dialog').getByRole('textbox', { name: 'By' }).fill('nobody')
    await host.getByRole('button', { name: 'Done' }).click()
    await host.getByText('No entry matches these filters.').waitFor()
    await host.getByRole('button', { name: 'Filter (1)' }).click()
    await host.getByRole('button', { name: 'Clear' }).click()
    await host.getByRole('button', { name: 'Done' }).click()
    await host.getByText('undid').first().waitFor()
    await expectAccessible(host, { inBothThemes: false })
    expect(await horizontalOverflow(host)).toBe(0)

    const download = async (press: () => Promise<void>) => {
      const [file] = await Promise.all([host.waitForEvent('download'), press()])
      return { name: file.suggestedFilename(), content: await readFile(await file.path()) }
    }
    await host.goto(`/admin/members/${bob.user.id}`)
    const data = await download(async () => {
      await host.getByRole('button', { name: 'Download the data' }).click()
      await host.getByRole('alertdialog').getByRole('button', { name: 'Download' }).click()
    })
    expect(data.name).toMatch(/^medley-.*\.zip$/)
    expect(data.content.includes('medley.json')).toBe(true)
    await host.goto('/admin/audit')
    const log = await download(() => host.getByRole('button', { name: 'Download as CSV' }).click())
    expect(log.name).toMatch(/\.csv$/)
    expect(String(log.content)).toContain('bob')
  },
)
