import { expect, test } from 'vitest'
import { variation } from '#scripts/testing/variation.ts'
import { kinds } from '#shared/domain/kinds.ts'
import {
  aMember,
  aMovie,
  call,
  expectAccessible,
  logIn,
  logInAs,
  newPage,
  post,
  sizes,
  specified,
  stubError,
  useBrowser,
} from './site.ts'

useBrowser()

test('a new member can follow suggested people from the own profile', async () => {
  const reader = await aMember('people.member')
  const page = await newPage()
  await logInAs(page, reader)
  const restore = await stubError(page, 'social.suggestedPeople')
  await page.goto(`/user/${reader.user.id}`)
  await page.getByText('The suggestions did not load').waitFor()
  restore()
  await page.getByRole('button', { name: 'Try again' }).click()
  const rows = page.getByRole('list', { name: 'People to follow' }).getByRole('listitem')
  await expect.poll(() => rows.count()).toBe(6)
  const name = (await rows.first().getByRole('link').textContent())!
  await rows
    .first()
    .getByRole('button', { name: `${specified('Follow')} ${name}` })
    .click()
  await rows
    .first()
    .getByRole('button', { name: `${specified('Unfollow')} ${name}` })
    .waitFor()
  await expect
    .poll(async () => {
      const { body } = await call<{ users: { username: string }[] }>(`/users/${reader.user.id}/following`)
      return body.users.map((user) => user.username)
    })
    .toEqual([name])
})

variation('a profile compares the taste of two members', async () => {
  const page = await newPage()
  await logIn(page)
  await page.goto('/user/3')
  const match = page.getByRole('region', { name: 'Your taste in common' })
  await match.getByText(/^\d+% match$/).waitFor()
  const agreements = match.getByRole('list', { name: 'You agree on' })
  await agreements.getByRole('definition').filter({ hasText: '5 ★ of 5' }).first().waitFor()
  await agreements.getByRole('link').first().click()
  await page.getByRole('heading', { name: specified('Share Your Take') }).waitFor()

  const visitor = await newPage()
  await visitor.goto('/movies/1')
  const creator = visitor.getByRole('link', { name: 'Lana Wachowski' })
  await expect.poll(() => creator.getAttribute('href')).toMatch(/^\/search\?q=/)
  const genre = visitor.getByRole('link', { name: 'Science Fiction' })
  await expect
    .poll(() => genre.getAttribute('href'))
    .toMatch(/^\/items\?category=movie&genre=Science(\+|%20)Fiction$/)
  // The starter community likes some titles together with four others, which is the fewest that are shown.
  const similarTo = async (id: number) =>
    (await call<{ similar: { kind: keyof typeof kinds; id: number }[] }>(`/movies/${id}/similar`)).body
      .similar
  let id = 1
  while ((await similarTo(id)).length < 4) id++
  const [first] = await similarTo(id)
  await visitor.goto(`/movies/${id}`)
  const similar = visitor.getByRole('list', { name: 'Similar titles' })
  // Content that is loaded while scrolling makes the page longer.
  await expect
    .poll(async () => {
      await visitor.getByRole('contentinfo').scrollIntoViewIfNeeded()
      return similar.count()
    })
    .toBe(1)
  await expect
    .poll(() => similar.getByRole('link').first().getAttribute('href'))
    .toBe(`/${kinds[first!.kind].path}/${first!.id}`)
})

test.each(sizes)(
  'Home of a member starts with the news of their network, a visitor’s Home with the hero ($name)',
  async (size) => {
    const page = await newPage(size)
    await page.goto('/')
    const bottomOfPosters = async (section: string) => {
      const list = page.getByRole('region', { name: section })
      const box = await list.getByRole('article').first().locator('.poster').boundingBox()
      return box!.y + box!.height
    }
    await page.getByRole('list', { name: 'Popular this week' }).waitFor()
    expect(await bottomOfPosters('Popular this week')).toBeGreaterThan(size.height)
    await logIn(page)
    await page.reload()
    await page.getByRole('link', { name: specified('Browse the library') }).waitFor()
    await expect.poll(() => bottomOfPosters('New from people you follow')).toBeLessThan(size.height)
    await page.getByText('Weekly spotlights change').waitFor()
  },
)

test('Home of a member lists what followed members reviewed and rated high', async () => {
  const reader = await aMember('news.member')
  const friend = await aMember('news.friend')
  const page = await newPage()
  await logInAs(page, reader)
  const restore = await stubError(page, 'feed.following')
  await page.goto('/')
  await page.getByText('The news did not load').waitFor()
  restore()
  await page.getByRole('button', { name: 'Try again' }).first().click()
  await page.getByText('The news did not load').waitFor({ state: 'detached' })
  // The first steps suggest people already.
  await page.getByRole('heading', { name: 'Make it yours' }).waitFor()
  expect(await page.getByRole('list', { name: 'People to follow' }).count()).toBe(0)

  await post('/users/follow', { userIdToFollow: friend.user.id }, reader.token)
  const ids: number[] = []
  for (let index = 0; index < 8; index++) {
    const id = await aMovie(friend, `News ${index}`)
    ids.push(id)
    await post(
      '/reviews',
      { movieId: id, rating: 4, text: index === 7 ? 'Worth the wait.' : '' },
      friend.token,
    )
  }
  await page.reload()
  const news = page.getByRole('region', { name: 'New from people you follow' })
  await expect.poll(() => news.getByRole('article').count()).toBe(7)
  await expectAccessible(page)
  const first = news.getByRole('article').first()
  await first.getByText('Worth the wait.').waitFor()
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect.poll(() => news.getByRole('article').count()).toBe(8)
  await page.getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' })
  await first.getByRole('link', { name: 'News 7' }).click()
  await page.waitForURL((url) => url.pathname === `/movies/${ids[7]}`)
})

variation('pages that have nothing to show offer popular titles and people to follow', async () => {
  const visitor = await newPage()
  await visitor.goto('/search')
  await expect
    .poll(() => visitor.getByRole('list', { name: 'Popular this week' }).getByRole('article').count())
    .toBe(6)
  const reader = await aMember('explorer.member')
  const page = await newPage()
  await logInAs(page, reader)
  for (const path of ['/search', '/search?q=qzxv&tab=users', '/for-you']) {
    await page.goto(path)
    await expect
      .poll(() => page.getByRole('list', { name: 'People to follow' }).getByRole('listitem').count(), {
        message: path,
      })
      .toBe(6)
    await expectAccessible(page)
  }
})
