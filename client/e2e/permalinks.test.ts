import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { messages } from '#shared/texts/messages.ts'
import {
  aMember,
  aMovie,
  call,
  expectAccessible,
  logInAs,
  type Member,
  newPage,
  pathOf,
  post,
  type Size,
  sizes,
  served,
  specified,
  stubError,
  useBrowser,
  waitForHydration,
} from './site.ts'

useBrowser()

let author: Member
let reader: Member
beforeAll(async () => {
  author = await aMember('permalinks.author')
  reader = await aMember('permalinks.reader')
})

type Review = { id: number; rating: number; text: string; hasSpoilers: boolean; commentCount: number }

async function aReview(movieId: number, sent: { rating?: number; text?: string; hasSpoilers?: boolean }) {
  const { body } = await post<{ review: Review }>('/reviews', { movieId, rating: 4, ...sent }, author.token)
  return body.review
}
const reviewById = async (id: number) => (await call<{ review?: Review }>(`/reviews/${id}`)).body.review
const itemOf = (page: Page, { user }: Member) =>
  page.getByRole('article', { name: `Review by ${user.username}` })
const pinned = (page: Page) => page.getByRole('region', { name: /^Review( by .*)?$/ })
const coverLabel = 'This review contains spoilers. Show it'

async function open(size: Size, path: string, member: Member | null) {
  const page = await newPage(size, size.theme, { permissions: ['clipboard-read', 'clipboard-write'] })
  if (member) await logInAs(page, member)
  await page.goto(path)
  await waitForHydration(page)
  return page
}

async function load(path: string) {
  const response = await fetch(inject('site').url + path, { headers: { accept: 'text/html' } })
  const html = await response.text()
  const tag = (name: string) =>
    new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`).exec(html)?.[1]
  return {
    html,
    status: response.status,
    title: /<title>(.*?)<\/title>/.exec(html)![1],
    og: { title: tag('og:title'), text: tag('og:description'), url: tag('og:url'), image: tag('og:image') },
    canonical: /<link rel="canonical" href="([^"]*)"/.exec(html)![1],
    embedding: /<link rel="alternate" type="application\/json\+oembed" href="([^"]*)"/.exec(html)![1]!,
    data: JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)![1]!) as {
      url: string
    },
    /** Without scripts: the embedded data contain the texts with their spoilers, as the API returns them. */
    visible: html.replaceAll(/<script\b.*?<\/script>/gs, ''),
  }
}

describe('the server-rendered page of a permalink', () => {
  test('has the review, with its own title, text, picture and canonical URL', async () => {
    const movieId = (await call<{ popular: { id: number }[] }>('/movies/popular')).body.popular[0]!.id
    const { id } = await aReview(movieId, { rating: 5, text: 'Seen twice, ||he dies||, and wept twice.' })
    const plain = await load(`/movies/${movieId}`)
    const page = await load(`/movies/${movieId}?review=${id}`)
    expect(page.status).toBe(200)
    expect(page.title).toMatch(/^permalinks\.author on .+ · Medley$/)
    expect(page.og.title).toBe(page.title)
    expect(page.og.text).toBe('★★★★★ Seen twice, …, and wept twice.')
    expect(page.og.url).toMatch(new RegExp(`/movies/${movieId}\\?review=${id}$`))
    expect(page.canonical).toBe(page.og.url)
    // The oEmbed link describes the review.
    const { body } = await call<{ type: string; html: string }>(
      page.embedding.replace(/^https?:\/\/[^/]+/, ''),
    )
    expect(body.type).toBe('rich')
    expect(body.html).toContain(page.canonical)
    expect(new URL(page.og.image!).pathname).toBe(`/reviews/${id}/share.jpg`)
    expect(page.data.url).toBe(plain.canonical)
    expect(page.visible).toContain(`Review by ${author.user.username}`)
    expect(page.visible).toContain('wept twice.')
    expect(page.visible).not.toContain('he dies')
  })

  test('contains nothing of a text with spoilers, neither in the head nor in the page', async () => {
    const movieId = await aMovie(author, 'A film with a twist')
    const { id } = await aReview(movieId, { text: 'It was the gardener.', hasSpoilers: true })
    for (const path of [`/movies/${movieId}`, `/movies/${movieId}?review=${id}`]) {
      const page = await load(path)
      expect(page.visible).not.toContain('gardener')
      expect(JSON.stringify(page.data)).not.toContain('gardener')
      expect(page.visible).toContain(coverLabel)
    }
    const { og } = await load(`/movies/${movieId}?review=${id}`)
    expect(og.text).toBe('★★★★ A review of A film with a twist on Medley.')
  })

  test('is the title’s for a review of another title and an unknown id', async () => {
    const [movieId, otherId] = [await aMovie(author, 'This film'), await aMovie(author, 'Another film')]
    const { id } = await aReview(otherId, { text: 'About the other.' })
    const plain = await load(`/movies/${movieId}`)
    for (const given of [id, 987_654_321]) {
      const page = await load(`/movies/${movieId}?review=${given}`)
      expect([given, page.status, page.og, page.canonical]).toEqual([given, 200, plain.og, plain.canonical])
      expect(page.visible).not.toContain('Review by')
    }
  })

  test('pins a rating without a text', async () => {
    const movieId = await aMovie(author, 'Only stars')
    const { id } = await aReview(movieId, { rating: 1 })
    const page = await load(`/movies/${movieId}?review=${id}`)
    expect(page.og.text).toBe('★ A review of Only stars on Medley.')
    expect(page.visible).toContain(messages.noComment)
  })
})

test.each(sizes)(
  'a date leads to the review on top, and its link can be copied and shared ($name)',
  async (size) => {
    const movieId = await aMovie(author, `Linked ${size.name}`)
    const { id } = await aReview(movieId, { text: 'Worth a link.' })
    const page = await newPage(size, size.theme, { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.addInitScript(() => {
      Object.assign(navigator, {
        share: (data: ShareData) => {
          document.body.dataset['shared'] = data.url!
          return Promise.reject(new DOMException('Closed.', 'AbortError'))
        },
      })
    })
    await page.goto(`/movies/${movieId}`)
    await waitForHydration(page)
    await itemOf(page, author)
      .getByRole('link', { name: /ago|now|today|\d{4}/ })
      .press('Enter')
    await pinned(page).getByText('Worth a link.').waitFor()
    expect(pathOf(page)).toBe(`/movies/${movieId}?review=${id}`)
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Review by /)
    await expectAccessible(page, { inBothThemes: false })

    const url = page.url()
    await pinned(page).getByRole('button', { name: 'Share' }).click()
    await expect.poll(() => page.evaluate(() => document.body.dataset['shared'])).toBe(url)
    await pinned(page).getByRole('button', { name: 'Copy link' }).click()
    await page.getByText('Link copied').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url)

    await pinned(page).getByRole('link', { name: 'See all reviews' }).click()
    await pinned(page).waitFor({ state: 'detached' })
    expect(pathOf(page)).toBe(`/movies/${movieId}`)
    await page.goBack()
    await pinned(page).getByText('Worth a link.').waitFor()
  },
)

test('the author shares the picture of a review, in three shapes', async () => {
  const movieId = await aMovie(author, 'Pictured')
  const { id } = await aReview(movieId, { text: 'Worth a picture.' })
  const page = await open(sizes[1], `/movies/${movieId}?review=${id}`, author)
  await pinned(page).getByRole('button', { name: 'Share' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share your review' })
  await dialog.getByRole('link', { name: 'Download' }).waitFor()
  await dialog.getByRole('radio', { name: 'Story' }).click()
  const picture = dialog.getByRole('img', { name: 'Picture of your review' })
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalHeight)).toBe(1920)
  await expectAccessible(page, { inBothThemes: false })
  await dialog.getByRole('button', { name: 'Copy link' }).click()
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toMatch(new RegExp(`/movies/${movieId}\\?review=${id}$`))
})

test('a permalink that does not load offers to try again', async () => {
  const movieId = await aMovie(author, 'Unloaded')
  const { id } = await aReview(movieId, { text: 'Later.' })
  const page = await open(sizes[1], `/movies/${movieId}`, null)
  const restore = await stubError(page, 'reviews.byId')
  await page.evaluate((to) => {
    history.pushState({}, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, `/movies/${movieId}?review=${id}`)
  await pinned(page).getByText('The review did not load').waitFor()
  restore()
  await pinned(page).getByRole('button', { name: 'Try again' }).click()
  await pinned(page).getByText('Later.').waitFor()
})

test('a text with spoilers is shown on request only, also by keyboard', async () => {
  const movieId = await aMovie(author, 'Covered')
  const { id } = await aReview(movieId, { text: 'The butler did it.', hasSpoilers: true })
  const comment = { text: 'And ||the maid|| helped.' }
  await post(`/reviews/${id}/comments`, comment, reader.token)
  await post(`/reviews/${id}/comments`, { text: 'With a candle.', hasSpoilers: true }, reader.token)
  const page = await open(sizes[0], `/movies/${movieId}`, null)
  const item = itemOf(page, author)
  const cover = item.getByRole('button', { name: coverLabel })
  await cover.waitFor()
  const dom = () => page.evaluate(() => document.getElementById('root')!.outerHTML)
  expect(await dom()).not.toContain('butler')
  await expectAccessible(page)
  const before = (await item.boundingBox())!
  await cover.press('Enter')
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('The butler did it.')
  // Nothing jumps.
  expect(Math.abs((await item.boundingBox())!.height - before.height)).toBeLessThan(24)

  await item.getByRole('button', { name: 'Comments (2)' }).click()
  const inline = item.getByRole('button', { name: 'Spoiler. Show it' })
  await inline.waitFor()
  expect(await dom()).not.toMatch(/maid|candle/)
  await expectAccessible(page)
  await inline.press('Space')
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('the maid')
  await item.getByRole('button', { name: 'This comment contains spoilers. Show it' }).click()
  await item.getByText('With a candle.').waitFor()
})

test('an author marks a review and a comment, and edits them openly', async () => {
  const movieId = await aMovie(reader, 'Marked')
  const page = await open(sizes[0], `/movies/${movieId}`, reader)
  const take = page.getByRole('region', { name: specified('Share Your Take') })
  await take.getByRole('radio', { name: /^4 stars/ }).click()
  await take.getByRole('textbox').fill('They were dead all along.')
  await take.getByRole('checkbox', { name: 'My review contains spoilers' }).check()
  await take.getByRole('button', { name: specified('Post review') }).click()
  await take.getByRole('button', { name: specified('Edit your Review') }).waitFor()
  const mine = async () =>
    (await call<{ review: Review }>(`/reviews/mine?movieId=${movieId}`, { token: reader.token })).body.review
  await expect.poll(async () => (await mine()).hasSpoilers).toBe(true)
  const item = itemOf(page, reader)
  // One’s own text is not covered.
  await item.getByText('They were dead all along.').waitFor()
  expect(await item.getByRole('button', { name: coverLabel }).count()).toBe(0)
  await item.getByRole('button', { name: specified('Edit'), exact: true }).click()
  expect(await item.getByRole('textbox').inputValue()).toBe('They were dead all along.')
  expect(await item.getByRole('checkbox').isChecked()).toBe(true)
  await expectAccessible(page)
  await item.getByRole('textbox').fill('All of them were dead.')
  await item.getByRole('button', { name: specified('Save'), exact: true }).click()
  await item.getByRole('textbox').waitFor({ state: 'detached' })
  await expect.poll(mine).toMatchObject({ text: 'All of them were dead.', hasSpoilers: true })

  await item.getByRole('button', { name: 'Comments (0)' }).click()
  await item.getByRole('textbox').fill('Even the dog.')
  await item.getByRole('checkbox', { name: 'My comment contains spoilers' }).check()
  await item.getByRole('button', { name: 'Post comment' }).click()
  await item
    .getByRole('article', { name: /^Comment by/ })
    .getByText('Even the dog.')
    .waitFor()
  expect(await item.getByRole('checkbox').isChecked()).toBe(false)
})

describe.each(sizes)('deleting ($name)', (size) => {
  async function deleteReview(page: Page) {
    await itemOf(page, author)
      .getByRole('button', { name: specified('Delete') })
      .click()
    const confirmation = page.getByRole('alertdialog', { name: messages.deleteReview })
    await confirmation.getByRole('button', { name: specified('Delete') }).click()
    await itemOf(page, author).waitFor({ state: 'detached' })
    await page.getByText(messages.reviewDeleted).first().waitFor()
  }
  async function dismiss(page: Page) {
    // The button is accessible only while the toast is hovered or focused.
    await page.getByText(messages.reviewDeleted).last().hover()
    await page.getByRole('button', { name: 'Dismiss', exact: true }).click()
  }
  async function aReviewWithComment(name: string) {
    const movieId = await aMovie(author, `${name} ${size.name}`)
    const review = await aReview(movieId, { text: 'To be or not to be.' })
    await post(`/reviews/${review.id}/comments`, { text: 'That is the question.' }, author.token)
    return { review, page: await open(size, `/movies/${movieId}`, author) }
  }

  test('can be undone by keyboard, and then nothing was deleted', async () => {
    const { review, page } = await aReviewWithComment('Undone')
    await deleteReview(page)
    await page.keyboard.press('F6')
    await page.getByRole('button', { name: 'Undo', exact: true }).waitFor()
    // Elsewhere, the bar could cover half a target.
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
    await expectAccessible(page, { inBothThemes: false })
    await page.getByRole('button', { name: 'Undo', exact: true }).press('Enter')
    await itemOf(page, author).getByText('To be or not to be.').waitFor()
    await page.getByText('1 rating', { exact: true }).first().waitFor()
    expect(await reviewById(review.id)).toMatchObject({ commentCount: 1 })
  })

  test('happens when the toast is dismissed', async () => {
    const { review, page } = await aReviewWithComment('Dismissed')
    await deleteReview(page)
    expect(await reviewById(review.id)).toBeDefined()
    await dismiss(page)
    await expect.poll(() => reviewById(review.id)).toBeUndefined()
    expect(await itemOf(page, author).count()).toBe(0)
  })

  test('happens when the page is left', async () => {
    const { review, page } = await aReviewWithComment('Left')
    await deleteReview(page)
    await page.goto('/docs')
    await expect.poll(() => reviewById(review.id)).toBeUndefined()
  })

  test('happens before a new rating of the title, which is kept', async () => {
    const { review, page } = await aReviewWithComment('Rated again')
    await deleteReview(page)
    const take = page.getByRole('region', { name: specified('Share Your Take') })
    await take.getByRole('radio', { name: /^2 stars/ }).click()
    await expect.poll(() => reviewById(review.id)).toBeUndefined()
    await page.getByText('1 rating', { exact: true }).first().waitFor()
    await expect.poll(() => take.getByRole('radio', { name: /^2 stars/ }).isChecked()).toBe(true)
  })

  test('fails with a message, and the review is shown again', async () => {
    const { review, page } = await aReviewWithComment('Failed')
    await page.route(`**/reviews/${review.id}`, (route) =>
      route.fulfill({ status: 403, json: { message: served('Not today.') } }),
    )
    await deleteReview(page)
    await dismiss(page)
    await page.getByText('Not today.').first().waitFor()
    await itemOf(page, author).getByText('To be or not to be.').waitFor()
  })

  test('a comment can be undone, and happens after some seconds', async () => {
    const { review, page } = await aReviewWithComment('Commented')
    const item = itemOf(page, author)
    await item.getByRole('button', { name: 'Comments (1)' }).click()
    const button = item.getByRole('button', { name: 'Delete comment' })
    // Visible without hovering, and large enough for a finger.
    const box = (await button.boundingBox())!
    expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(44)
    await button.focus()
    await page.keyboard.press('Enter')
    const confirm = page.getByRole('alertdialog').getByRole('button', { name: 'Delete' })
    await confirm.click()
    await item.getByText('No comments yet.').waitFor()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await item.getByText('That is the question.').waitFor()
    await item.getByRole('button', { name: 'Comments (1)' }).waitFor()
    await button.click()
    await confirm.click()
    // A pointer on the toast would make it stay.
    await page.mouse.move(1, 1)
    await item.getByRole('button', { name: 'Comments (0)' }).waitFor()
    await expect.poll(async () => (await reviewById(review.id))?.commentCount, { timeout: 20_000 }).toBe(0)
    await item.getByText('No comments yet.').waitFor()
  })
})

test('a logout sends a deletion first', async () => {
  const member = await aMember('permalinks.leaver')
  const movieId = await aMovie(member, 'Goodbye')
  const { body } = await post<{ review: Review }>(
    '/reviews',
    { movieId, rating: 3, text: 'Bye.' },
    member.token,
  )
  const page = await open(sizes[0], `/movies/${movieId}`, member)
  await itemOf(page, member)
    .getByRole('button', { name: specified('Delete') })
    .click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: specified('Delete') })
    .click()
  await page.getByText(messages.reviewDeleted).first().waitFor()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect.poll(() => reviewById(body.review.id)).toBeUndefined()
})

test('reviews can be sorted by likes', async () => {
  const movieId = await aMovie(author, 'Liked')
  const { id } = await aReview(movieId, { text: 'Liked most.' })
  await post('/reviews', { movieId, rating: 2, text: 'Newer.' }, reader.token)
  await post(`/reviews/${id}/reactions`, { reaction: 'like' }, reader.token)
  const page = await open(sizes[0], `/movies/${movieId}`, null)
  const first = page.getByRole('article', { name: /^Review( by .*)?$/ }).first()
  await first.getByText('Newer.').waitFor()
  await page.getByRole('combobox', { name: 'Sort by' }).click()
  await page.getByRole('option', { name: 'Likes' }).click()
  await first.getByText('Liked most.').waitFor()
  expect(pathOf(page)).toBe(`/movies/${movieId}?sortBy=likeCount`)
})

test('a title that was rated but not reviewed says so', async () => {
  const movieId = await aMovie(author, 'Wordless')
  await aReview(movieId, { rating: 5 })
  const page = await open(sizes[0], `/movies/${movieId}`, null)
  await page.getByText('1 person rated it; nobody has put it into words yet').waitFor()
  await post('/reviews', { movieId, rating: 2 }, reader.token)
  await page.reload()
  await page.getByText('2 people rated it; nobody has put it into words yet').waitFor()
})
