import type { Db } from '#server/db/open.ts'
import { insertRemoved, listImportedNames, listRemoved } from './removed-store.ts'
import { hashOfName } from './rules.ts'
import { removeList } from './store.ts'
import type { ListRow } from './tables.ts'

// While a list is removed by a decision, no import writes it again, even if its owner has deleted it. An import finds a list by its name.

/** Deletes a list for its owner. Of one that a decision has removed, the names are remembered until the removal ends. */
export async function deleteOwnList(trx: Db, list: ListRow): Promise<void> {
  const { id: list_id, user_id, created_at, removed_at, title } = list
  if (removed_at !== null) {
    // In a file, the list may have the name that it had before its owner changed it.
    const hashes = new Set([title, ...(await listImportedNames(trx, list_id))].map(hashOfName))
    await insertRemoved(
      trx,
      Array.from(hashes, (name_hash) => ({ list_id, name_hash, user_id, created_at })),
    )
  }
  await removeList(trx, list_id)
}

/** Returns whether a name is one of a list of the member that a decision has removed, deleted or not. */
export async function openRemovedNames(db: Db, userId: number): Promise<(name: string) => boolean> {
  const { hashes, names } = await listRemoved(db, userId)
  const removed = new Set([...hashes, ...names.map(hashOfName)])
  return (name) => removed.size > 0 && removed.has(hashOfName(name))
}
