import { listItemsMax } from '#shared/domain/limits.ts'
import * as schema from '#shared/contracts/lists.ts'
import { numberText } from '#shared/texts/formats.ts'
import { messages } from '#shared/texts/messages.ts'
import { toStars } from '#shared/domain/ratings.ts'
import { pluck } from '#shared/domain/pluck.ts'
import { toTitleCard } from '#server/titles/rules.ts'
import type { Db } from '#server/db/open.ts'
import { listStatuses } from '#server/diary/store.ts'
import { listOwnRatings } from '#server/reviews/library-store.ts'
import { listGrown } from './notify.ts'
import { conflict } from '#server/calls/errors.ts'
import type { Context } from '#server/calls/context.ts'
import { pageOf, readCursor } from '#server/calls/cursors.ts'
import { callsIn, found, requireSpace, router } from '#server/calls/procedures.ts'
import type { MemberContext } from '#server/calls/context.ts'
import { changeList, findReadable } from './access.ts'
import * as store from './items-store.ts'
import { placeLengthMax, placesBetween } from './places.ts'
import { toItem } from './rules.ts'

const { forAll, forMembers } = callsIn('Lists')
const whoMayChange = 'Only the owner and the editors of the list may do so (403).'

export const listItemsRouter = router({
  items: forAll('GET /lists/{id}/items', 'listListItems', schema.listItems, {
    summary: 'List the titles of a list',
    description: 'In the order of the list. `position` counts all titles, also with `kind`.',
    errors: [404],
    readsToken: true,
    returnsData: ['listItems', 'editors'],
  }).query(async ({ ctx, input: { id, key, kind, limit, cursor } }) => {
    const list = await findReadable(ctx, { id, key })
    const [place, titleId] = readCursor(cursor, schema.itemCursor) ?? []
    const after = place === undefined ? undefined : { place, titleId: titleId! }
    const rows = await store.listItems(ctx.db, {
      listId: id,
      viewerId: ctx.member?.id ?? 0,
      kind,
      after,
      limit: limit + 1,
    })
    const { shown, nextCursor } = pageOf(rows, limit, ({ place, id }) => [place, id])
    return {
      items: await withMine(ctx, shown),
      nextCursor,
      total: kind === undefined ? list.item_count : await store.countItems(ctx.db, id, kind),
    }
  }),

  addItem: forMembers('POST /lists/{id}/items', 'addListItem', schema.addListItem, {
    summary: 'Add a title to a list',
    description: `At its end unless \`position\` says otherwise. A title that the list already has stays as it is. ${whoMayChange} At most ${numberText(listItemsMax)} titles (409).`,
    errors: [403, 404, 409],
    scope: 'lists:write',
    status: 201,
  }).mutation(({ ctx, input: { id, itemId, note, position } }) =>
    changeList(ctx, id, 'editors', async (trx, list) => {
      const { length } = await add(trx, ctx, list, [{ itemId, note, position }], undefined)
      return { item: await readItem(ctx, trx, id, itemId), itemCount: list.item_count + length }
    }),
  ),

  editItem: forMembers('PATCH /lists/{id}/items/{itemId}', 'updateListItem', schema.editListItem, {
    summary: 'Move a title of a list, or change its note',
    description: `Omitted fields do not change. ${whoMayChange}`,
    errors: [403, 404],
    scope: 'lists:write',
  }).mutation(({ ctx, input: { id, itemId, note, position } }) =>
    changeList(ctx, id, 'editors', async (trx) => {
      found((await store.listItemsAmong(trx, id, [itemId])).length > 0, messages.listItemNotFound)
      if (note !== undefined) await store.updateNote(trx, id, itemId, note)
      if (position !== undefined) await move(trx, ctx, id, [{ itemId, position }], undefined)
      return { item: await readItem(ctx, trx, id, itemId) }
    }),
  ),

  removeItem: forMembers('DELETE /lists/{id}/items/{itemId}', 'removeListItem', schema.removeListItem, {
    summary: 'Remove a title from a list',
    description: whoMayChange,
    errors: [403, 404],
    scope: 'lists:write',
  }).mutation(({ ctx, input: { id, itemId } }) =>
    changeList(ctx, id, 'editors', async (trx, list) => {
      found((await store.removeItems(trx, id, [itemId])).length > 0, messages.listItemNotFound)
      return { message: messages.listItemRemoved, itemCount: list.item_count - 1 }
    }),
  ),

  changeItems: forMembers('POST /lists/{id}/items/batch', 'changeListItems', schema.changeListItems, {
    summary: 'Add, move or remove several titles of a list',
    description: `Adding leaves out titles that the list already has; moving and removing leave out those that it does not have. ${whoMayChange} At most ${numberText(listItemsMax)} titles (409).`,
    errors: [403, 404, 409],
    scope: 'lists:write',
    cost: 5,
  }).mutation(async ({ ctx, input: { id, action, items, position } }) => {
    if (action === 'add') await requireSpace(ctx)
    return changeList(ctx, id, 'editors', async (trx, list) => {
      const ids = items.map(({ itemId }) => itemId)
      const changedIds =
        action === 'add'
          ? await add(trx, ctx, list, items, position)
          : action === 'move'
            ? await move(trx, ctx, id, items, position)
            : await store.removeItems(trx, id, ids)
      const changed = changedIds.length
      const grown = { add: changed, move: 0, remove: -changed }[action]
      return { changed, changedIds, itemCount: list.item_count + grown }
    })
  }),
})

type Given = { itemId: number; note?: string | undefined; position?: number | undefined }

/** Returns which titles are new. Throws NOT_FOUND if one does not exist, CONFLICT if the list is full. */
async function add(
  trx: Db,
  ctx: MemberContext,
  list: { id: number; item_count: number },
  given: readonly Given[],
  position: number | undefined,
): Promise<number[]> {
  const ids = given.map(({ itemId }) => itemId)
  const kinds = new Map((await store.listKinds(trx, ids)).map(({ id, kind }) => [id, kind]))
  const existing = new Set(await store.listItemsAmong(trx, list.id, ids))
  const missing = distinct(given).filter(({ itemId }) => !existing.has(itemId))
  for (const { itemId } of missing) found(kinds.has(itemId), messages.itemNotFound)
  if (list.item_count + missing.length > listItemsMax) throw conflict(messages.listFull)
  const added = { added_by: ctx.member.id, added_at: ctx.now.toISOString() }
  await atPositions(trx, ctx, list.id, missing, position, [], async (group, places) =>
    store.insertItems(
      trx,
      list.id,
      group.map(({ itemId, note = '' }, at) => ({
        media_id: itemId,
        kind: kinds.get(itemId)!,
        place: places[at]!,
        note,
        ...added,
      })),
    ),
  )
  if (missing.length > 0) await listGrown(trx, list.id, ctx.member.id, ctx.now)
  return missing.map(({ itemId }) => itemId)
}

async function move(
  trx: Db,
  ctx: MemberContext,
  listId: number,
  given: readonly Given[],
  position: number | undefined,
): Promise<number[]> {
  const existing = new Set(await store.listItemsAmong(trx, listId, pluck(given, 'itemId')))
  const moved = distinct(given).filter(({ itemId }) => existing.has(itemId))
  await atPositions(trx, ctx, listId, moved, position, moved, (group, places) =>
    store.updatePlaces(trx, listId, pluck(group, 'itemId'), places),
  )
  return moved.map(({ itemId }) => itemId)
}

/**
 * Titles without a position stay together; then the others from the lowest position on. `leaving` do not count, because they are moved
 * themselves.
 */
async function atPositions(
  trx: Db,
  { now }: MemberContext,
  listId: number,
  given: readonly Given[],
  position: number | undefined,
  leaving: readonly Given[],
  write: (group: readonly Given[], places: readonly string[]) => Promise<void>,
): Promise<void> {
  const together = given.filter((one) => one.position === undefined)
  const others = given.filter((one) => one.position !== undefined)
  const groups = [
    ...(together.length > 0 ? [together] : []),
    ...others.toSorted((a, b) => a.position! - b.position!).map((one) => [one]),
  ]
  const left = new Set(leaving.map(({ itemId }) => itemId))
  let isLong = false
  for (const group of groups) {
    const at = group[0]!.position ?? position
    const { before, after } =
      at === undefined
        ? { before: await store.findLastPlace(trx, listId, [...left]), after: null }
        : await store.findPlaces(trx, listId, at, [...left])
    const places = placesBetween(before, after, group.length)
    await write(group, places)
    for (const { itemId } of group) left.delete(itemId)
    isLong ||= places.some((place) => place.length > placeLengthMax)
  }
  if (isLong) await store.enqueueRebalancing(trx, listId, now)
}

function distinct(given: readonly Given[]): Given[] {
  return [...new Map(given.map((one) => [one.itemId, one])).values()]
}

async function readItem(ctx: MemberContext, trx: Db, listId: number, itemId: number) {
  const row = found(await store.findItem(trx, listId, itemId, ctx.member.id), messages.listItemNotFound)
  return (await withMine({ ...ctx, db: trx }, [row]))[0]!
}

async function withMine(
  { db, member }: Pick<Context, 'db' | 'member'>,
  rows: readonly store.ShownItemRow[],
): Promise<schema.ListItem[]> {
  if (!member || rows.length === 0) return rows.map((row) => toItem(row, toTitleCard(row), undefined))
  const ids = rows.map(({ id }) => id)
  const ratings = new Map(
    (await listOwnRatings(db, member.id, ids)).map((row) => [row.media_id, toStars(row.rating)]),
  )
  const statuses = new Map((await listStatuses(db, member.id, ids)).map((row) => [row.media_id, row.status]))
  return rows.map((row) => {
    const mine = { rating: ratings.get(row.id) ?? null, status: statuses.get(row.id) ?? null }
    return toItem(row, toTitleCard(row), mine)
  })
}
