import { hash } from 'node:crypto'
import { insertMany } from '#server/db/dialect.ts'
import { nameKey } from '#server/db/fold.ts'
import type { Db } from '#server/db/open.ts'
import { removeList } from './store.ts'
import type { ListRow } from './tables.ts'

// While a list is removed by a decision, no import writes it again, even if its owner has deleted it. An import finds a list by its name.

type Named = Pick<ListRow, 'id' | 'user_id' | 'title' | 'created_at'>

/** A hash, because the text of a removed list is not kept. Equal for the forms in which people write a name. */
const hashOf = (name: string) => hash('sha256', nameKey(name), 'base64url')

/** Deletes a list for its owner. Of one that a decision has removed, its names are remembered until the removal ends. */
export async function deleteOwnList(trx: Db, list: Named & Pick<ListRow, 'removed_at'>): Promise<void> {
  if (list.removed_at !== null) await recordRemoved(trx, list)
  await removeList(trx, list.id)
}

async function recordRemoved(trx: Db, { id, user_id, title, created_at }: Named): Promise<void> {
  // In a file, the list may have the name that it had before its owner changed it.
  const imported = await trx.selectFrom('import_lists').select('name').where('list_id', '=', id).execute()
  const hashes = new Set([title, ...imported.map(({ name }) => name)].map(hashOf))
  const rows = Array.from(hashes, (name_hash) => ({ list_id: id, name_hash, user_id, created_at }))
  await insertMany(trx, 'removed_lists', rows)
}

/** Returns whether a list with this name would be one that a decision has removed, among the member’s lists and those that they have deleted. */
export async function openRemovedNames(db: Db, userId: number): Promise<(name: string) => boolean> {
  const deleted = db.selectFrom('removed_lists').select('name_hash').where('user_id', '=', userId)
  const removed = db
    .selectFrom('lists')
    .select('title')
    .where('user_id', '=', userId)
    .where('removed_at', 'is not', null)
  const hashes = new Set([
    ...(await deleted.execute()).map(({ name_hash }) => name_hash),
    ...(await removed.execute()).map(({ title }) => hashOf(title)),
  ])
  return (name) => hashes.size > 0 && hashes.has(hashOf(name))
}
