import { TRPCError } from '@trpc/server'
import type { z } from 'zod'
import { messages } from '#shared/messages.ts'
import * as schema from '#shared/reviews.ts'
import { message, paginationOf } from '#shared/scalars.ts'
import type { Db } from '#server/db/open.ts'
import {
  type Context,
  found,
  loggedIn,
  type Member,
  memberProcedure,
  publicProcedure,
  router,
} from '#server/trpc.ts'
import {
  type Change,
  changeBetween,
  changed,
  countsBetween,
  reactionsBetween,
  sortReviews,
  type TitleRef,
  titleRefOf,
  toReview,
} from './rules.ts'
import {
  addCounts,
  addReactionCounts,
  addToCommentCount,
  type CommentRow,
  findComment,
  findCommentCount,
  findNetworkTitle,
  findReaction,
  findReview,
  findReviewBy,
  findReviewedTitle,
  insertComment,
  insertReview,
  listComments,
  listNetworkReviews,
  listReviewIds,
  listReviews,
  lockReview,
  lockTitle,
  lockTitleOf,
  type OwnReviewRow,
  removeComment,
  removeReview,
  setReaction,
  type ReviewedTitleRow,
  updateReview,
} from './store.ts'

const tags = ['Reviews']
const listed =
  'Only reviews with a text are listed; a rating alone is not. `sortBy` createdAt is the time of the first ' +
  'rating or text; equal ratings follow the same direction of time. `scope` network needs a token: the authors ' +
  'whom the caller follows.'

export const reviewsRouter = router({
  list: publicProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/reviews',
        operationId: 'listReviews',
        tags,
        summary: 'The reviews of a title',
        description: `Exactly one of movieId, tvShowId, bookId, gameId and itemId (a title of any kind). ${listed}`,
        protect: false,
        errorResponses: [401, 404],
      },
      readsToken: true,
    })
    .input(schema.listReviews.input)
    .output(schema.listReviews.output)
    .query(({ ctx, input }) => list(ctx, titleRefOf(input), input)),

  ofItem: publicProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/items/{id}/reviews',
        operationId: 'listItemReviews',
        tags,
        summary: 'The reviews of an item',
        description: listed,
        protect: false,
        errorResponses: [401, 404],
      },
      readsToken: true,
    })
    .input(schema.itemReviews.input)
    .output(schema.itemReviews.output)
    .query(({ ctx, input }) => list(ctx, titleRefOf({ itemId: input.id }), input)),

  mine: memberProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/reviews/mine',
        operationId: 'getMyReview',
        tags,
        summary: 'The caller’s own review of a title',
        description:
          'Name the title by exactly one of the five ids. 404 where the title is unknown, and where the caller has ' +
          'neither rated nor reviewed it.',
        protect: true,
        errorResponses: [404],
      },
    })
    .input(schema.myReview.input)
    .output(schema.myReview.output)
    .query(async ({ ctx, input }) => {
      const ref = titleRefOf(input)
      const title = found(await findReviewedTitle(ctx.db, ref), ref.notFound)
      const { id } = found(await findReviewBy(ctx.db, ctx.member.id, title.id), messages.reviewNotFound)
      return answer(ctx.db, id, ctx.member)
    }),

  save: memberProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/reviews',
        operationId: 'saveReview',
        tags,
        summary: 'Rate or review a title',
        description:
          'One review per member and title: sent again for the same title, the rating is replaced, and the text ' +
          'where one is sent (a blank one takes it away). A rating alone counts in averages, histograms, popular ' +
          'titles and feeds. The text is kept as text: it is never HTML. `rating` is needed each time; to change ' +
          'the text alone, change the review itself.',
        protect: true,
        errorResponses: [404],
      },
      status: 201,
    })
    .input(schema.saveReview.input)
    .output(schema.saveReview.output)
    .mutation(({ ctx, input }) =>
      publishing(ctx, async (trx, tell) => {
        const ref = titleRefOf(input)
        const title = found(await lockTitle(trx, ref), ref.notFound)
        const mine = await findReviewBy(trx, ctx.member.id, title.id)
        const id = mine
          ? await change(trx, mine, input, ctx.now, tell)
          : await create(trx, ctx, title, input, tell)
        return answer(trx, id, ctx.member)
      }),
    ),

  edit: memberProcedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/reviews/{id}',
        operationId: 'updateReview',
        tags,
        summary: 'Change one’s own review',
        description:
          'What is not sent stays; a blank text leaves the rating alone. 403 for a review of somebody else.',
        protect: true,
        errorResponses: [403, 404],
      },
    })
    .input(schema.editReview.input)
    .output(schema.editReview.output)
    .mutation(({ ctx, input }) =>
      publishing(ctx, async (trx, tell) => {
        const review = await lockOwn(trx, input.id, ctx.member)
        await change(trx, review, input, ctx.now, tell)
        return answer(trx, review.id, ctx.member)
      }),
    ),

  remove: memberProcedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/reviews/{id}',
        operationId: 'deleteReview',
        tags,
        summary: 'Delete one’s own review',
        description: 'Its rating, reactions and comments go with it. 403 for a review of somebody else.',
        protect: true,
        errorResponses: [403, 404],
      },
    })
    .input(schema.removeReview.input)
    .output(message)
    .mutation(({ ctx, input }) =>
      publishing(ctx, async (trx, tell) => {
        const review = await lockOwn(trx, input.id, ctx.member)
        await removeReview(trx, review.id)
        await count(trx, review, [review, undefined], tell)
        return { message: messages.reviewDeleted }
      }),
    ),

  /** At `/trpc` alone, as server-sent events; the same for everybody, so that it needs no token. */
  live: publicProcedure.input(schema.live.input).subscription(async ({ ctx, input, signal }) => {
    const ref = titleRefOf(input)
    const title = found(await findReviewedTitle(ctx.db, ref), ref.notFound)
    return ctx.live.follow(title, { address: ctx.address, isFromMember: ctx.isFromMember === true, signal })
  }),

  react: memberProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/reviews/{id}/reactions',
        operationId: 'reactToReview',
        tags,
        summary: 'Like or dislike a review',
        description: 'One reaction per member: it takes the place of the one before; `none` takes it away.',
        protect: true,
        errorResponses: [404],
      },
    })
    .input(schema.react.input)
    .output(schema.react.output)
    .mutation(({ ctx, input: { id, reaction } }) =>
      ctx.db.transaction().execute(async (trx) => {
        found(await lockReview(trx, id), messages.reviewNotFound)
        const key = { review_id: id, user_id: ctx.member.id }
        const before = (await findReaction(trx, key)) ?? 'none'
        await setReaction(trx, key, reaction)
        await addReactionCounts(trx, id, reactionsBetween(before, reaction))
        return answer(trx, id, ctx.member)
      }),
    ),

  comments: publicProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/reviews/{id}/comments',
        operationId: 'listComments',
        tags,
        summary: 'The comments on a review',
        description:
          'Oldest first, 50 at most: the last ones, or with `before` the last ones before that comment. `total` ' +
          'counts all.',
        protect: false,
        errorResponses: [404],
      },
    })
    .input(schema.listComments.input)
    .output(schema.listComments.output)
    .query(async ({ ctx, input }) => {
      const total = found(await findCommentCount(ctx.db, input.id), messages.reviewNotFound)
      const before =
        input.before === undefined
          ? undefined
          : found(await findComment(ctx.db, input.before), messages.commentNotFound)
      return { comments: (await listComments(ctx.db, input.id, before)).map(toComment), total }
    }),

  addComment: memberProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/reviews/{id}/comments',
        operationId: 'addComment',
        tags,
        summary: 'Comment on a review',
        description: '`commentCount` is that of the review, this comment among them.',
        protect: true,
        errorResponses: [404],
      },
      status: 201,
    })
    .input(schema.addComment.input)
    .output(schema.addComment.output)
    .mutation(({ ctx, input }) =>
      ctx.db.transaction().execute(async (trx) => {
        const commentCount = found(await addToCommentCount(trx, input.id, 1), messages.reviewNotFound)
        const values = {
          review_id: input.id,
          user_id: ctx.member.id,
          text: input.text,
          created_at: ctx.now.toISOString(),
        }
        const comment = found(await findComment(trx, await insertComment(trx, values)))
        return { comment: toComment(comment), commentCount }
      }),
    ),

  removeComment: memberProcedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/comments/{id}',
        operationId: 'deleteComment',
        tags,
        summary: 'Delete one’s own comment',
        description: '`commentCount` is what the review has left. 403 for a comment of somebody else.',
        protect: true,
        errorResponses: [403, 404],
      },
    })
    .input(schema.removeComment.input)
    .output(schema.removeComment.output)
    .mutation(({ ctx, input }) =>
      ctx.db.transaction().execute(async (trx) => {
        const comment = found(await findComment(trx, input.id), messages.commentNotFound)
        if (comment.user_id !== ctx.member.id) throw forbidden(messages.commentNotYours)
        const commentCount = (await addToCommentCount(trx, comment.review_id, -1)) ?? 0
        // Gone in the meantime: this rolls the count back.
        found(await removeComment(trx, input.id), messages.commentNotFound)
        return { message: messages.commentDeleted, commentCount }
      }),
    ),
})

type Listing = Omit<z.output<typeof schema.itemReviews.input>, 'id'>

async function list(ctx: Context, ref: TitleRef, input: Listing) {
  const follower = input.scope === 'network' ? loggedIn(ctx) : undefined
  const title = found(await findReviewedTitle(ctx.db, ref), ref.notFound)
  const { ids, total } = await (follower
    ? networkPage(ctx.db, title, follower, input)
    : overallPage(ctx.db, title, input))
  const rows = await listReviews(ctx.db, ids, ctx.member?.id)
  return { reviews: rows.map(toReview), pagination: paginationOf(input.page, input.limit, total) }
}

async function overallPage(db: Db, title: ReviewedTitleRow, { page, limit, sortBy, order }: Listing) {
  const total = title.text_count
  const offset = (page - 1) * limit
  const ids =
    offset < total ? await listReviewIds(db, { mediaId: title.id, sortBy, order, limit, offset }) : []
  return { ids, total }
}

async function networkPage(
  db: Db,
  title: ReviewedTitleRow,
  follower: Member,
  { page, limit, ...sorting }: Listing,
) {
  const network = found(await findNetworkTitle(db, title.kind, title.id, follower.id, 'text_count'))
  const all = sortReviews(await listNetworkReviews(db, network), sorting)
  return { ids: all.slice((page - 1) * limit, page * limit).map((row) => row.id), total: all.length }
}

/** Answers the review's id. Under the title's lock, as whatever changes a review or its counters. */
async function create(
  trx: Db,
  ctx: Context & { member: Member },
  title: ReviewedTitleRow,
  sent: { rating: number; text?: string | undefined },
  tell: Tell,
) {
  const now = ctx.now.toISOString()
  const times = { created_at: now, updated_at: now, rated_at: now }
  const values = {
    media_id: title.id,
    kind: title.kind,
    user_id: ctx.member.id,
    rating: sent.rating,
    text: sent.text ?? '',
    ...times,
  }
  const review = await insertReview(trx, values)
  await count(trx, review, [undefined, review], tell)
  return review.id
}

async function change(
  trx: Db,
  review: OwnReviewRow,
  sent: { rating?: number | undefined; text?: string | undefined },
  now: Date,
  tell: Tell,
) {
  const values = changed(review, sent, now.toISOString())
  await updateReview(trx, review.id, values)
  await count(trx, review, [review, values], tell)
  return review.id
}

/** Moves the counters from how a review was to how it is, and tells of it. */
async function count(trx: Db, review: OwnReviewRow, [before, after]: Step, tell: Tell): Promise<void> {
  await addCounts(trx, review, countsBetween(before, after))
  tell(changeBetween(review, before, after))
}

type Tell = (change: Change | undefined) => void
type Step = Parameters<typeof countsBetween>

/** A transaction that changes reviews; who follows their titles hears of what it tells once it is committed. */
async function publishing<T>({ db, live }: Context, work: (trx: Db, tell: Tell) => Promise<T>): Promise<T> {
  const told: Change[] = []
  const answer = await db
    .transaction()
    .execute((trx) => work(trx, (change) => void (change && told.push(change))))
  for (const change of told) live.publish(change)
  return answer
}

async function lockOwn(trx: Db, id: number, member: Member): Promise<OwnReviewRow> {
  await lockTitleOf(trx, id)
  const review = found(await findReview(trx, id), messages.reviewNotFound)
  if (review.user_id !== member.id) throw forbidden(messages.reviewNotYours)
  return review
}

async function answer(db: Db, id: number, viewer: Member) {
  const [row] = await listReviews(db, [id], viewer.id)
  return { review: toReview(found(row, messages.reviewNotFound)) }
}

function toComment(row: CommentRow) {
  const author = { id: row.user_id, username: row.username, profilePicture: row.picture }
  return { id: row.id, text: row.text, createdAt: row.created_at, author }
}

function forbidden(text: string): TRPCError {
  return new TRPCError({ code: 'FORBIDDEN', message: text })
}
