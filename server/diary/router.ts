import * as schema from '#shared/contracts/diary.ts'
import type { DiarySort } from '#shared/contracts/diary.ts'
import { idsMax, pickedFromMax } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import { oneKey } from '#shared/contracts/reviews.ts'
import { pluck } from '#shared/domain/pluck.ts'
import { detailsOf, toTitleCard } from '#server/titles/rules.ts'
import { listCards } from '#server/titles/store.ts'
import type { Db } from '#server/db/open.ts'
import type { EntryPlace, ShownEntryRow, WrittenEntryRow } from './tables.ts'
import { editPass, endPass, lockPassesOf, percentOf, settle } from './passes.ts'
import { titleRefOf } from '#server/reviews/rules.ts'
import { listNetworkRatingsOf } from '#server/reviews/library-store.ts'
import { findReviewedTitle } from '#server/reviews/store.ts'
import { toPerson } from '#server/social/rules.ts'
import { listPeople } from '#server/social/store.ts'
import { badRequest } from '#server/calls/errors.ts'
import type { Context, MemberContext } from '#server/calls/context.ts'
import { readCursor, writeCursor, wrongCursor } from '#server/calls/cursors.ts'
import { callsIn, found, router } from '#server/calls/procedures.ts'
import {
  applyWritten,
  currentStatus,
  findTwin,
  pickOne,
  progressOf,
  problemOf,
  summarizeYear,
  toEntry,
  toOwnEntry,
} from './rules.ts'
import { listPlaces } from './on-services.ts'
import * as store from './store.ts'
import { duplicate, lockOwn, readEntry } from './own-entry.ts'
import { checkVisible, isVisible } from './visible.ts'

const { forAll, forMembers } = callsIn('Diary')
const listDescription =
  'Without `status`, lists all entries except `want`. To read the next page, send `nextCursor` as `cursor` with the same filters.'

export const diaryRouter = router({
  list: forMembers('GET /diary', 'listDiary', schema.listDiary, {
    summary: 'List the caller’s own diary',
    description: listDescription,
    returnsData: 'own',
  }).query(({ ctx, input: { onMyServices = false, ...listing } }) =>
    readPage(ctx, ctx.member.id, listing, toOwnEntry, onMyServices),
  ),

  mine: forMembers('GET /diary/mine', 'getMyDiaryOfTitle', schema.myDiary, {
    summary: 'Get the caller’s own entries of a title',
    description:
      `Requires exactly ${oneKey}. ` +
      'Returns at most 100 entries: the one in progress, then those that are over, newest first, then `want`.',
    errors: [404],
    returnsData: 'own',
  }).query(async ({ ctx, input }) => {
    const ref = titleRefOf(input)
    const title = found(await findReviewedTitle(ctx.db, ref), ref.notFound)
    const rows = await store.listEntries(ctx.db, await store.listEntryIdsOf(ctx.db, ctx.member.id, title.id))
    return { status: currentStatus(rows), entries: rows.map(toOwnEntry) }
  }),

  marks: forMembers('GET /diary/marks', 'listDiaryMarks', schema.diaryMarks, {
    summary: 'Get the caller’s own status of several titles',
    description: 'Leaves out titles without an entry. The ids belong to titles of any kind.',
    returnsData: 'own',
  }).query(async ({ ctx, input }) => {
    const rows = await store.listStatuses(ctx.db, ctx.member.id, input.itemIds.split(',').map(Number))
    const percents = await percentOf(ctx, rows)
    return {
      marks: rows.map((row) => ({
        itemId: row.media_id,
        status: row.status,
        percent: row.pass === null ? (progressOf(row)?.percent ?? null) : (percents.get(row.media_id) ?? 0),
      })),
    }
  }),

  pick: forMembers('GET /diary/pick', 'pickWanted', schema.pickWanted, {
    summary: 'Pick a title of the caller’s want list at random',
    returnsData: 'own',
  }).query(async ({ ctx, input: { isRatedByNetwork, onMyServices, not, seed, ...filters } }) => {
    const listing = { userId: ctx.member.id, status: 'want', sort: 'newest', limit: pickedFromMax } as const
    const places = await listPlaces(ctx, { ...filters, ...listing }, onMyServices)
    const ids = places.map(({ id }) => id)
    const matching = isRatedByNetwork ? await ratedByNetwork(ctx, ids) : ids
    const others = matching.filter((id) => id !== not)
    const picked = pickOne(others.length > 0 ? others : matching, seed)
    const entry = picked === undefined ? null : (await readEntry(ctx.db, picked)).entry
    return { entry, count: matching.length }
  }),

  create: forMembers('POST /diary', 'createDiaryEntry', schema.createEntry, {
    summary: 'Add an entry to the caller’s diary',
    description:
      'A title has at most one entry with the status `want`, and at most one with `started` or `paused`; a second one returns 409. ' +
      'Dates are calendar dates, not in the future and not before 1870. `want` has no dates, and only `finished` and `dropped` have `finishedOn`.',
    errors: [404, 409],
    scope: 'diary:write',
    status: 201,
    location: '/diary/{entry.id}',
  }).mutation(async ({ ctx, input }) => {
    const ref = titleRefOf(input)
    const title = found(await findReviewedTitle(ctx.db, ref), ref.notFound)
    const empty = { started_on: null, finished_on: null, is_again: 0, text: '' }
    const values = checked(ctx, applyWritten(input, empty))
    const at = ctx.now.toISOString()
    const entry = {
      user_id: ctx.member.id,
      media_id: title.id,
      kind: title.kind,
      created_at: at,
      updated_at: at,
    }
    // `ctx.claimKey` needs a transaction: an entry is inserted once per idempotency key.
    const id = await ctx.db.transaction().execute(async (trx) => {
      await lockPassesOf(trx, entry)
      const inserted = await store.insertEntry(trx, { ...entry, ...values })
      if (inserted !== undefined) await settle(trx, ctx, entry)
      return inserted
    })
    if (id === undefined) throw duplicate(values)
    return readEntry(ctx.db, id)
  }),

  edit: forMembers('PATCH /diary/{id}', 'updateDiaryEntry', schema.editEntry, {
    summary: 'Update an entry of the caller’s diary',
    description:
      'Omitted fields do not change, except dates that the new status cannot have, which are removed. ' +
      'The same rules apply as to a new entry. The dates of a pass with plays, and whether it is finished, follow from its plays: ' +
      '`started` continues it, and `finished` returns 409 with the reason `EPISODES_MISSING` if episodes are not played. Returns 404 for an entry of another member.',
    errors: [404, 409],
    scope: 'diary:write',
  }).mutation(async ({ ctx, input }) => {
    await ctx.db.transaction().execute(async (trx) => {
      const entry = await lockOwn(trx, ctx.member.id, input.id)
      if (entry.pass !== null) return editPass(trx, ctx, entry, input)
      const values = checked(ctx, applyWritten(input, entry))
      const updated_at = ctx.now.toISOString()
      if (!(await store.updateEntry(trx, entry.id, { ...values, updated_at }))) throw duplicate(values)
      await settle(trx, ctx, entry)
    })
    return readEntry(ctx.db, input.id)
  }),

  remove: forMembers('DELETE /diary/{id}', 'deleteDiaryEntry', schema.removeEntry, {
    summary: 'Delete an entry of the caller’s diary',
    description: 'With its plays, if it has some. Returns 404 for an entry of another member.',
    errors: [404],
    scope: 'diary:write',
  }).mutation(async ({ ctx, input }) => {
    await ctx.db.transaction().execute(async (trx) => {
      const entry = await lockOwn(trx, ctx.member.id, input.id)
      await store.removeEntry(trx, ctx.member.id, entry.id)
      await endPass(trx, ctx, entry)
    })
    return { message: messages.diaryEntryRemoved }
  }),

  visibility: forMembers('GET /diary/visibility', 'getDiaryVisibility', schema.visibility, {
    summary: 'Get who may read the caller’s diary',
    returnsData: 'own',
  }).query(async ({ ctx }) => {
    return { visibility: await store.findVisibility(ctx.db, ctx.member.id) }
  }),

  setVisibility: forMembers('PUT /diary/visibility', 'setDiaryVisibility', schema.setVisibility, {
    summary: 'Set who may read the caller’s diary',
    description:
      'Applies to all entries, including `want`, and to the summaries of years. Private notes are never shown.',
    scope: 'account',
  }).mutation(async ({ ctx, input }) => {
    await store.updateVisibility(ctx.db, ctx.member.id, input.visibility)
    return input
  }),

  ofUser: forAll('GET /users/{id}/diary', 'listDiaryOfUser', schema.userDiary, {
    summary: 'List the diary of a member',
    description: `${listDescription} Returns 403 if the caller may not read it.`,
    errors: [403, 404],
    readsToken: true,
    returnsData: 'favorites',
  }).query(async ({ ctx, input }) => {
    await checkVisible(ctx, input.id)
    return readPage(ctx, input.id, input, toEntry)
  }),

  isVisible: forAll('GET /users/{id}/diary-status', 'getDiaryStatus', schema.diaryAccess, {
    summary: 'Check whether the caller may read the diary of a member',
    errors: [404],
    readsToken: true,
    returnsData: 'sharedDiary',
  }).query(async ({ ctx, input }) => ({ isVisible: await isVisible(ctx, input.id) })),

  year: forAll('GET /users/{id}/year/{year}', 'getDiaryYear', schema.diaryYear, {
    summary: 'Summarize a year of a member’s diary',
    description: 'Counts finished entries, at most 10,000. Returns 403 if the caller may not read the diary.',
    errors: [403, 404],
    readsToken: true,
    cost: 5,
    returnsData: 'favorites',
  }).query(async ({ ctx, input: { id, year } }) => {
    await checkVisible(ctx, id)
    const rows = await store.listYear(ctx.db, id, year)
    const counted = rows.map((row) => ({ ...row, genres: detailsOf(row).genres }))
    return summarizeYear(year, counted, await store.findDaysAround(ctx.db, id, year))
  }),

  yearTwin: forAll('GET /users/{id}/year/{year}/twin', 'getDiaryYearTwin', schema.yearTwin, {
    summary: 'Find the member whose year is most like a member’s',
    description:
      'The member who finished most of the same titles in the year. Compares the 30 least known titles, and only diaries that ' +
      'everyone may read. Returns 403 if the caller may not read the diary.',
    errors: [403, 404],
    readsToken: true,
    cost: 5,
    returnsData: 'twin',
  }).query(async ({ ctx, input: { id, year } }) => {
    await checkVisible(ctx, id)
    const viewerId = ctx.member?.id ?? 0
    const twin = await readTwin(ctx.db, id, year, viewerId)
    const [user] = twin ? await listPeople(ctx.db, [twin.userId], viewerId, 'suggested') : []
    if (!twin || !user) return { twin: null }
    const titles = (await listCards(ctx.db, twin.titleIds)).map(toTitleCard)
    return { twin: { user: toPerson(user), commonCount: twin.commonCount, titles } }
  }),
})

async function readPage<Entry>(
  ctx: Context,
  userId: number,
  { cursor, limit, ...filters }: schema.DiaryListing,
  toShown: (row: ShownEntryRow) => Entry,
  onMyServices = false,
) {
  const { sort } = filters
  const after = cursor === undefined ? undefined : placeOf(sort, cursor)
  const places = await listPlaces(ctx, { ...filters, userId, after, limit: limit + 1 }, onMyServices)
  const shown = places.slice(0, limit)
  const rows = await store.listEntries(ctx.db, pluck(shown, 'id'))
  const last = places.length > limit ? shown.at(-1) : undefined
  return { entries: rows.map(toShown), nextCursor: last ? writeCursor([sort, last.value, last.id]) : null }
}

/** Limits of the search for a twin: titles, and entries of each. */
const comparedTitlesMax = 30
const finishersMax = 300

async function readTwin(db: Db, userId: number, year: number, viewerId: number) {
  const titles = new Map(
    (await store.listYear(db, userId, year)).map((row) => [row.media_id, row.rating_count]),
  )
  const leastKnown = [...titles].sort((a, b) => a[1] - b[1] || a[0] - b[0]).slice(0, comparedTitlesMax)
  const rows = []
  for (const [id] of leastKnown)
    rows.push(...(await store.listFinishers(db, id, year, userId, finishersMax, viewerId)))
  return findTwin(rows)
}

async function ratedByNetwork({ db, member }: MemberContext, ids: readonly number[]) {
  const titles = await store.listTitleIds(db, ids.slice(0, idsMax))
  const rated = new Set(
    (await listNetworkRatingsOf(db, member.id, pluck(titles, 'media_id'))).map(({ media_id }) => media_id),
  )
  return titles.filter(({ media_id }) => rated.has(media_id)).map(({ id }) => id)
}

/** Throws BAD_REQUEST if the cursor belongs to another sort. */
function placeOf(sort: DiarySort, cursor: string): EntryPlace {
  const [ofSort, value, id] = readCursor(cursor, schema.diaryCursor)
  if (ofSort !== sort || (typeof value === 'number') !== (sort === 'average')) throw wrongCursor()
  return { value, id }
}

/** Throws BAD_REQUEST for invalid dates. */
function checked({ now }: Context, values: WrittenEntryRow): WrittenEntryRow {
  const problem = problemOf(values, now)
  if (problem) throw badRequest(problem)
  return values
}
