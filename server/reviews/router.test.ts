import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { toStars } from '#shared/domain/ratings.ts'
import { messages } from '#shared/texts/messages.ts'
import { byFlag, flagNames } from '#shared/domain/review-flags.ts'
import { isSqlite } from '#server/db/dialect.ts'
import { openConcurrencyLimit } from '#server/process/concurrency-limit.ts'
import { aMember, aServer, aTitle, plansOf, findCounterFaults } from '#server/testing.ts'
import { settleMembers } from './settle.ts'
import { lockForSettling, settleTexts } from './settle-store.ts'
import { listComments } from './comments-store.ts'
import { listNetworkReviews } from './network-store.ts'
import { findExceptions, listReviews, listReviewsPage } from './store.ts'

const { db, as } = await aServer()

const at = (minute: number) => ({ now: new Date(Date.UTC(2026, 4, 1, 12, minute)) })
const iso = (minute: number) => at(minute).now.toISOString()

async function countersOf(mediaId: number) {
  const row = await db.selectFrom('media').selectAll().where('id', '=', mediaId).executeTakeFirstOrThrow()
  const stars = [row.stars_1, row.stars_2, row.stars_3, row.stars_4, row.stars_5]
  return { count: row.rating_count, sum: toStars(row.rating_sum), stars, texts: row.text_count }
}

async function reviewCountOf(userId: number): Promise<number> {
  const row = await db
    .selectFrom('users')
    .select('review_count')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return row.review_count
}

async function ratedAt(reviewId: number): Promise<string> {
  const row = await db
    .selectFrom('reviews')
    .select('rated_at')
    .where('id', '=', reviewId)
    .executeTakeFirstOrThrow()
  return row.rated_at
}

async function aReview({ text = 'Good.', rating = 4, minute = 0 } = {}) {
  const author = await aMember(db)
  const movieId = await aTitle(db)
  const { review } = await as(author, at(minute)).reviews.save({ movieId, rating, text })
  return { author, movieId, review }
}

describe('restoring a review that was replaced', () => {
  it('brings back the text, the flags, the rating, the imported rating and the times', async () => {
    const { author, movieId, review } = await aReview({ text: 'The first.', minute: 1 })
    await db.updateTable('reviews').set({ rating_given: '4.5/5' }).where('id', '=', review.id).execute()
    await as(author, at(1)).reviews.edit({ id: review.id, hasSpoilers: true })
    const { snapshot } = await as(author).reviews.snapshot({ movieId })
    const call = as(author, at(9)).reviews
    const { review: other } = await call.save({ movieId, rating: 1, text: 'Other.', hasSpoilers: false })
    const { review: back } = await call.restore({ ...snapshot!, replaced: other.updatedAt })
    expect(back).toMatchObject({ text: 'The first.', hasSpoilers: true, rating: 4, updatedAt: iso(1) })
    expect(await as(author).reviews.snapshot({ movieId })).toEqual({ snapshot })
    expect(await countersOf(movieId)).toEqual({ count: 1, sum: 4, stars: [0, 0, 0, 1, 0], texts: 1 })
    expect(await findCounterFaults(db)).toEqual([])
  })

  it('is refused if the review has changed since, and makes no time later', async () => {
    const { author, movieId, review } = await aReview({ minute: 1 })
    const { snapshot } = await as(author).reviews.snapshot({ movieId })
    const { review: other } = await as(author, at(2)).reviews.save({ movieId, rating: 2, text: 'Second.' })
    const { review: third } = await as(author, at(3)).reviews.save({ movieId, rating: 2, text: 'Third.' })
    const restore = (replaced: string, ratedAtLater = snapshot!.ratedAt) =>
      as(author, at(4)).reviews.restore({ ...snapshot!, ratedAt: ratedAtLater, replaced })
    await expect(restore(other.updatedAt)).rejects.toThrow(messages.reviewChanged)
    await restore(third.updatedAt, iso(59))
    expect(await ratedAt(review.id)).toBe(iso(2))
    expect(await as(author).reviews.snapshot({ movieId: await aTitle(db) })).toEqual({ snapshot: null })
  })
})

describe('saving a review', () => {
  it('returns the review with the id key of its kind and its author', async () => {
    const author = await aMember(db)
    const bookId = await aTitle(db, 'book')
    const { review } = await as(author, at(1)).reviews.save({
      bookId,
      rating: 5,
      text: ' Fine \u202e prose.\r\nTwice. ',
    })
    expect(review).toEqual({
      id: review.id,
      userId: author.id,
      itemId: bookId,
      bookId,
      about: null,
      rating: 5,
      text: 'Fine  prose.\nTwice.',
      ...byFlag(() => false),
      createdAt: iso(1),
      updatedAt: iso(1),
      likeCount: 0,
      dislikeCount: 0,
      userReaction: 'none',
      commentCount: 0,
      user: { id: author.id, username: author.username, profilePicture: null },
    })
  })

  it('accepts the id of a title of any kind as itemId', async () => {
    const author = await aMember(db)
    const gameId = await aTitle(db, 'game')
    const { review } = await as(author).reviews.save({ itemId: gameId, rating: 2 })
    expect(review).toMatchObject({ itemId: gameId, gameId })
    expect(review).not.toHaveProperty('movieId')
  })

  it('throws NOT_FOUND for an id of another kind, with the message of the requested kind', async () => {
    const author = await aMember(db)
    const bookId = await aTitle(db, 'book')
    const call = as(author).reviews
    const notFound = (message: string) => ({ code: 'NOT_FOUND', message })
    await expect(call.save({ movieId: bookId, rating: 3 })).rejects.toMatchObject(
      notFound('Movie not found.'),
    )
    await expect(call.save({ tvShowId: bookId, rating: 3 })).rejects.toMatchObject(
      notFound('TV show not found.'),
    )
    await expect(call.save({ itemId: 987654321, rating: 3 })).rejects.toMatchObject(
      notFound('Item not found.'),
    )
    await expect(call.list({ gameId: bookId })).rejects.toMatchObject(notFound('Game not found.'))
    await expect(call.mine({ movieId: bookId })).rejects.toMatchObject(notFound('Movie not found.'))
    await expect(call.ofItem({ id: 987654321 })).rejects.toMatchObject(notFound('Item not found.'))
    expect(await countersOf(bookId)).toMatchObject({ count: 0 })
  })

  it('requires exactly one title id and a rating from 1 to 5 in steps of a half', async () => {
    const author = await aMember(db)
    const movieId = await aTitle(db)
    const call = as(author).reviews
    await expect(call.save({ rating: 3 })).rejects.toThrow(messages.oneSubject)
    await expect(call.save({ movieId, itemId: movieId, rating: 3 })).rejects.toThrow(messages.oneSubject)
    for (const rating of [0, 0.5, 0.999, 5.5, 6, -3.5, 1e300, NaN, '3.5' as never])
      await expect(call.save({ movieId, rating })).rejects.toThrow(messages.ratingOutOfRange)
    for (const rating of [1.25, 2.4999, 3.1, 4.75, 1 + Number.EPSILON])
      await expect(call.save({ movieId, rating })).rejects.toThrow(messages.ratingBetweenSteps)
    await expect(call.save({ movieId } as never)).rejects.toThrow(messages.ratingRequired)
  })

  it('requires a token', async () => {
    const movieId = await aTitle(db)
    await expect(as().reviews.save({ movieId, rating: 3 })).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
      message: messages.pleaseLogIn,
    })
  })

  it('updates the counters of the title, its histogram and the author', async () => {
    const { author, movieId } = await aReview({ rating: 4 })
    await as(await aMember(db)).reviews.save({ movieId, rating: 2 })
    expect(await countersOf(movieId)).toEqual({ count: 2, sum: 6, stars: [0, 1, 0, 1, 0], texts: 1 })
    expect(await reviewCountOf(author.id)).toBe(1)
  })

  it('again replaces the rating and keeps the text unless one is sent', async () => {
    const { author, movieId, review } = await aReview({ rating: 4, text: 'First.' })
    const again = await as(author, at(2)).reviews.save({ movieId, rating: 1 })
    expect(again.review).toMatchObject({
      id: review.id,
      rating: 1,
      text: 'First.',
      createdAt: iso(0),
      updatedAt: iso(2),
    })
    const third = await as(author, at(3)).reviews.save({ itemId: movieId, rating: 1, text: 'Third.' })
    expect(third.review).toMatchObject({ id: review.id, rating: 1, text: 'Third.' })
    expect(await countersOf(movieId)).toEqual({ count: 1, sum: 1, stars: [1, 0, 0, 0, 0], texts: 1 })
    expect(await reviewCountOf(author.id)).toBe(1)
  })

  it('updates rated_at only if the rating changes, and updatedAt if anything changes', async () => {
    const { author, movieId, review } = await aReview({ rating: 4 })
    await as(author, at(5)).reviews.save({ movieId, rating: 4, text: 'Other words.' })
    expect(await ratedAt(review.id)).toBe(iso(0))
    const same = await as(author, at(6)).reviews.save({ movieId, rating: 4 })
    expect(same.review.updatedAt).toBe(iso(5))
    await as(author, at(7)).reviews.save({ movieId, rating: 3 })
    expect(await ratedAt(review.id)).toBe(iso(7))
  })

  it('with a blank text counts the rating but does not list the review', async () => {
    const { author, movieId } = await aReview({ text: ' \n ' })
    expect(await countersOf(movieId)).toMatchObject({ count: 1, texts: 0 })
    const visitor = as().reviews
    expect(await visitor.list({ movieId })).toEqual({
      reviews: [],
      pagination: { page: 1, pageSize: 5, total: 0, totalPages: 0 },
      nextCursor: null,
    })
    expect((await as(author).reviews.mine({ movieId })).review.text).toBe('')
    await as(author).reviews.save({ movieId, rating: 3, text: 'Now with words.' })
    expect((await visitor.list({ movieId })).pagination.total).toBe(1)
    await as(author).reviews.save({ movieId, rating: 3, text: '' })
    expect((await visitor.list({ movieId })).pagination.total).toBe(0)
  })
})

describe('a review with a mark', () => {
  it.each(flagNames)('keeps %s until another value is sent', async (flag) => {
    const { author, movieId, review } = await aReview({ text: 'They all die.' })
    expect(review[flag]).toBe(false)
    const call = as(author).reviews
    const steps = [
      [{ [flag]: true }, true],
      [{ text: 'All of them die.' }, true],
      [{ rating: 2 }, true],
      [{ [flag]: false }, false],
    ] as const
    for (const [sent, isSet] of steps)
      expect((await call.edit({ id: review.id, ...sent })).review).toMatchObject({ ...sent, [flag]: isSet })
    await call.save({ movieId, rating: 4, [flag]: true })
    expect((await call.save({ movieId, rating: 5 })).review).toMatchObject({ rating: 5, [flag]: true })
    expect((await as().reviews.list({ movieId })).reviews).toMatchObject([{ [flag]: true }])
    expect((await as().reviews.ofItem({ id: movieId })).reviews).toMatchObject([{ [flag]: true }])
    expect((await as().reviews.byId({ id: review.id })).review).toMatchObject({ [flag]: true })
  })

  it('is an edit, and changes neither counters nor the time of the rating', async () => {
    const { author, movieId, review } = await aReview()
    const before = [await countersOf(movieId), await ratedAt(review.id)]
    const edited = await as(author, at(9)).reviews.edit({ id: review.id, hasSpoilers: true })
    expect(edited.review.updatedAt).toBe(iso(9))
    expect([await countersOf(movieId), await ratedAt(review.id)]).toEqual(before)
    expect(await findCounterFaults(db)).toEqual([])
  })

  it('is marked with a boolean and nothing else', async () => {
    const { author, review } = await aReview()
    for (const hasSpoilers of [1, 'true', null, {}])
      await expect(as(author).reviews.edit({ id: review.id, hasSpoilers } as never)).rejects.toMatchObject({
        code: 'BAD_REQUEST',
      })
  })
})

describe('a review by its id', () => {
  it('is found with or without a text, with the reaction of the caller', async () => {
    const { review } = await aReview({ text: '' })
    const reader = await aMember(db)
    await as(reader).reviews.react({ id: review.id, reaction: 'like' })
    expect((await as(reader).reviews.byId({ id: review.id })).review).toEqual({
      ...review,
      likeCount: 1,
      userReaction: 'like',
    })
    expect((await as().reviews.byId({ id: review.id })).review.userReaction).toBe('none')
    await expect(as().reviews.byId({ id: 987654321 })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: messages.reviewNotFound,
    })
  })
})

describe('the caller’s own review', () => {
  it('is found by its title; NOT_FOUND if there is none', async () => {
    const { author, movieId, review } = await aReview()
    expect((await as(author).reviews.mine({ itemId: movieId })).review).toEqual(review)
    await expect(as(await aMember(db)).reviews.mine({ movieId })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: messages.reviewNotFound,
    })
    await expect(as().reviews.mine({ movieId })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  })

  it('can be edited in part: fields that are not sent keep their values', async () => {
    const { author, movieId, review } = await aReview({ rating: 4, text: 'Old.' })
    const call = as(author, at(4)).reviews
    expect((await call.edit({ id: review.id, text: 'New.' })).review).toMatchObject({
      rating: 4,
      text: 'New.',
      updatedAt: iso(4),
    })
    expect((await call.edit({ id: review.id, rating: 5 })).review).toMatchObject({ rating: 5, text: 'New.' })
    expect((await as(author, at(9)).reviews.edit({ id: review.id })).review.updatedAt).toBe(iso(4))
    expect((await call.edit({ id: review.id, text: '' })).review).toMatchObject({ rating: 5, text: '' })
    expect(await countersOf(movieId)).toEqual({ count: 1, sum: 5, stars: [0, 0, 0, 0, 1], texts: 0 })
  })

  it('can be changed and deleted only by its author', async () => {
    const { movieId, review } = await aReview()
    const other = as(await aMember(db)).reviews
    const notYours = { code: 'FORBIDDEN', message: messages.reviewNotYours }
    await expect(other.edit({ id: review.id, rating: 1 })).rejects.toMatchObject(notYours)
    await expect(other.remove({ id: review.id })).rejects.toMatchObject(notYours)
    await expect(as().reviews.remove({ id: review.id })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    await expect(other.edit({ id: 987654321, rating: 1 })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await countersOf(movieId)).toMatchObject({ count: 1, sum: 4 })
  })

  it('is deleted with its counts, reactions and comments', async () => {
    const { author, movieId, review } = await aReview()
    const other = as(await aMember(db)).reviews
    await other.react({ id: review.id, reaction: 'like' })
    await other.addComment({ id: review.id, text: 'Agreed.' })
    expect(await as(author).reviews.remove({ id: review.id })).toEqual({ message: messages.reviewDeleted })
    expect(await countersOf(movieId)).toEqual({ count: 0, sum: 0, stars: [0, 0, 0, 0, 0], texts: 0 })
    expect(await reviewCountOf(author.id)).toBe(0)
    for (const table of ['reactions', 'comments'] as const) {
      expect(await db.selectFrom(table).selectAll().where('review_id', '=', review.id).execute()).toEqual([])
    }
    await expect(as(author).reviews.remove({ id: review.id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(other.react({ id: review.id, reaction: 'like' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await expect(other.addComment({ id: review.id, text: 'Late.' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await expect(other.comments({ id: review.id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('the review list of a title', () => {
  it('is sorted by time or rating in either direction, and no review is on two pages', async () => {
    const movieId = await aTitle(db)
    const made: { id: number; rating: number; minute: number }[] = []
    for (const [rating, minute] of [
      [3, 1],
      [5, 2],
      [3, 2],
      [1, 3],
      [5, 3],
      [3, 3],
      [2, 4],
    ] as const) {
      const { review } = await as(await aMember(db), at(minute)).reviews.save({
        movieId,
        rating,
        text: 'Words.',
      })
      made.push({ id: review.id, rating, minute })
    }
    const byTime = made.toSorted((a, b) => a.minute - b.minute || a.id - b.id)
    const byRating = made.toSorted((a, b) => a.rating - b.rating || a.minute - b.minute || a.id - b.id)
    for (const [sortBy, sorted] of [
      ['createdAt', byTime],
      ['rating', byRating],
    ] as const) {
      for (const order of ['asc', 'desc'] as const) {
        const expected = (order === 'asc' ? sorted : sorted.toReversed()).map(({ id }) => id)
        const pages = await Promise.all(
          [1, 2, 3, 4].map((page) => as().reviews.list({ movieId, page, limit: 3, sortBy, order })),
        )
        expect(pages.flatMap(({ reviews }) => reviews.map(({ id }) => id))).toEqual(expected)
        expect(pages[2]!.pagination).toEqual({ page: 3, pageSize: 3, total: 7, totalPages: 3 })
      }
    }
    const first = await as().reviews.ofItem({ id: movieId })
    expect(first.pagination).toEqual({ page: 1, pageSize: 5, total: 7, totalPages: 2 })
    expect(first.reviews.map(({ id }) => id)).toEqual(
      byTime
        .toReversed()
        .slice(0, 5)
        .map(({ id }) => id),
    )
  })

  it('is sorted by likes, in either scope, and reviews with equal likes by time', async () => {
    const movieId = await aTitle(db)
    const reader = await aMember(db)
    const fans = [await aMember(db), await aMember(db)]
    const made: { id: number; likes: number }[] = []
    for (const [index, likes] of [1, 0, 2, 1, 0].entries()) {
      const author = await aMember(db)
      // The first and the fourth have the same likes and the same time.
      const time = at(Math.floor(index / 4))
      const { review } = await as(author, time).reviews.save({ movieId, rating: 3, text: 'Words.' })
      for (const fan of fans.slice(0, likes)) await as(fan).reviews.react({ id: review.id, reaction: 'like' })
      // Dislikes do not count.
      await as(reader).reviews.react({ id: review.id, reaction: 'dislike' })
      await as(reader).social.follow({ userIdToFollow: author.id })
      made.push({ id: review.id, likes })
    }
    const leastFirst = made.toSorted((a, b) => a.likes - b.likes || a.id - b.id).map(({ id }) => id)
    for (const scope of ['overall', 'network'] as const)
      for (const order of ['asc', 'desc'] as const) {
        const pages = await Promise.all(
          [1, 2, 3].map((page) =>
            as(reader).reviews.list({ movieId, page, limit: 2, sortBy: 'likeCount', order, scope }),
          ),
        )
        expect(pages.flatMap(({ reviews }) => reviews.map(({ id }) => id))).toEqual(
          order === 'asc' ? leastFirst : leastFirst.toReversed(),
        )
      }
  })

  it('with scope network lists only people the caller follows, whichever side the join starts from', async () => {
    const caller = await aMember(db)
    const movieId = await aTitle(db)
    await as(caller).reviews.save({ movieId, rating: 5, text: 'My own.' })
    const followed: number[] = []
    for (let index = 0; index < 6; index++) {
      const author = await aMember(db)
      const text = index === 0 ? '' : `Number ${index}.`
      const { review } = await as(author, at(index)).reviews.save({ movieId, rating: (index % 3) + 1, text })
      if (index % 2 === 0) {
        await as(caller).social.follow({ userIdToFollow: author.id })
        if (text) followed.unshift(review.id)
      }
    }
    const idsOf = async (input: { sortBy?: 'rating'; order?: 'asc'; page?: number; limit?: number }) =>
      (await as(caller).reviews.list({ movieId, scope: 'network', ...input })).reviews.map(({ id }) => id)
    expect(await idsOf({})).toEqual(followed)
    expect(await idsOf({ order: 'asc' })).toEqual(followed.toReversed())
    expect(await idsOf({ sortBy: 'rating', order: 'asc' })).toEqual([followed[0], followed[1]])
    expect(await idsOf({ page: 2, limit: 1 })).toEqual([followed[1]])
    const { pagination } = await as(caller).reviews.list({ movieId, scope: 'network', limit: 1 })
    expect(pagination).toEqual({ page: 1, pageSize: 1, total: 2, totalPages: 2 })

    for (let index = 0; index < 10; index++) {
      await as(caller).social.follow({ userIdToFollow: (await aMember(db)).id })
    }
    expect(await idsOf({})).toEqual(followed)
  })

  it('with scope network requires a token', async () => {
    const movieId = await aTitle(db)
    await expect(as().reviews.list({ movieId, scope: 'network' })).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
      message: messages.pleaseLogIn,
    })
  })

  it('shows each viewer their own reaction', async () => {
    const { author, movieId, review } = await aReview()
    const [liker, disliker] = [await aMember(db), await aMember(db)]
    await as(liker).reviews.react({ id: review.id, reaction: 'like' })
    await as(disliker).reviews.react({ id: review.id, reaction: 'dislike' })
    for (const [viewer, userReaction] of [
      [liker, 'like'],
      [disliker, 'dislike'],
      [author, 'none'],
      [null, 'none'],
    ] as const) {
      const { reviews } = await as(viewer).reviews.list({ movieId })
      expect(reviews).toMatchObject([{ id: review.id, userReaction, likeCount: 1, dislikeCount: 1 }])
    }
  })
})

describe('a reaction', () => {
  it('replaces the previous one, and none removes it', async () => {
    const { review } = await aReview()
    const call = as(await aMember(db)).reviews
    const steps = [
      ['like', 1, 0],
      ['like', 1, 0],
      ['dislike', 0, 1],
      ['none', 0, 0],
      ['none', 0, 0],
      ['dislike', 0, 1],
    ] as const
    for (const [reaction, likeCount, dislikeCount] of steps) {
      const result = await call.react({ id: review.id, reaction })
      expect(result.review).toMatchObject({ userReaction: reaction, likeCount, dislikeCount })
    }
  })
})

describe('comments', () => {
  it('are listed oldest first with their authors, and counted', async () => {
    const { review } = await aReview()
    const [ada, bob] = [await aMember(db), await aMember(db)]
    const first = await as(ada, at(1)).reviews.addComment({ id: review.id, text: ' One. ' })
    expect(first).toEqual({
      comment: {
        id: first.comment.id,
        text: 'One.',
        hasSpoilers: false,
        createdAt: iso(1),
        author: { id: ada.id, username: ada.username, profilePicture: null },
      },
      commentCount: 1,
    })
    const second = await as(bob, at(2)).reviews.addComment({ id: review.id, text: 'Two.' })
    expect(second.commentCount).toBe(2)
    expect(await as().reviews.comments({ id: review.id })).toEqual({
      comments: [first.comment, second.comment],
      total: 2,
      nextCursor: null,
    })
  })

  it('can be paged back to the first, 50 at a time', async () => {
    const { author, review } = await aReview()
    const values = Array.from({ length: 101 }, (_, index) => ({
      review_id: review.id,
      user_id: author.id,
      text: `Number ${index}.`,
      // Two comments share each time, so that the order falls back to the ids.
      created_at: iso(Math.floor(index / 2)),
    }))
    await db.insertInto('comments').values(values).execute()
    await db
      .updateTable('reviews')
      .set({ comment_count: values.length })
      .where('id', '=', review.id)
      .execute()
    const read: string[] = []
    let before: number | undefined
    for (const expected of [50, 50, 1, 0]) {
      const { comments } = await as().reviews.comments({ id: review.id, before })
      expect(comments).toHaveLength(expected)
      read.unshift(...comments.map(({ text }) => text))
      before = comments[0]?.id
    }
    expect(read).toEqual(values.map(({ text }) => text))
    const last = await db
      .selectFrom('comments')
      .select('id')
      .where('review_id', '=', review.id)
      .where('text', '=', 'Number 50.')
      .executeTakeFirstOrThrow()
    const first = await as().reviews.comments({ id: review.id, before: last.id })
    expect([first.comments.length, first.nextCursor]).toEqual([50, null])
    await expect(as().reviews.comments({ id: review.id, before: 987654321 })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: messages.commentNotFound,
    })
  })

  it('are marked if they reveal the plot', async () => {
    const { author, review } = await aReview()
    const call = as(author).reviews
    const { comment } = await call.addComment({ id: review.id, text: 'He wins.', hasSpoilers: true })
    expect(comment.hasSpoilers).toBe(true)
    await call.addComment({ id: review.id, text: 'Nice.' })
    const { comments } = await as().reviews.comments({ id: review.id })
    expect(comments.map(({ hasSpoilers }) => hasSpoilers)).toEqual([true, false])
  })

  it('must not be blank', async () => {
    const { author, review } = await aReview()
    await expect(as(author).reviews.addComment({ id: review.id, text: ' \t ' })).rejects.toThrow(
      messages.commentEmpty,
    )
  })

  it('can be deleted only by their author', async () => {
    const { author, review } = await aReview()
    const commenter = await aMember(db)
    const { comment } = await as(commenter).reviews.addComment({ id: review.id, text: 'One.' })
    await expect(as(author).reviews.removeComment({ id: comment.id })).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: messages.commentNotYours,
    })
    expect(await as(commenter).reviews.removeComment({ id: comment.id })).toEqual({
      message: messages.commentDeleted,
      commentCount: 0,
    })
    await expect(as(commenter).reviews.removeComment({ id: comment.id })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    expect(await as().reviews.comments({ id: review.id })).toEqual({
      comments: [],
      total: 0,
      nextCursor: null,
    })
  })
})

describe('concurrently', () => {
  // Twice as many members as Postgres has connections: more would only wait for one, on a slow machine longer than a call may.
  const enter = openConcurrencyLimit({ concurrency: 20, waitMaxMs: 180_000 })

  it('saving one title several times creates one review', async () => {
    const author = await aMember(db)
    const movieId = await aTitle(db)
    const saved = await Promise.all(
      [1, 2, 3, 4, 5].map((rating) => as(author).reviews.save({ movieId, rating })),
    )
    expect(new Set(saved.map(({ review }) => review.id)).size).toBe(1)
    expect(await countersOf(movieId)).toMatchObject({ count: 1 })
    expect(await findCounterFaults(db)).toEqual([])
  })

  it('editing and deleting one review keeps every counter right', async () => {
    const { author, movieId, review } = await aReview({ rating: 3 })
    const ratings = Array.from({ length: 20 }, (_, index) => (index % 5) + 1)
    await Promise.all(
      ratings.map((rating) =>
        as(author).reviews.edit({ id: review.id, rating, text: rating > 3 ? 'Words.' : '' }),
      ),
    )
    expect(await findCounterFaults(db)).toEqual([])
    const removals = await Promise.allSettled(ratings.map(() => as(author).reviews.remove({ id: review.id })))
    expect(removals.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await countersOf(movieId)).toEqual({ count: 0, sum: 0, stars: [0, 0, 0, 0, 0], texts: 0 })
    expect(await reviewCountOf(author.id)).toBe(0)
  })

  it('deleting a comment several times is counted once', async () => {
    const { author, review } = await aReview()
    const { comment } = await as(author).reviews.addComment({ id: review.id, text: 'One.' })
    const results = await Promise.allSettled(
      [1, 2, 3].map(() => as(author).reviews.removeComment({ id: comment.id })),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await as().reviews.comments({ id: review.id })).toEqual({
      comments: [],
      total: 0,
      nextCursor: null,
    })
  })

  it(
    '200 members rate, edit, delete and react on one title, and every counter equals a recount',
    {
      timeout: 180_000,
    },
    async () => {
      const { author, movieId, review } = await aReview()
      const members = await Promise.all(Array.from({ length: 200 }, () => aMember(db)))
      await Promise.all(
        members.map((member, index) =>
          enter(async () => {
            const call = as(member).reviews
            const { review: mine } = await call.save({ movieId, rating: (index % 5) + 1 })
            await Promise.all([
              call.save({ movieId, rating: ((index + 3) % 5) + 1, text: 'Changed.' }),
              call.react({ id: review.id, reaction: index % 3 ? 'like' : 'dislike' }),
            ])
            if (index % 4 === 0) await call.remove({ id: mine.id })
          }),
        ),
      )
      expect(await findCounterFaults(db)).toEqual([])
      expect(await countersOf(movieId)).toMatchObject({ count: 151, texts: 151 })
      const seen = await as(author).reviews.mine({ movieId })
      expect(seen.review).toMatchObject({ likeCount: 133, dislikeCount: 67 })
    },
  )

  it('30 members rate, edit, delete, react and comment, and every counter equals a recount', async () => {
    const titles = [await aTitle(db), await aTitle(db, 'book'), await aTitle(db, 'game')]
    const members = await Promise.all(Array.from({ length: 30 }, () => aMember(db)))
    const { review } = await as(members[0]).reviews.save({
      itemId: titles[0]!,
      rating: 3,
      text: 'Everybody sees this.',
    })
    const { author: owner, review: fleeting } = await aReview()
    const refusals: unknown[] = []
    await Promise.all(
      members.map((member, index) =>
        enter(async () => {
          const call = as(member).reviews
          const itemId = titles[index % 3]!
          // A review deleted concurrently returns NOT_FOUND; no other call may fail.
          const orNotFound = (error: { code?: string }) =>
            void (error.code === 'NOT_FOUND' || refusals.push(error))
          await call.save({ itemId, rating: (index % 5) + 1, text: index % 2 ? 'Words.' : '' })
          await Promise.all([
            call.save({ itemId, rating: ((index + 2) % 5) + 1 }),
            call.save({ itemId: titles[(index + 1) % 3]!, rating: 5, text: 'Also.' }),
            call.react({ id: review.id, reaction: index % 3 ? 'like' : 'dislike' }),
            call.react({ id: fleeting.id, reaction: 'like' }).catch(orNotFound),
            call.addComment({ id: fleeting.id, text: 'Hello.' }).catch(orNotFound),
            call.addComment({ id: review.id, text: 'Hello.' }),
            index === 15 ? as(owner).reviews.remove({ id: fleeting.id }) : null,
          ])
          const { review: mine } = await call.mine({ itemId })
          await Promise.all([
            call.react({ id: review.id, reaction: index % 2 ? 'none' : 'like' }).catch(orNotFound),
            index % 4 === 0 && index > 0
              ? call.remove({ id: mine.id })
              : call.edit({ id: mine.id, text: 'Edited.' }),
          ])
        }),
      ),
    )
    expect(refusals).toEqual([])
    expect(await findCounterFaults(db)).toEqual([])
    const rows = await db
      .selectFrom('reviews')
      .select(['media_id', 'rating', 'text'])
      .where('media_id', 'in', titles)
      .execute()
    for (const id of titles) {
      const own = rows.filter((row) => row.media_id === id)
      const stars = [1, 2, 3, 4, 5].map((star) => own.filter((row) => row.rating === 10 * star).length)
      const sum = own.reduce((total, row) => total + row.rating / 10, 0)
      expect(await countersOf(id)).toEqual({
        count: own.length,
        sum,
        stars,
        texts: own.filter((row) => row.text).length,
      })
    }
  })
})

describe('the pages of the reviews of a title', () => {
  const sorts = (['createdAt', 'rating', 'likeCount'] as const).flatMap((sortBy) => [
    { sortBy, order: 'asc' as const },
    { sortBy, order: 'desc' as const },
  ])
  const setUser = (ids: number[], values: object) =>
    db.updateTable('users').set(values).where('id', 'in', ids).execute()

  /** A title with texts of members of all sorts, some of each, and viewers who follow, block or mute some of them. */
  async function aScene() {
    const itemId = await aTitle(db)
    const authors = await Promise.all(Array.from({ length: 22 }, () => aMember(db)))
    const others = await Promise.all(Array.from({ length: 12 }, () => aMember(db)))
    const [stranger, reader, fan, muting] = await Promise.all([1, 2, 3, 4].map(() => aMember(db)))
    for (const [minute, author] of authors.entries())
      await as(author, at(minute % 7)).reviews.save({ itemId, rating: 1 + (minute % 5), text: 'Words.' })
    await as(stranger).reviews.save({ itemId, rating: 3 })
    const [muted, blocked, blocking, ...rest] = authors
    for (const author of [...authors, ...others]) await as(fan).social.follow({ userIdToFollow: author.id })
    for (const author of [muted!, ...rest.slice(0, 4)])
      await as(reader).social.follow({ userIdToFollow: author.id })
    await as(reader).privacy.mute({ id: muted!.id })
    await as(reader).privacy.block({ id: blocked!.id })
    await as(blocking).privacy.block({ id: reader!.id })
    for (const author of rest.slice(2, 6)) await as(muting).privacy.mute({ id: author.id })
    return { itemId, authors, viewers: [null, stranger!, reader!, fan!, muting!, rest[0]!, rest[6]!] }
  }

  /** Each viewer reads all pages in all orders, and gets what `byId` shows them, without the members whom they have muted. */
  async function expectPagesFor({ itemId, viewers }: Awaited<ReturnType<typeof aScene>>) {
    const all = await db
      .selectFrom('reviews')
      .select(['id', 'user_id'])
      .where('media_id', '=', itemId)
      .where('text', '<>', '')
      .orderBy('id')
      .execute()
    const follows = await db.selectFrom('follows').selectAll().execute()
    const numbers: number[] = []
    for (const viewer of viewers) {
      const mutes = new Set(viewer && (await as(viewer).privacy.mutes({})).users.map(({ id }) => id))
      const visible: number[] = []
      for (const { id, user_id } of all)
        if (
          !mutes.has(user_id) &&
          (await as(viewer)
            .reviews.byId({ id })
            .catch(() => null))
        )
          visible.push(id)
      const followees = follows.filter((row) => row.follower_id === viewer?.id).map((row) => row.followee_id)
      const fromNetwork = all.filter((row) => followees.includes(row.user_id) && visible.includes(row.id))
      if (viewer) {
        const list = await as(viewer).reviews.list({ itemId, limit: 50, scope: 'network' })
        expect(list.reviews.map((review) => review.id).toSorted((a, b) => a - b)).toEqual(
          fromNetwork.map((row) => row.id),
        )
        expect(list.pagination.total).toBe(fromNetwork.length)
      }
      for (const sorting of sorts) {
        const shown: number[] = []
        for (let page = 1; page <= Math.max(1, Math.ceil(visible.length / 4)); page++) {
          const list = await as(viewer).reviews.list({ itemId, page, limit: 4, ...sorting })
          expect(list.pagination.total).toBe(visible.length)
          expect(list.reviews).toHaveLength(Math.min(4, visible.length - shown.length))
          shown.push(...list.reviews.map(({ id }) => id))
        }
        expect(shown.toSorted((a, b) => a - b)).toEqual(visible)
      }
      numbers.push(visible.length)
    }
    expect(await findCounterFaults(db)).toEqual([])
    return numbers
  }

  it('are full, and the total is what the viewer may see, while authors change who sees them', async () => {
    const scene = await aScene()
    const ids = scene.authors.map(({ id }) => id)
    expect(await expectPagesFor(scene)).toEqual([22, 22, 19, 22, 18, 22, 22])

    // The followers of a member whom a decision has suspended do not see them either, nor the ones of a deleted account.
    await setUser([...ids.slice(3, 6), ...ids.slice(9, 14), ids[0]!], { is_private: 1 })
    await setUser(ids.slice(14, 16), { standing: 'suspended' })
    await setUser(ids.slice(16, 17), { closed_at: iso(1), verified_at: null })
    const restricted = await expectPagesFor(scene)
    await as(scene.authors[20]).reviews.edit({
      id: (await as(scene.authors[20]).reviews.mine({ itemId: scene.itemId })).review.id,
      text: '',
    })
    await as(scene.authors[9]).reviews.save({ itemId: scene.itemId, rating: 2, text: 'Other words.' })
    expect(await expectPagesFor(scene)).toEqual(restricted.map((count) => count - 1))
    expect(await settleMembers(db)).toBe(12)
    expect(await expectPagesFor(scene)).toEqual(restricted.map((count) => count - 1))
    expect(await settleMembers(db)).toBe(0)

    await setUser(ids, { is_private: 0, standing: 'active' })
    await as(scene.authors[20]).reviews.save({ itemId: scene.itemId, rating: 2, text: 'Again.' })
    const open = await expectPagesFor(scene)
    expect(open).toEqual([21, 21, 18, 21, 17, 21, 21])
    expect(await settleMembers(db)).toBe(11)
    expect(await expectPagesFor(scene)).toEqual(open)
  })

  it('are exact if a member becomes private and public again before all is settled, and writes meanwhile', async () => {
    const author = await aMember(db)
    const [first, second, third] = [await aTitle(db), await aTitle(db), await aTitle(db)]
    const totals = () =>
      Promise.all(
        [first, second, third].map(async (itemId) => {
          const list = await as(null).reviews.list({ itemId })
          expect(list.reviews).toHaveLength(list.pagination.total)
          return list.pagination.total
        }),
      )
    const write = (itemId: number) => as(author).reviews.save({ itemId, rating: 3, text: 'Words.' })
    const setPrivate = (isPrivate: boolean) => as(author).privacy.change({ isPrivate })
    await write(first)
    await write(second)
    await setPrivate(true)
    await write(third)
    expect(await totals()).toEqual([0, 0, 0])
    await setPrivate(false)
    expect(await totals()).toEqual([1, 1, 1])

    // A run that ends before it has come to the second title.
    await setPrivate(true)
    await db.transaction().execute(async (trx) => {
      const { titles: ids, isPublic } = (await lockForSettling(trx, author.id, [first]))!
      await settleTexts(trx, author.id, 'media_id', { ids, isPublic })
    })
    await setPrivate(false)
    await write(third)
    expect(await totals()).toEqual([1, 1, 1])
    await setPrivate(true)
    expect(await totals()).toEqual([0, 0, 0])
    await settleMembers(db)
    expect(await totals()).toEqual([0, 0, 0])
    await write(third)
    await setPrivate(false)
    await settleMembers(db)
    expect(await totals()).toEqual([1, 1, 1])
    expect(await findCounterFaults(db)).toEqual([])
  })

  it('has no text of a member who becomes private while it is saved, after all is settled', async () => {
    const authors = await Promise.all(Array.from({ length: 12 }, () => aMember(db)))
    const itemId = await aTitle(db)
    await Promise.all(
      authors.flatMap((author) => [
        as(author).reviews.save({ itemId, rating: 3, text: 'Words.' }),
        as(author).privacy.change({ isPrivate: true }),
        settleMembers(db),
      ]),
    )
    // What a write had locked is settled by the next run.
    await settleMembers(db)
    expect((await as(null).reviews.list({ itemId })).pagination.total).toBe(0)
    expect(await findCounterFaults(db)).toEqual([])
    const row = await db.selectFrom('media').selectAll().where('id', '=', itemId).executeTakeFirstOrThrow()
    expect(row).toMatchObject({ text_count: 12, public_text_count: 0 })
  })
})

describe.runIf(isSqlite(db))('the indexes', () => {
  const subjects = [{ id: 1 }, { id: 1, part_id: 1 }]
  const page = { limit: 5, offset: 5 }
  const fromTitle = { id: 1, memberId: 1, isTitleSmaller: true }
  const fromNetwork = { ...fromTitle, isTitleSmaller: false }

  const plansOfLists = async () => {
    const plans: Record<string, string[]> = {}
    for (const sortBy of ['createdAt', 'rating', 'likeCount'] as const) {
      for (const order of ['asc', 'desc'] as const) {
        for (const ids of [[], [1, 2]])
          for (const on of subjects)
            plans[`${sortBy} ${order} ${ids.length} ${on.part_id ?? ''}`] = (
              await plansOf(db, (trx) =>
                listReviewsPage(
                  trx,
                  { ...page, on, sortBy, order, exceptions: { shown: ids, hidden: ids } },
                  1,
                ),
              )
            )
              .filter((line) => !/^(LIST SUBQUERY|CREATE BLOOM FILTER|SCAN json_each)/.test(line))
              .filter((line) => !/SCALAR SUBQUERY|^SEARCH (?!reviews|users|reactions)/.test(line))
      }
    }
    return plans
  }
  // Only the rows of the page are sorted.
  const by = (index: string, column: string) => [
    'CO-ROUTINE page',
    expect.stringMatching(
      new RegExp(`^SEARCH reviews USING (COVERING )?INDEX ${index} \\(${column}=\\?\\)$`),
    ),
    'SCAN page',
    'SEARCH reviews USING INTEGER PRIMARY KEY (rowid=?)',
    'SEARCH users USING INTEGER PRIMARY KEY (rowid=?)',
    // Either index on these two columns finds at most one row.
    expect.stringMatching(/^SEARCH reactions .*\((review_id=\? AND user_id|user_id=\? AND review_id)=\?\)$/),
    'USE TEMP B-TREE FOR ORDER BY',
  ]
  const indexes = { createdAt: 'newest', rating: 'rated', likeCount: 'liked' }
  const expected = Object.fromEntries(
    Object.entries(indexes).flatMap(([sortBy, index]) =>
      ['asc 0', 'asc 2', 'desc 0', 'desc 2'].flatMap((rest) => [
        [`${sortBy} ${rest} `, by(`reviews_${index}`, 'media_id')],
        [`${sortBy} ${rest} 1`, by(`reviews_part_${index}`, 'part_id')],
      ]),
    ),
  )

  /** The few members who may be exceptions are scanned, but never all members or all reviews of a title. */
  const plansOfExceptions = async () => {
    const { id } = await aMember(db)
    const counts = { id: 1, kind: 'tvShow' as const, isGone: false, text_count: 9 }
    const plans: string[] = []
    for (const closed of [0, 9])
      for (const following_count of [0, 9]) {
        await db.updateTable('users').set({ following_count }).where('id', '=', id).execute()
        for (const viewerId of [0, id])
          for (const part_id of [null, 1])
            plans.push(
              ...(await plansOf(db, (trx) =>
                findExceptions(trx, { ...counts, part_id, public_text_count: 9 - closed }, viewerId),
              )),
            )
      }
    await db.deleteFrom('users').where('id', '=', id).execute()
    expect(plans.filter((line) => line.startsWith('SEARCH reviews')).length).toBeGreaterThan(8)
    const few = [
      'SCAN candidates',
      'SCAN members',
      'SCAN users USING INDEX users_unsettled',
      'SCAN CONSTANT ROW',
    ]
    return plans.filter((line) => line.startsWith('SCAN') && !few.includes(line))
  }

  const sortsAndScans = async () => {
    const plans = [
      ...(await plansOf(db, (trx) => listReviews(trx, [1, 2, 3], 1))),
      ...(await plansOf(db, (trx) => listComments(trx, 1, undefined, 51, 1))),
      ...(await plansOf(db, (trx) => listComments(trx, 1, { created_at: iso(1), id: 7 }, 51, 1))),
      ...(await plansOf(db, (trx) => listNetworkReviews(trx, fromTitle))),
      ...(await plansOf(db, (trx) => listNetworkReviews(trx, fromNetwork))),
      ...(await plansOfExceptions()),
    ]
    return plans.filter((line) =>
      /TEMP B-TREE|^SCAN (?!json_each|users USING INDEX users_unsettled)/.test(line),
    )
  }

  it('serve both orders in both directions without a sort or a scan', async () => {
    expect(await plansOfLists()).toEqual(expected)
    expect(await sortsAndScans()).toEqual([])
    expect(await plansOf(db, (trx) => listNetworkReviews(trx, fromNetwork))).toContain(
      'SEARCH reviews USING INDEX reviews_network (media_id=? AND user_id>? AND user_id<?)',
    )
  })

  it('still do so on a larger, analyzed database', async () => {
    const author = await aMember(db)
    for (let index = 0; index < 40; index++) {
      const movieId = await aTitle(db)
      const reader = await aMember(db)
      await as(reader).reviews.save({ movieId, rating: (index % 5) + 1, text: 'Words.' })
      await as(author).reviews.save({ movieId, rating: (index % 5) + 1 })
      await as(author).social.follow({ userIdToFollow: reader.id })
    }
    await sql`analyze`.execute(db)
    expect(await plansOfLists()).toEqual(expected)
    expect(await sortsAndScans()).toEqual([])
  })
})
