import { librarySearchMax, networkAskedMax } from '#shared/domain/limits.ts'
import * as ratings from '#shared/contracts/ratings.ts'
import * as schema from '#shared/contracts/library.ts'
import { toStars, toTenths } from '#shared/domain/ratings.ts'
import { pluck } from '#shared/domain/pluck.ts'
import { numberText } from '#shared/texts/formats.ts'
import { toTitleCard } from '#server/titles/rules.ts'
import { countItems } from '#server/titles/browse-store.ts'
import { listCards } from '#server/titles/store.ts'
import { foldWords } from '#server/db/fold.ts'
import type { Db } from '#server/db/open.ts'
import type { Context } from '#server/calls/context.ts'
import { readCursor, writeCursor, wrongCursor } from '#server/calls/cursors.ts'
import { callsIn, router } from '#server/calls/procedures.ts'
import { toPerson } from '#server/social/rules.ts'
import { readOpenMember } from '#server/calls/access.ts'
import { listPeople } from '#server/social/store.ts'
import { histogramsOf, summarizeNetwork, withTitles } from './rules.ts'
import * as store from './store.ts'
import * as libraryStore from './library-store.ts'

const { forAll, forMembers } = callsIn('Reviews')
const description =
  'Everything that the member has rated or reviewed, ratings without a text included. Pages follow each other by ' +
  '`cursor`: send the `nextCursor` of a page to get the next one. `total` does not depend on the cursor.'

/** Also the caller's ratings of the titles on a screen. */
export const libraryRouter = router({
  ofUser: forAll('GET /users/{id}/reviews', 'listReviewsOfUser', schema.library, {
    summary: 'List the ratings and reviews of a member',
    description,
    errors: [403, 404],
    readsToken: true,
    returnsData: 'library',
  }).query(({ ctx, input: { id, ...listing } }) => readLibrary(ctx, id, listing)),

  ofMe: forMembers(
    'GET /users/me/reviews',
    'listMyReviews',
    { input: schema.library.ownInput, output: schema.library.output },
    {
      summary: 'List the caller’s own ratings and reviews',
      description,
      returnsData: 'own',
    },
  ).query(({ ctx, input }) => readLibrary(ctx, ctx.member.id, input)),

  histogramsOfUser: forAll(
    'GET /users/{id}/rating-histograms',
    'getRatingHistogramsOfUser',
    ratings.memberHistograms,
    {
      summary: 'Get the distribution of a member’s ratings',
      description: 'The ratings that the member gave, of all kinds and of each kind.',
      errors: [403, 404],
      readsToken: true,
      returnsData: 'distribution',
    },
  ).query(async ({ ctx, input: { id } }) => {
    await readOpenMember(ctx, id)
    const firstRatedAt = await libraryStore.findFirstRating(ctx.db, id)
    return { ...histogramsOf(await libraryStore.countRatings(ctx.db, id)), firstRatedAt }
  }),

  ratingSettings: forMembers('GET /users/me/rating-settings', 'getRatingSettings', ratings.ratingSettings, {
    summary: 'Get whether the caller rates in half stars',
    returnsData: 'own',
  }).query(({ ctx }) => readSettings(ctx.db, ctx.member.id)),

  changeRatingSettings: forMembers(
    'PATCH /users/me/rating-settings',
    'updateRatingSettings',
    ratings.changeRatingSettings,
    {
      summary: 'Choose whether the caller rates in half stars',
      description:
        'Decides what screens offer and show. Ratings in halves are valid and stay as they are in any case. Omitted fields do not change.',
      scope: 'account',
    },
  ).mutation(async ({ ctx, input: { halfStars } }) => {
    if (halfStars !== undefined) await libraryStore.updateHalfStars(ctx.db, ctx.member.id, Number(halfStars))
    return readSettings(ctx.db, ctx.member.id)
  }),

  mineFor: forMembers('GET /reviews/mine/ratings', 'listMyRatings', ratings.myRatings, {
    summary: 'Get the caller’s own ratings of several titles',
    description: 'Takes at most 100 comma-separated ids of titles of any kind.',
    returnsData: 'own',
  }).query(async ({ ctx, input }) => {
    const rows = await libraryStore.listOwnRatings(ctx.db, ctx.member.id, input.ids.split(',').map(Number))
    return { ratings: rows.map(({ media_id, rating }) => ({ titleId: media_id, rating: toStars(rating) })) }
  }),

  networkFor: forMembers('GET /reviews/network', 'listNetworkRatings', ratings.networkRatings, {
    summary: 'Get the ratings of several titles by the caller’s network',
    description: `Takes at most 100 comma-separated ids of titles of any kind. Asks the ${numberText(networkAskedMax)} people whom the caller followed last.`,
    returnsData: 'networkRatings',
  }).query(async ({ ctx, input }) => {
    const { db, member } = ctx
    const rows = await libraryStore.listNetworkRatingsOf(db, member.id, input.ids.split(',').map(Number))
    const findPeople = async (ids: readonly number[]) =>
      new Map((await listPeople(db, ids, member.id, 'seen')).map((row) => [row.id, toPerson(row)]))
    let titles = summarizeNetwork(rows)
    const ids = [...new Set(titles.flatMap(({ raters }) => raters))]
    let personOf = await findPeople(ids)
    // Rarely is one of them suspended. Then the accounts of all are looked at.
    if (personOf.size < ids.length) {
      personOf = await findPeople([...new Set(rows.map(({ user_id }) => user_id))])
      titles = summarizeNetwork(rows, personOf)
    }
    return {
      ratings: titles.map(({ raters, ...title }) => ({
        ...title,
        raters: raters.flatMap((id) => personOf.get(id) ?? []),
      })),
    }
  }),
})

async function readSettings(db: Db, userId: number) {
  return { halfStars: (await libraryStore.findHalfStars(db, userId)) > 0 }
}

async function readLibrary(
  ctx: Context,
  userId: number,
  { about, sort, order, cursor, limit, q, ...facets }: schema.LibraryListing,
) {
  const { db, member } = ctx
  const { review_count } = await readOpenMember(ctx, userId)
  const all = about === 'titles' ? review_count : await libraryStore.countLibrary(db, userId, { about })
  const words = q === undefined ? undefined : foldWords(q)
  const isTooLarge = words !== undefined && all > librarySearchMax
  const since = isTooLarge
    ? await libraryStore.findLibraryTime(db, userId, about, librarySearchMax - 1)
    : undefined
  const filter = { ...facets, words, since }
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const total = isFiltered ? await libraryStore.countLibrary(db, userId, { about, ...filter }) : all
  const after = cursor === undefined ? undefined : await readKey(db, cursor, about, sort, order)
  // Reading titles in order reads about limit × titles ÷ total of them; sorting reads all ratings of the member.
  const isByTitle = sort === 'title' || sort === 'release'
  const isTitleFirst = about === 'titles' && isByTitle && total * all > limit * (await countItems(db))
  const rows = await libraryStore.listLibrary(db, userId, {
    filter: { about, ...filter },
    sort,
    order,
    after,
    limit: limit + 1,
    isTitleFirst,
  })
  const page = rows.slice(0, limit)
  const reviews = await store.listReviews(db, pluck(page, 'id'), member?.id)
  const cards = await listCards(db, [...new Set(pluck(page, 'media_id'))])
  return {
    reviews: withTitles(reviews, cards.map(toTitleCard)),
    nextCursor: rows.length > limit ? writeCursor([sort, order, keyOf(about, sort, page.at(-1)!)]) : null,
    total,
  }
}

function keyOf(
  about: schema.LibraryAbout,
  sort: schema.LibrarySort,
  row: libraryStore.LibraryRow,
): schema.LibraryKey {
  if (sort === 'createdAt') return [row.created_at, row.id]
  if (sort === 'rating') return [toStars(row.rating), row.created_at, row.id]
  return about === 'parts' ? [row.media_id, row.id] : [row.media_id]
}

async function readKey(
  db: Db,
  cursor: string,
  about: schema.LibraryAbout,
  sort: schema.LibrarySort,
  order: 'asc' | 'desc',
): Promise<readonly (string | number)[]> {
  const [ofSort, ofOrder, key] = readCursor(cursor, schema.libraryCursor)
  const ofTitle = about === 'parts' ? 2 : 1
  const length = { createdAt: 2, rating: 3, title: ofTitle, release: ofTitle }[sort]
  if (ofSort !== sort || ofOrder !== order || key.length !== length) throw wrongCursor()
  if (key.length === 3) return [toTenths(key[0]), key[1], key[2]]
  const [first] = key
  if ((typeof first === 'string') !== (sort === 'createdAt')) throw wrongCursor()
  if (typeof first === 'string') return key
  const title = await libraryStore.findTitleKeys(db, first)
  if (title === undefined) throw wrongCursor()
  return [sort === 'title' ? title.name_folded : (title.release_date ?? ''), ...key]
}
