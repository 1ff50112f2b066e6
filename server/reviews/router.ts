import { type OwnReviewRow, safeColumns, type WrittenRow } from './tables.ts'
import type { z } from 'zod'
import { commentsMax } from '#shared/domain/limits.ts'
import { idKeys, type Kind, partIdKeys } from '#shared/domain/kinds.ts'
import { toStars } from '#shared/domain/ratings.ts'
import { safeUnits, safeUnitsOf } from '#shared/domain/safe-up-to.ts'
import { messages } from '#shared/texts/messages.ts'
import { flagNames } from '#shared/domain/review-flags.ts'
import * as schema from '#shared/contracts/reviews.ts'
import type { Db } from '#server/db/open.ts'
import { commented, reviewLiked, uncommented } from './notify.ts'
import type { Context, Member, MemberContext } from '#server/calls/context.ts'
import { atCursor, endOfPage, readCursor, writeCursor } from '#server/calls/cursors.ts'
import {
  callsIn,
  found,
  loggedIn,
  mayRead,
  memberProcedure,
  publicProcedure,
  router,
  countTexts,
} from '#server/calls/procedures.ts'
import {
  conflict,
  forbidden,
  InsufficientScope,
  invalidField,
  notFound,
  ReasonedError,
} from '#server/calls/errors.ts'
import { checkIfMatch } from '#server/calls/etag.ts'
import {
  applyEdit,
  newReview,
  reactionsBetween,
  restored,
  snapshotOf,
  sortReviews,
  subjectRefOf,
  type SubjectRef,
  titleRefOf,
  toComment,
  toReview,
  toFlags,
  toSafeColumns,
} from './rules.ts'
import * as reactionsStore from './reactions-store.ts'
import * as store from './store.ts'
import * as commentsStore from './comments-store.ts'
import * as networkStore from './network-store.ts'
import { changeReview, createReview, deleteOwnReview, publishing, withSafe } from './write.ts'

const { forAll, forMembers } = callsIn('Reviews')
const written = ['rating', 'text', ...flagNames] as const
const version = [...written, ...safeUnits.map((unit) => `safeUpTo.${unit}`)].map((name) => `review.${name}`)
const withheldDescription =
  'A text that its author withholds from those who are not as far in the title (`safeUpTo`) is blank for them and has `isWithheld`.'
const listDescription =
  'Lists and counts the reviews with a text that the caller may see; ratings without a text are not listed. `sortBy` createdAt sorts by the time of the first ' +
  'rating or text; reviews with equal ratings or likes are sorted by that time in the same direction. `scope` network lists ' +
  'only reviews by people the caller follows, and requires a token.'

/** British: without a comma before “and”. */
const subjects = new Intl.ListFormat('en-GB')

export const reviewsRouter = router({
  list: forAll('GET /reviews', 'listReviews', schema.listReviews, {
    summary: 'List the reviews of a title, a season or an episode',
    description:
      `Requires exactly one of ${subjects.format([...idKeys, 'itemId (a title of any kind)', ...partIdKeys])}. ` +
      'The list of a show has no reviews of its seasons and episodes. ' +
      listDescription,
    errors: [401, 404],
    readsToken: true,
    returnsData: ['reviews', 'networkReviews'],
  }).query(({ ctx, input }) => list(ctx, subjectRefOf(input), input)),

  ofItem: forAll('GET /items/{id}/reviews', 'listItemReviews', schema.itemReviews, {
    summary: 'List the reviews of an item',
    description: listDescription,
    errors: [401, 404],
    readsToken: true,
    returnsData: 'reviews',
  }).query(({ ctx, input }) => list(ctx, titleRefOf({ itemId: input.id }), input)),

  byId: forAll('GET /reviews/{id}', 'getReview', schema.reviewById, {
    summary: 'Get a review',
    description: `Also returns a rating without a text. ${withheldDescription}`,
    errors: [404],
    readsToken: true,
    version,
    returnsData: 'library',
  }).query(async ({ ctx, input }) => {
    const read = await readReview(ctx.db, input.id, ctx.member, { isRevealed: input.reveal })
    // One about a title that a decision has removed is as gone as the title.
    found(await store.findReviewedTitle(ctx.db, { id: read.review.itemId }), messages.reviewNotFound)
    return read
  }),

  mine: forMembers('GET /reviews/mine', 'getMyReview', schema.myReview, {
    summary: 'Get the caller’s own review of a title, a season or an episode',
    description:
      `Requires exactly ${schema.oneSubjectKey}. ` +
      'Returns 404 if it does not exist, or if the caller has neither ' +
      'rated nor reviewed it.',
    errors: [404],
    version,
    returnsData: 'own',
  }).query(async ({ ctx, input }) => {
    const ref = subjectRefOf(input)
    const on = found(await store.findReviewed(ctx.db, ref), ref.notFound)
    const mine = found(await store.findReviewBy(ctx.db, ctx.member.id, on), messages.reviewNotFound)
    return { ...(await readReview(ctx.db, mine.id, ctx.member)), ratingGiven: mine.rating_given }
  }),

  save: forMembers('POST /reviews', 'saveReview', schema.saveReview, {
    summary: 'Rate or review a title, a season or an episode',
    description:
      'A member has one review per title, season and episode. A second request for the same one replaces the rating, and the text if ' +
      'one is sent; a blank text removes it. A rating without a text counts in averages, histograms, popular titles ' +
      'and feeds; the rating of a season or an episode counts in its own average only. The text is plain text, never HTML. `rating` is always required; to change only the text, update ' +
      'the review.',
    errors: [404],
    scope: 'reviews:write',
    returnsPublic: true,
    status: 201,
    location: '/reviews/{review.id}',
    version,
  }).mutation(({ ctx, input }) =>
    publishing(ctx, async (trx, publish) => {
      const ref = subjectRefOf(input)
      const on = found(await store.lockReviewed(trx, ref), ref.notFound)
      const mine = await store.findReviewBy(trx, ctx.member.id, on)
      const now = ctx.now.toISOString()
      if (mine ? mine.removed_text !== null : await store.isRemoved(trx, ctx.member.id, on))
        throw contentRemoved()
      // What the source has no longer gets no new reviews.
      if (!mine && on.isGone) throw notFound(ref.notFound)
      await checkSafeUpTo(trx, on, input)
      const safe = <Values extends WrittenRow>(values: Values) =>
        withSafe(trx, mine ?? { ...on, text: '', removed_text: null }, values)
      if (mine) await changeReview(trx, mine, await safe(applyEdit(mine, input, now)), publish)
      const id =
        mine?.id ?? (await createReview(trx, on, ctx.member.id, await safe(newReview(input, now)), publish))
      return readChanged(trx, id, ctx)
    }),
  ),

  edit: forMembers('PATCH /reviews/{id}', 'updateReview', schema.editReview, {
    summary: 'Update the caller’s own review',
    description:
      'Fields that are not sent keep their values; a blank text removes the text and keeps the rating. Returns 403 ' +
      'for a review by another member, and 412 if `If-Match` has the `ETag` of an earlier rating or text.',
    errors: [403, 404, 412],
    scope: 'reviews:write',
    returnsPublic: true,
    version,
  }).mutation(({ ctx, input }) =>
    publishing(ctx, async (trx, publish) => {
      const review = await lockOwn(trx, input.id, ctx, true)
      await checkSafeUpTo(trx, { id: await store.findTitleOf(trx, review), kind: review.kind }, input)
      const values = await withSafe(trx, review, applyEdit(review, input, ctx.now.toISOString()))
      await changeReview(trx, review, values, publish)
      return readChanged(trx, review.id, ctx)
    }),
  ),

  /** What `restore` takes, for the web app. */
  snapshot: memberProcedure
    .meta({ returnsData: 'own' })
    .input(schema.reviewSnapshot.input)
    .output(schema.reviewSnapshot.output)
    .query(async ({ ctx, input }) => {
      const ref = subjectRefOf(input)
      const on = found(await store.findReviewed(ctx.db, ref), ref.notFound)
      const mine = await store.findReviewBy(ctx.db, ctx.member.id, on)
      return { snapshot: mine ? snapshotOf(mine) : null }
    }),

  restore: memberProcedure
    .meta({ scope: 'reviews:write', returnsPublic: true })
    .input(schema.restoreReview.input)
    .use(countTexts)
    .output(schema.restoreReview.output)
    .mutation(({ ctx, input: { replaced, ...snapshot } }) =>
      publishing(ctx, async (trx, publish) => {
        const review = await lockOwn(trx, snapshot.id, ctx, true)
        if (replaced !== undefined && review.updated_at !== replaced) throw conflict(messages.reviewChanged)
        await checkSafeUpTo(trx, { id: await store.findTitleOf(trx, review), kind: review.kind }, snapshot)
        await changeReview(trx, review, restored(review, snapshot), publish)
        return readChanged(trx, review.id, ctx)
      }),
    ),

  remove: forMembers('DELETE /reviews/{id}', 'deleteReview', schema.removeReview, {
    summary: 'Delete the caller’s own review',
    description:
      'Also deletes its rating, reactions and comments. Returns 403 for a review by another member, and 412 if `If-Match` has the `ETag` of an earlier rating or text.',
    errors: [403, 404, 412],
    scope: 'reviews:write',
  }).mutation(({ ctx, input }) =>
    publishing(ctx, async (trx, publish) => {
      const review = await lockOwn(trx, input.id, ctx, false)
      await deleteOwnReview(trx, review, publish)
      return { message: messages.reviewDeleted }
    }),
  ),

  /** The same for every client. A token is needed only if the settings keep visitors out. */
  live: publicProcedure
    .meta({ returnsData: 'liveReviews' })
    .input(schema.live.input)
    .subscription(async ({ ctx, input, signal }) => {
      const ref = subjectRefOf(input)
      const on = found(await store.findReviewed(ctx.db, ref), ref.notFound)
      return ctx.live.subscribe(on, {
        address: ctx.address,
        isFromMember: ctx.isFromMember === true,
        signal,
        // A suspended member reads as a visitor.
        member: ctx.member?.standing === 'suspended' ? null : ctx.member,
      })
    }),

  react: forMembers('POST /reviews/{id}/reactions', 'reactToReview', schema.react, {
    summary: 'Like or dislike a review',
    description: 'A member has one reaction per review: it replaces the previous one, and `none` removes it.',
    errors: [404],
    scope: 'reviews:write',
    returnsPublic: true,
  }).mutation(({ ctx, input: { id, reaction } }) =>
    ctx.db.transaction().execute(async (trx) => {
      found(await store.lockReview(trx, id), messages.reviewNotFound)
      // One that the caller may not see does not exist for them.
      await readReview(trx, id, ctx.member)
      await checkOpen(trx, id)
      const key = { review_id: id, user_id: ctx.member.id }
      const before = (await reactionsStore.findReaction(trx, key)) ?? 'none'
      await reactionsStore.setReaction(trx, key, reaction)
      await reactionsStore.addReactionCounts(trx, id, reactionsBetween(before, reaction))
      if (reaction !== before)
        await reviewLiked(trx, { reviewId: id, by: ctx.member.id, isLiked: reaction === 'like' }, ctx.now)
      const changed = await readReview(trx, id, ctx.member)
      if (mayRead(ctx)) return changed
      // The response would show a token without `read` what visitors may not see.
      const [shown] = await store.listReviews(trx, [id], undefined)
      if (!shown) throw new InsufficientScope('read')
      return { review: { ...toReview(shown), userReaction: changed.review.userReaction } }
    }),
  ),

  comments: forAll('GET /reviews/{id}/comments', 'listComments', schema.listComments, {
    summary: 'List the comments on a review',
    description:
      'Returns the last 50 comments, or with `before` the last 50 before that comment; oldest first. `total` is ' +
      'the number of all comments on the review, also of those that the caller may not see. ' +
      withheldDescription,
    errors: [404],
    readsToken: true,
    returnsData: ['reviews', 'replies'],
  }).query(async ({ ctx, input }) => {
    const viewerId = ctx.member?.id ?? 0
    const total = found(
      await commentsStore.findCommentCount(ctx.db, input.id, viewerId),
      messages.reviewNotFound,
    )
    const before = await placeOf(ctx.db, input, viewerId)
    // One more than the page tells whether there is a next one.
    const rows = await commentsStore.listComments(ctx.db, input.id, before, commentsMax + 1, viewerId, {
      isRevealed: input.reveal,
    })
    const shown = rows.slice(-commentsMax)
    const nextCursor =
      rows.length > commentsMax ? writeCursor(['comments', shown[0]!.created_at, shown[0]!.id]) : null
    return { comments: shown.map(toComment), total, nextCursor }
  }),

  addComment: forMembers('POST /reviews/{id}/comments', 'addComment', schema.addComment, {
    summary: 'Comment on a review',
    description: '`commentCount` is the review’s number of comments, including the new one.',
    errors: [404],
    scope: 'reviews:write',
    returnsPublic: true,
    status: 201,
    location: '/comments/{comment.id}',
  }).mutation(({ ctx, input }) =>
    ctx.db.transaction().execute(async (trx) => {
      found(await commentsStore.findCommentCount(trx, input.id, ctx.member.id), messages.reviewNotFound)
      const review = await checkOpen(trx, input.id)
      if (review)
        await checkSafeUpTo(trx, { id: await store.findTitleOf(trx, review), kind: review.kind }, input)
      const commentCount = found(
        await commentsStore.addToCommentCount(trx, input.id, 1),
        messages.reviewNotFound,
      )
      const values = {
        review_id: input.id,
        user_id: ctx.member.id,
        text: input.text,
        has_spoilers: Number(input.hasSpoilers),
        created_at: ctx.now.toISOString(),
        ...toSafeColumns(input.safeUpTo),
      }
      const comment = found(
        await commentsStore.findComment(trx, await commentsStore.insertComment(trx, values), ctx.member.id),
      )
      await commented(trx, comment, { isFirst: commentCount === 1, now: ctx.now })
      return { comment: toComment(comment), commentCount }
    }),
  ),

  removeComment: forMembers('DELETE /comments/{id}', 'deleteComment', schema.removeComment, {
    summary: 'Delete the caller’s own comment',
    description:
      '`commentCount` is the review’s remaining number of comments. Returns 403 for a comment by another member.',
    errors: [403, 404],
    scope: 'reviews:write',
    returnsPublic: true,
  }).mutation(({ ctx, input }) =>
    ctx.db.transaction().execute(async (trx) => {
      const comment = found(
        await commentsStore.findComment(trx, input.id, ctx.member.id),
        messages.commentNotFound,
      )
      if (comment.user_id !== ctx.member.id) throw forbidden(messages.commentNotYours)
      const commentCount = (await commentsStore.addToCommentCount(trx, comment.review_id, -1)) ?? 0
      // A concurrent request may have deleted the comment: the counter is rolled back.
      found((await commentsStore.removeComment(trx, input.id))?.isCounted, messages.commentNotFound)
      await uncommented(trx, comment)
      return { message: messages.commentDeleted, commentCount }
    }),
  ),
})

type Listing = Omit<z.output<typeof schema.itemReviews.input>, 'id'>

async function list(ctx: Context, ref: SubjectRef, input: Listing) {
  const follower = input.scope === 'network' ? loggedIn(ctx) : undefined
  const on = found(await store.findReviewed(ctx.db, ref), ref.notFound)
  const name = `reviews ${input.sortBy} ${input.order} ${input.scope}`
  const query = atCursor(input, name)
  const { rows, total } = await (follower
    ? networkPage(ctx.db, on, follower, query)
    : overallPage(ctx, on, query))
  return { reviews: rows.map(toReview), ...endOfPage(query, name, total) }
}

async function overallPage({ db, member }: Context, on: store.ReviewedRow, input: Listing) {
  const { page, limit, sortBy, order } = input
  const viewerId = member?.id ?? 0
  const exceptions = await store.findExceptions(db, on, viewerId)
  const total = on.public_text_count + exceptions.shown.length - exceptions.hidden.length
  const offset = (page - 1) * limit
  const sorting = { on, sortBy, order, limit, offset, exceptions }
  const rows = offset < total ? await store.listReviewsPage(db, sorting, viewerId) : []
  return { rows, total }
}

async function networkPage(
  db: Db,
  on: store.ReviewedRow,
  follower: Member,
  { page, limit, ...sorting }: Listing,
) {
  const network = found(
    on.part_id === null
      ? await networkStore.findNetworkTitle(db, on.kind, on.id, follower.id, 'text_count')
      : await networkStore.findNetworkPart(db, on.part_id, follower.id),
  )
  const all = sortReviews(await networkStore.listNetworkReviews(db, network), sorting)
  const ids = all.slice((page - 1) * limit, page * limit).map((row) => row.id)
  return { rows: await store.listReviews(db, ids, follower.id), total: all.length }
}

/** FORBIDDEN for an edit of a removed review, PRECONDITION_FAILED for an earlier version. */
async function lockOwn(trx: Db, id: number, ctx: MemberContext, isEdit: boolean): Promise<OwnReviewRow> {
  await store.lockTitleOf(trx, id)
  const review = found(await store.findReview(trx, id), messages.reviewNotFound)
  if (review.user_id !== ctx.member.id) {
    // One that the caller may not see does not exist for them.
    await readReview(trx, id, ctx.member)
    throw forbidden(messages.reviewNotYours)
  }
  if (isEdit) await checkOpen(trx, id)
  const values = { ...review, rating: toStars(review.rating), ...toFlags(review) }
  checkIfMatch(ctx, [...written.map((name) => values[name]), ...safeColumns.map((column) => review[column])])
  return review
}

/** FORBIDDEN for a review that a decision has removed, which only its author sees; NOT_FOUND if its title was removed. */
async function checkOpen(trx: Db, id: number): Promise<OwnReviewRow | undefined> {
  const review = await store.findReview(trx, id)
  if (!review) return undefined
  if (review.removed_text !== null) throw contentRemoved()
  if (!(await store.isTitleOfReviewShown(trx, id))) throw notFound(messages.itemNotFound)
  return review
}

/** Throws BAD_REQUEST for a unit of other kinds, and for an episode of another title. */
async function checkSafeUpTo(
  trx: Db,
  { id: titleId, kind }: { id: number; kind: Kind },
  { safeUpTo }: { safeUpTo?: schema.SafeUpTo | null | undefined },
): Promise<void> {
  if (!safeUpTo) return
  if (safeUnits.some((unit) => safeUpTo[unit] !== undefined && !safeUnitsOf(kind).includes(unit)))
    throw invalidField('safeUpTo', messages.safeUpToWrong)
  if (safeUpTo.episodeId !== undefined && !(await store.lockEpisodeOf(trx, safeUpTo.episodeId, titleId)))
    throw invalidField('safeUpTo', messages.safeEpisodeWrong)
}

/** A token without `read` does not get the author’s own reaction. */
async function readChanged(trx: Db, id: number, ctx: MemberContext) {
  const { review } = await readReview(trx, id, ctx.member)
  return { review: mayRead(ctx) ? review : { ...review, userReaction: 'none' as const } }
}

async function readReview(db: Db, id: number, viewer: Member | null, reading = {}) {
  const [row] = await store.listReviews(db, [id], viewer?.id, reading)
  return { review: toReview(found(row, messages.reviewNotFound)) }
}

async function placeOf(
  db: Db,
  { before, cursor }: { before?: number | undefined; cursor?: string | undefined },
  viewerId: number,
) {
  if (cursor !== undefined) {
    // With the time, because the comment may have been deleted since.
    const [, created_at, id] = readCursor(cursor, schema.commentsCursor)
    return { created_at, id }
  }
  return before === undefined
    ? undefined
    : found(await commentsStore.findComment(db, before, viewerId), messages.commentNotFound)
}

function contentRemoved(): ReasonedError {
  return new ReasonedError('FORBIDDEN', 'CONTENT_REMOVED', messages.reviewRemoved)
}
