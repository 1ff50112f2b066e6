import { noteOf } from '#shared/texts/import-notes.ts'
import { listItemsMax, listsMax } from '#shared/domain/limits.ts'
import type { Db } from '#server/db/open.ts'
import { pack, unpack } from '#server/db/packed.ts'
import type { ImportListRow } from '#server/imports/tables.ts'
import { findLastPlace, insertItems, updateNote } from '#server/lists/items-store.ts'
import { firstAfter, placeAt } from '#server/lists/places.ts'
import { openRemovedNames } from '#server/lists/removed.ts'
import { newLinkKey, wordsOf } from '#server/lists/rules.ts'
import { insertList, listNamesOf, lockList, lockListCount, updateList } from '#server/lists/store.ts'
import type { Writes } from './compare-parts.ts'
import { listOf, type LineRecord, type ParsedList } from '#server/imports/read/formats/records.ts'
import { logChange } from './journal.ts'
import { updateLine } from '#server/imports/read/lines-store.ts'
import * as store from './lists-store.ts'
import { instantOf } from '#server/imports/read/formats/values.ts'
import { add } from '#server/imports/facts.ts'
import { bytesOf } from '#server/imports/limits.ts'
import type { Writing } from '#server/imports/context.ts'

const settingsOf = ({ settings }: Pick<ImportListRow, 'settings'>) =>
  JSON.parse(unpack(settings)) as ParsedList
export const toImportList = (row: ImportListRow) => ({
  name: row.name,
  itemCount: row.item_count,
  visibility: settingsOf(row).visibility,
  state: row.state,
  listId: row.list_id,
})

/** At most as many lists as a member may have; others are not kept. */
export async function saveLists(
  { db: trx, row: { id: import_id }, facts }: Writing,
  parsed: readonly LineRecord[],
  lines: readonly { id: number }[],
): Promise<void> {
  const wanted = new Map<string, { list: ParsedList; item_count: number; line_id: number | null }>()
  for (const [at, result] of parsed.entries()) {
    const items = result.type === 'title' ? result.title.listItems : []
    for (const { key, name } of items) {
      const known = wanted.get(key) ?? { list: listOf({ key, name }).list, item_count: 0, line_id: null }
      wanted.set(key, { ...known, item_count: known.item_count + 1 })
    }
    // A description wins over a mere name.
    const { list } = result.type === 'list' ? result : {}
    if (list) wanted.set(list.key, { item_count: 0, ...wanted.get(list.key), list, line_id: lines[at]!.id })
  }
  if (wanted.size === 0) return
  const rows = new Map((await store.listImportLists(trx, import_id)).map((row) => [row.list_key, row]))
  let count = rows.size
  for (const [list_key, { list, item_count, line_id }] of wanted) {
    const known = rows.get(list_key)
    const columns = { name: list.name, settings: pack(JSON.stringify(list)) }
    if (known)
      await store.updateImportList(trx, known.id, {
        item_count: known.item_count + item_count,
        ...(line_id !== null && { ...columns, line_id }),
      })
    else if (count >= listsMax) add(facts.notKept, 'lists', 1)
    else {
      count += 1
      await store.insertImportList(trx, { import_id, list_key, ...columns, item_count, line_id })
      facts.grown.held += bytesOf('list', list_key, list_key, list.name, columns.settings)
    }
  }
}

/**
 * What an earlier import made of a list, or one of the same name. A list that the member has deleted stays deleted, unless the file wins
 * conflicts.
 */
export async function matchLists({ db: trx, row: { id, user_id }, options, facts }: Writing): Promise<void> {
  const { lists, conflicts } = options
  facts.adds.lists = 0
  const rows = await store.listImportLists(trx, id)
  if (rows.length === 0) return
  const keys = rows.map(({ list_key }) => list_key)
  const all = await store.listEarlierLists(trx, id, keys)
  const earlier = Map.groupBy(all, ({ list_key }) => list_key)
  // Files may have several lists of one name.
  const created = new Set(all.flatMap(({ state, list_id }) => (state === 'taken' ? (list_id ?? []) : [])))
  const ownLists = await listNamesOf(trx, user_id)
  const own = ownLists.filter((list) => !created.has(list.id))
  // An import neither changes removed lists nor writes them again, even if the member has deleted them.
  const removed = new Set(ownLists.flatMap((list) => (list.removed_at === null ? [] : list.id)))
  const isRemovedName = await openRemovedNames(trx, user_id)
  const taken = new Set(rows.flatMap(({ state, list_id }) => (state === 'taken' ? (list_id ?? []) : [])))
  for (const row of rows) {
    const isCreated = row.state === 'taken'
    let { state, list_id } = row
    if (!isCreated || list_id === null) {
      const before = earlier.get(row.list_key) ?? []
      list_id =
        before.findLast((one) => one.list_id !== null && !taken.has(one.list_id))?.list_id ??
        own.find((list) => list.title === row.name && !taken.has(list.id))?.id ??
        null
      const isDeleted = list_id === null && (isCreated || before.some((one) => one.state === 'taken'))
      const isRemoved = list_id === null ? isRemovedName(row.name) : removed.has(list_id)
      if (!lists || isRemoved || (isDeleted && conflicts === 'mine')) state = isCreated ? 'taken' : 'left'
      else state = list_id === null ? 'new' : 'same'
      if (list_id !== null) taken.add(list_id)
      await store.updateImportList(trx, row.id, { state, list_id, first_place: null })
    }
    if (state === 'new') facts.adds.lists++
    const shown = state === 'taken' && list_id === null ? 'left' : state
    if (row.line_id !== null)
      await updateLine(trx, row.line_id, { state: shown, note: noteOf('list', row.name) })
  }
}

/** Finds where its titles go if the list is here already. */
export async function applyList(writing: Writing, row: ImportListRow): Promise<void> {
  const { db: trx, facts, now } = writing
  const { user_id } = writing.row
  if (row.state === 'same' && row.list_id !== null) {
    const first_place = firstAfter(await findLastPlace(trx, row.list_id, []))
    return setList(trx, row, { first_place, state: 'same' })
  }
  // Deleted since the rehearsal, or one too many.
  if (row.state === 'same') return setList(trx, row, { state: 'left' })
  facts.adds.lists--
  // Removed since the rehearsal.
  if ((await openRemovedNames(trx, user_id))(row.name)) return setList(trx, row, { state: 'left' })
  if ((await lockListCount(trx, user_id)) >= listsMax)
    return setList(trx, row, { state: 'left' }, 'listsFull')
  const list = settingsOf(row)
  const timeOf = (date: string | null) => instantOf(date ?? now.toISOString(), now)
  const values = {
    user_id,
    ...rowOf(list),
    link_key: list.visibility === 'link' ? newLinkKey() : null,
    copied_from: null,
    created_at: timeOf(list.createdOn),
    updated_at: timeOf(list.updatedOn),
  }
  const list_id = await insertList(trx, values, wordsOf(list.name, list.tags))
  await logChange(writing, { what: 'list', target_id: list_id, after: rowOf(list) })
  facts.applied.lists++
  await setList(trx, row, { list_id, first_place: firstAfter(null), state: 'taken' })
}

const rowOf = ({ name, description, isRanked, visibility, tags }: ParsedList) => ({
  title: name,
  description,
  is_ranked: Number(isRanked),
  visibility,
  tags: JSON.stringify(tags),
})

/** Followers are not notified. Must run in a transaction that has locked the title. Returns the written lists; a full or missing one is left out. */
export async function applyListItems(
  { db: trx, row: { user_id, applied_at }, now }: Writing,
  { id: media_id, kind }: Pick<Parameters<typeof insertItems>[2][number], 'kind'> & { id: number },
  items: Writes['listItems'],
): Promise<Writes['listItems']> {
  const written: Writes['listItems'] = []
  // So that two transactions do not wait for each other.
  for (const item of items.toSorted((a, b) => a.list.list_id! - b.list.list_id!)) {
    const { position, note, added_at, before } = item
    const { list_id, state, first_place } = item.list
    const list = list_id === null ? undefined : await lockList(trx, list_id)
    if (!list || list.user_id !== user_id || list.removed_at !== null) continue
    if (before === undefined && list.item_count >= listItemsMax) continue
    if (before !== undefined) await updateNote(trx, list.id, media_id, note)
    else {
      const place = placeAt(first_place ?? firstAfter(null), position)
      await insertItems(trx, list.id, [{ media_id, kind, place, note, added_by: user_id, added_at }])
    }
    if (state !== 'taken' || applied_at !== null)
      await updateList(trx, list.id, { updated_at: now.toISOString() })
    written.push(item)
  }
  return written
}

async function setList(
  trx: Db,
  { id, line_id, ...row }: Pick<ImportListRow, 'id' | 'line_id' | 'settings'>,
  values: Partial<ImportListRow> & Pick<ImportListRow, 'state'>,
  code: 'list' | 'listsFull' = 'list',
): Promise<void> {
  await store.updateImportList(trx, id, values)
  const note = noteOf(code, settingsOf(row).name)
  if (line_id !== null) await updateLine(trx, line_id, { state: values.state, note })
}
