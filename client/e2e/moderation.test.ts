import { expect, test } from 'vitest'
import {
  aMember,
  aMovie,
  call,
  expectAccessible,
  holdResponse,
  horizontalOverflow,
  journeySizes,
  logInAs,
  type Member,
  newPage,
  post,
  siteDatabase,
  useBrowser,
  waitForHydration,
} from './site.ts'

useBrowser()
const db = siteDatabase()

async function aModerator(name: string): Promise<Member> {
  const member = await aMember(name)
  await db.updateTable('users').set({ role: 'moderator' }).where('id', '=', member.user.id).execute()
  return { ...member, user: { ...member.user, role: 'moderator' } as Member['user'] }
}

test.each(journeySizes)(
  'a member reports a review, a moderator removes it, its author appeals, and another moderator brings it back ($name)',
  async (size) => {
    const [author, reader] = [await aMember(`wrote.${size.name}`), await aMember(`read.${size.name}`)]
    const [first, second] = [await aModerator(`first.${size.name}`), await aModerator(`second.${size.name}`)]
    const movieId = await aMovie(author, `Reported on a ${size.name}`)
    const text = `Buy my things on a ${size.name}.`
    const { body } = await post<{ review: { id: number } }>(
      '/reviews',
      { movieId, rating: 1, text },
      author.token,
    )
    const statusOf = async () => (await call(`/reviews/${body.review.id}`)).status
    const pageOf = async (member: Member, path: string) => {
      const page = await newPage(size, size.theme)
      await logInAs(page, member)
      await page.goto(path)
      await waitForHydration(page)
      return page
    }

    const reading = await pageOf(reader, `/movies/${movieId}`)
    await reading
      .getByRole('button', { name: `Follow, mute, block or report ${author.user.username}` })
      .click()
    await reading.getByRole('button', { name: 'Report the review' }).click()
    await reading.getByRole('radio', { name: 'Spam' }).check()
    await reading.getByLabel('Comment').fill('On every title.')
    await expectAccessible(reading, { within: '[role=dialog]' })
    await reading.getByRole('button', { name: 'Report', exact: true }).last().click()
    await reading.getByText('Thank you for your report').waitFor()

    const deciding = await pageOf(first, '/admin/reports')
    await deciding.getByRole('button', { name: text }).click()
    await deciding.getByText('On every title.').waitFor()
    await expectAccessible(deciding, { inBothThemes: false })
    expect(await horizontalOverflow(deciding)).toBe(0)
    await deciding.keyboard.press('r')
    await deciding.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await deciding.getByText(`The review by ${author.user.username} is removed`).waitFor()
    await expect.poll(statusOf).toBe(404)

    const { body: own } = await call<{ decisions: { id: number }[] }>('/users/me/decisions', {
      token: author.token,
    })
    const appealing = await pageOf(author, `/decisions/${own.decisions[0]!.id}`)
    await appealing.getByText(text).waitFor()
    await expectAccessible(appealing, { inBothThemes: false })
    await appealing.getByLabel('Why is the decision wrong?').fill('It was a joke.')
    await appealing.getByRole('button', { name: 'Appeal' }).click()
    await appealing.getByText('A moderator will look at it.').waitFor()

    const answering = await pageOf(second, '/admin/reports?state=appealed')
    await answering.getByRole('button', { name: text }).click()
    await answering.getByLabel('Your answer').fill('We have no humour, sorry.')
    await answering.getByRole('button', { name: 'Accept and undo' }).click()
    await expect.poll(statusOf).toBe(200)
    await appealing.reload()
    await appealing.getByText('Your appeal was accepted').waitFor()
  },
)

test('two cases that are decided before the first response are both decided, and each can be undone', async () => {
  const [author, reader, moderator] = [
    await aMember('decided.twice'),
    await aMember('reports.twice'),
    await aModerator('decides.twice'),
  ]
  for (const name of ['Reported first', 'Reported second']) {
    const { body } = await post<{ review: { id: number } }>(
      '/reviews',
      { movieId: await aMovie(author, name), rating: 1, text: name },
      author.token,
    )
    const target = { type: 'review', id: body.review.id }
    await post('/reports', { target, category: 'illegal' }, reader.token)
  }
  const page = await newPage()
  await logInAs(page, moderator)
  await page.goto('/admin/reports?category=illegal')
  await waitForHydration(page)
  const cases = page.getByRole('list', { name: 'Cases' }).getByRole('button')
  await expect.poll(() => cases.count()).toBe(2)
  const held = await holdResponse(page, 'moderation.decide')
  for (const left of [1, 0]) {
    await page
      .getByRole('region', { name: 'Case' })
      .getByText(/^Reported (first|second)$/)
      .first()
      .waitFor()
    await page.keyboard.press('d')
    await expect.poll(() => cases.count()).toBe(left)
  }
  held.release()
  const undo = page.getByRole('button', { name: 'Undo' })
  await expect.poll(() => page.getByText('Dismissed: nothing changes').count()).toBe(2)
  await undo.first().click()
  await expect.poll(() => cases.count()).toBe(1)
})
