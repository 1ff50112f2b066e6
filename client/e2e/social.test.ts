import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { variation } from '#scripts/testing/variation.ts'
import { kindWords } from '#client/titles/kind-words.ts'
import { kinds, kindNames } from '#shared/domain/kinds.ts'
import { messages } from '#shared/texts/messages.ts'
import {
  waitForHydration,
  aMember,
  aMovie,
  call,
  expectAccessible,
  logIn,
  logInAs,
  stubError,
  holdResponse,
  newPage,
  pathOf,
  post,
  procedureUrl,
  sizes,
  specified,
  siteDatabase,
  useBrowser,
} from './site.ts'

useBrowser()
const db = siteDatabase()

test('a follow appears on the profile and in both lists, and can be undone', async () => {
  const [reader, other] = [await aMember('social.reader'), await aMember('social.followed')]
  const page = await newPage()
  await logInAs(page, reader)
  const profile = `/user/${other.user.id}`
  await page.goto(profile)
  const name = other.user.username
  await page.getByRole('heading', { level: 1, name }).waitFor()
  await expect.poll(() => page.getByText(other.email).count()).toBe(0)
  const follow = page.getByRole('button', { name: `${specified('Follow')} ${name}`, exact: true })
  const unfollow = page.getByRole('button', { name: `${specified('Unfollow')} ${name}`, exact: true })

  const restore = await stubError(page, 'social.follow', { status: 500, message: '' })
  await follow.click()
  await page.getByText(messages.followFailed).waitFor()
  restore()
  const following = await holdResponse(page, 'social.follow')
  await follow.click()
  await expect.poll(() => follow.getAttribute('aria-disabled')).toBe('true')
  following.release()
  await unfollow.waitFor()
  await stat(page, specified('Followers')).getByText('1', { exact: true }).waitFor()

  await stat(page, specified('Followers')).getByRole('link').click()
  await page.waitForURL((url) => url.pathname === `${profile}/followers`)
  await page
    .getByRole('list', { name: 'Followers' })
    .getByRole('link', { name: reader.user.username })
    .click()
  await page.waitForURL((url) => url.pathname === `/user/${reader.user.id}`)
  // The member’s own profile shows the email and an edit link, and no follow button.
  await page.getByText(reader.email).waitFor()
  await page.getByRole('link', { name: 'Edit profile' }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: /^(Follow|Unfollow) / }).count()).toBe(0)
  await stat(page, specified('Following')).getByRole('link').click()
  await page.getByRole('list', { name: 'Following' }).getByRole('link', { name }).click()
  await page.waitForURL((url) => url.pathname === profile)

  await unfollow.click()
  await follow.waitFor()
  await stat(page, specified('Followers')).getByText('0', { exact: true }).waitFor()
  await page.reload()
  await follow.waitFor()
})

/** Returns a figure of the profile with its label. */
const stat = (page: Page, name: string) =>
  page.getByRole('main').locator('dl > div').filter({ hasText: name })

test('a like shows on the bell within seconds, seeing the list marks it as read, and the settings turn such notifications off', async () => {
  const [author, fan] = [await aMember('notified.author'), await aMember('notified.fan')]
  const movieId = await aMovie(author, 'A title that is liked')
  const review = async () =>
    (
      await post<{ review: { id: number } }>(
        '/reviews',
        { movieId, rating: 4, text: 'Worth it.' },
        author.token,
      )
    ).body.review.id
  const like = async (reaction: 'like' | 'none') =>
    post(`/reviews/${await review()}/reactions`, { reaction }, fan.token)
  const page = await newPage(undefined, undefined, { hasInbox: true })
  await logInAs(page, author)
  await page.goto('/')
  const bell = page.getByRole('banner').getByRole('link', { name: /^Notifications/ })
  await expect.poll(() => bell.textContent()).toBe('Notifications, none unread')
  const box = await bell.boundingBox()
  await like('like')
  await expect.poll(() => bell.textContent(), { timeout: 10_000 }).toBe('Notifications, 1 unread1')
  expect(await bell.boundingBox()).toEqual(box)

  await bell.click()
  const today = page.getByRole('main').getByRole('region', { name: 'Today' })
  const row = today.getByRole('link', { name: `${fan.user.username} likes your review` })
  await row.waitFor()
  await expectAccessible(page)
  await expect.poll(() => bell.textContent()).toBe('Notifications, none unread')
  await row.click()
  await page.waitForURL((url) => url.pathname === `/movies/${movieId}`)

  await page.goto('/settings?tab=notifications')
  const choice = page.getByRole('checkbox', { name: 'Likes of your reviews and lists In the app' })
  await choice.click()
  await expect
    .poll(async () => (await call<{ like: object }>('/users/me/notification-settings', author)).body.like)
    .toMatchObject({ inApp: false })
  await like('none')
  await like('like')
  await page.goto('/notifications')
  await page.getByText('Nothing yet').waitFor()
})

test('a setting of notifications that is pressed twice before the first response never shows the older choice', async () => {
  const member = await aMember('notified.quickly')
  const settings = async () =>
    (await call<{ follow: { inApp: boolean } }>('/users/me/notification-settings', member)).body
  const page = await newPage()
  await logInAs(page, member)
  await page.goto('/settings?tab=notifications')
  const choice = page.getByRole('checkbox', { name: 'Somebody follows you In the app' })
  const isAsked = () => page.waitForRequest(procedureUrl('notifications.changeSettings'))
  const first = await holdResponse(page, 'notifications.changeSettings')
  await Promise.all([isAsked(), choice.click()])
  // Then the first one is held.
  expect(await choice.isChecked()).toBe(false)
  const second = await holdResponse(page, 'notifications.changeSettings')
  await choice.click()
  const shown = await choice.evaluateHandle((box: HTMLInputElement) => {
    const choices = new Set<boolean>()
    const look = () => {
      choices.add(box.checked)
      requestAnimationFrame(look)
    }
    look()
    return choices
  })
  const before = await settings()
  const answered = page.waitForResponse(procedureUrl('notifications.changeSettings'))
  first.respond({ ...before, follow: { ...before.follow, inApp: false } })
  await answered
  const answeredAgain = page.waitForResponse(procedureUrl('notifications.changeSettings'))
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  second.release()
  await answeredAgain
  expect((await settings()).follow.inApp).toBe(true)
  expect(await shown.evaluate((choices) => [...choices])).toEqual([true])
})

variation('Home shows favorites of followed members, and a missing profile says so', async () => {
  const [reader, other] = [await aMember('network.reader'), await aMember('network.followed')]
  const page = await newPage()
  await logInAs(page, reader)
  await page.goto('/')
  await page.getByText(messages.networkFavoritesEmpty).waitFor()
  const { popular } = (await call<{ popular: { id: number; name: string }[] }>('/movies/popular')).body
  const { id, name } = popular[0]!
  await post('/favorite-movies', { movieId: id }, other.token)
  await post('/users/follow', { userIdToFollow: other.user.id }, reader.token)
  await page.reload()
  await page
    .getByRole('list', { name: specified("Friends' favourites") })
    .getByRole('link', { name })
    .waitFor()
  await page.getByRole('link', { name: specified('View all favourites') }).click()
  await page.waitForURL((url) => pathOf(page) === '/favorites' && url.pathname === '/favorites')

  await page.goto('/user/999999')
  await page.getByRole('heading', { level: 1, name: messages.userNotFound }).waitFor()
  await page.goto('/user/999999/followers')
  await page.getByRole('heading', { level: 1, name: messages.userNotFound }).waitFor()
})

variation(
  'a title of each kind can be added to the favorites, is shown on the profile, and can be removed',
  async () => {
    const reader = await aMember('favorites.member')
    const page = await newPage()
    await logInAs(page, reader)
    await page.goto(`/user/${reader.user.id}`)
    for (const kind of ['movie', 'game', 'book'] as const)
      await page.getByText(kindWords[kind].favorites.empty).waitFor()
    await page.goto('/favorites')
    await page.getByText(specified('No movies added yet.')).waitFor()

    const button = page.getByRole('button', { name: 'Favorite' })
    const favorites: [string, string][] = []
    for (const kind of kindNames) {
      const { path } = kinds[kind]
      const { popular } = (await call<{ popular: { id: number }[] }>(`/${path}/popular`)).body
      const address = `/${path}/${popular[0]!.id}`
      await page.goto(address)
      await waitForHydration(page)
      const adding = await holdResponse(page, `${kinds[kind].favorites.router}.add`)
      await expect.poll(() => button.getAttribute('aria-disabled')).not.toBe('true')
      await button.click()
      await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true')
      await expect.poll(() => button.getAttribute('aria-pressed')).toBe('false')
      adding.release()
      await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true')
      favorites.push([kindWords[kind].favorites.heading, address])
    }
    await page.goto(`/user/${reader.user.id}`)
    for (const [heading, address] of favorites)
      await page.getByRole('list', { name: heading }).locator(`a[href="${address}"]`).waitFor()
    await page.goto('/favorites')
    // A press on a link is lost if the page is replaced before it ends.
    await waitForHydration(page)
    const [, movie] = favorites[0]!
    await page.getByRole('main').locator(`a[href="${movie}"]`).click()
    await page.waitForURL((url) => url.pathname === movie)
    await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true')

    const restore = await stubError(page, 'favoriteMovies.remove')
    await button.click()
    await page.getByText('Still among your favorites').waitFor()
    await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true')
    restore()
    await button.click()
    await expect.poll(() => button.getAttribute('aria-pressed')).toBe('false')
    await page.goBack()
    await page.getByText(specified('No movies added yet.')).waitFor()
  },
)

test('a press of a member counts from the moment a page is hydrated', async () => {
  const reader = await aMember('favorites.early')
  const movieId = await aMovie(reader, 'A title pressed early')
  const page = await newPage()
  await logInAs(page, reader)
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!('hydrated' in document.documentElement.dataset)) return
      observer.disconnect()
      document.querySelector<HTMLElement>('main button[aria-pressed]:has(.lucide-heart)')!.click()
    }).observe(document, { attributes: true, subtree: true, attributeFilter: ['data-hydrated'] })
  })
  await page.goto(`/movies/${movieId}`)
  await expect
    .poll(() => page.getByRole('button', { name: 'Favorite' }).getAttribute('aria-pressed'))
    .toBe('true')
  expect(await page.getByText(messages.pleaseLogInFirst).count()).toBe(0)
})

variation('a profile shows a limited number of favorites, and says how many there are', async () => {
  const [reader, other] = [await aMember('grids.reader'), await aMember('grids.owner')]
  const { items } = (
    await call<{ items: { id: number }[] }>(`/items?category=movie&limit=${kinds.movie.profile.shown + 2}`)
  ).body
  for (const { id } of items) await post('/favorite-movies', { movieId: id }, other.token)
  const page = await newPage(sizes[1])
  await logInAs(page, reader)
  await page.goto(`/user/${other.user.id}`)
  const list = page.getByRole('list', { name: specified('Favorite Movies') })
  await expect.poll(() => list.getByRole('article').count()).toBe(kinds.movie.profile.shown)
  await page.getByText(`${kinds.movie.profile.shown} of ${items.length}`).waitFor()
})

variation(
  'favorites are put in order with the keyboard and the mouse, and everyone sees the order',
  async () => {
    const owner = await aMember('order.owner')
    const ids: number[] = []
    for (const name of ['Order one', 'Order two', 'Order three']) {
      ids.unshift(await aMovie(owner, name))
      await post('/favorite-movies', { movieId: ids[0] }, owner.token)
    }
    const [third, second, first] = ids as [number, number, number]
    const saved = async () => {
      const { body } = await call<{ favoriteMovies: { id: number }[] }>(`/favorite-movies/${owner.user.id}`)
      return body.favoriteMovies.map(({ id }) => id)
    }
    const page = await newPage()
    await logInAs(page, owner)
    await page.goto('/favorites')
    await waitForHydration(page)
    const list = page.getByRole('list', { name: 'My favourite movies' })
    const link = list.getByRole('link', { name: 'Order one', exact: true })
    await link.press('Alt+ArrowLeft')
    await page.getByText('Order one: position 2 of 3').waitFor({ state: 'attached' })
    expect(await link.evaluate((element) => element === document.activeElement)).toBe(true)
    await expect.poll(saved).toEqual([third, first, second])
    await list
      .getByRole('button', { name: 'Move Order two, position 3 of 3' })
      .dragTo(list.getByRole('article').first())
    await expect.poll(saved).toEqual([second, third, first])
    // An order is saved also if its tab is left at once.
    await link.press('Alt+ArrowLeft')
    await page.getByRole('tab', { name: 'Books' }).click()
    await expect.poll(saved).toEqual([second, first, third])
    await page.getByText('No books added yet.').waitFor()
    await expectAccessible(page)
  },
)

variation(
  'a member with more than 100 favorites of a kind finds all of them on the page of favorites',
  async () => {
    const owner = await aMember('favorites.many')
    const { items } = (await call<{ items: { id: number }[] }>('/items?category=movie&limit=100')).body
    const ids = items.map(({ id }) => id)
    for (let number = ids.length; number < 101; number++) ids.push(await aMovie(owner, `Favorite ${number}`))
    const created_at = new Date().toISOString()
    const row = { user_id: owner.user.id, kind: 'movie' as const, created_at }
    await db
      .insertInto('favorites')
      .values(ids.map((media_id) => ({ ...row, media_id })))
      .execute()
    const page = await newPage()
    await logInAs(page, owner)
    await page.goto('/favorites')
    const cards = page.getByRole('list', { name: 'My favourite movies' }).getByRole('article')
    await expect.poll(() => cards.count()).toBe(100)
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect.poll(() => cards.count()).toBe(101)
  },
)

variation('a visitor who clicks Favorite is asked to log in, and is redirected back afterwards', async () => {
  const page = await newPage()
  await page.goto('/movies/1')
  await waitForHydration(page)
  const notice = page.getByText(messages.pleaseLogInFirst)
  await expect
    .poll(async () => {
      await page.getByRole('button', { name: 'Favorite' }).click()
      return notice.count()
    })
    .toBeGreaterThan(0)
  await page
    .getByRole('button', { name: specified('Login') })
    .first()
    .click()
  await page.waitForURL((url) => url.pathname === '/login')
  expect(new URL(page.url()).searchParams.get('redirect')).toBe('/movies/1')
})

variation('members can be followed from a list, without a query for each follow status', async () => {
  const page = await newPage(sizes[1])
  await logIn(page)
  const statuses: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('social.followStatus')) statuses.push(request.url())
  })
  await page.goto('/user/2/followers')
  const list = page.getByRole('list', { name: 'Followers' })
  const follow = list.getByRole('button', { name: /^Follow / }).first()
  await follow.waitFor()
  await expectAccessible(page)
  const name = (await follow.textContent())!.replace('Follow ', '')
  await list.getByRole('button', { name: `Follow ${name}`, exact: true }).click()
  const unfollow = list.getByRole('button', { name: `Unfollow ${name}`, exact: true })
  await unfollow.waitFor()
  await list.getByText(`You follow ${name}.`).waitFor()
  await unfollow.click()
  await list.getByRole('button', { name: `Follow ${name}`, exact: true }).waitFor()
  expect(statuses).toEqual([])
})

variation(
  'a member becomes private, accepts a request, and blocks the follower, which can be undone',
  async () => {
    const [owner, asking] = [await aMember('social.private'), await aMember('social.asking')]
    const name = asking.user.username
    const [page, other] = [await newPage(), await newPage()]
    await logInAs(page, owner)
    await page.goto('/settings?tab=account')
    await page.getByRole('checkbox', { name: 'My account is private' }).check()
    await page.getByText('The setting is saved.').waitFor()

    await logInAs(other, asking)
    const profile = `/user/${owner.user.id}`
    await other.goto(profile)
    await other.getByText('This profile is private').waitFor()
    await page.getByRole('link', { name: 'See your profile as a visitor' }).click()
    await page.getByText('This profile is private').waitFor()
    await other.getByRole('button', { name: `Follow ${owner.user.username}` }).click()
    await other.getByRole('button', { name: `Requested ${owner.user.username}` }).waitFor()
    await expectAccessible(other)

    await page.goto(profile)
    await page.getByRole('button', { name: `Accept ${name}` }).click()
    await stat(page, specified('Followers')).getByText('1', { exact: true }).waitFor()
    await expect.poll(() => page.getByRole('heading', { name: /^Follow requests/ }).count()).toBe(0)
    await other.reload()
    await other.getByRole('button', { name: `Unfollow ${owner.user.username}` }).waitFor()
    await expect.poll(() => other.getByText('This profile is private').count()).toBe(0)

    await page.goto(`${profile}/followers`)
    await page.getByRole('button', { name: `Remove ${name} from your followers` }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('Nobody follows you yet.').waitFor()
    await other.reload()
    await other.getByText('This profile is private').waitFor()

    await page.goto(`/user/${asking.user.id}`)
    await page.getByRole('button', { name: `Mute, block or report ${name}` }).click()
    const dialog = page.getByRole('dialog', { name })
    await dialog.waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Block' }).click()
    await page
      .getByRole('alertdialog', { name: `Block ${name}?` })
      .getByRole('button', { name: 'Block' })
      .click()
    await page.getByText(`You have blocked ${name}`, { exact: true }).waitFor()
    await page.getByText(`You have blocked ${name}.`, { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await other.reload()
    await other.getByText('This profile is private').waitFor()
    await expect.poll(() => other.getByText(/block/i).count()).toBe(0)

    await page.goto('/settings?tab=account')
    await page.getByRole('button', { name: `Unblock ${name}` }).waitFor()
    // The profile unblocks too.
    await page.goto(`/user/${asking.user.id}`)
    await page.getByRole('main').getByRole('button', { name: 'Unblock' }).click()
    await page.getByText(`You have blocked ${name}`, { exact: true }).waitFor({ state: 'detached' })
    await page.goto('/settings?tab=account')
    await page.getByRole('heading', { name: 'Privacy' }).waitFor()
    await expect.poll(() => page.getByRole('list', { name: 'Blocked members' }).count()).toBe(0)
  },
)

variation(
  'a newcomer sees each suggestion once and no empty box, and answers a request to follow in its notification',
  async () => {
    const [owner, asking] = [await aMember('answers.requests'), await aMember('asks.politely')]
    const page = await newPage(sizes[1])
    await logInAs(page, owner)
    await page.goto('/')
    await page.getByRole('heading', { name: 'Make it yours' }).waitFor()
    await page.getByRole('heading', { name: "Friends' favourites" }).waitFor()
    await page.getByRole('button', { name: /Follow three/ }).click()
    await page.getByRole('list', { name: 'People to follow' }).waitFor()
    expect(await page.getByRole('list', { name: 'People to follow' }).count()).toBe(1)
    await expect.poll(() => page.getByText('Nothing new yet').count()).toBe(0)

    const privacy = { method: 'PATCH', body: JSON.stringify({ isPrivate: true }), token: owner.token }
    await call('/users/me/privacy', privacy)
    await post('/users/follow', { userIdToFollow: owner.user.id }, asking.token)
    await page.goto('/notifications')
    await page.getByRole('button', { name: `Accept ${asking.user.username}` }).click()
    const isFollowing = async () =>
      (await call<{ isFollowing: boolean }>(`/users/${owner.user.id}/follow-status`, { token: asking.token }))
        .body.isFollowing
    await expect.poll(isFollowing).toBe(true)
    await page.getByRole('button', { name: `Accept ${asking.user.username}` }).waitFor({ state: 'hidden' })
  },
)
