import type { Db } from '#server/db/open.ts'
import { prepareQuery } from '#server/db/prepared.ts'
import { hasRow, insertNew, removeRows } from '#server/db/rows.ts'
import { maySeeEditor } from '#server/members/visibility.ts'

type Editor = { list_id: number; user_id: number; accepted_at: string | null }

/** As far as the viewer may see them, in the order of the invitations; invited ones too. */
export const listEditors = prepareQuery((db, listId: number, viewerId: number) =>
  db
    .selectFrom('list_editors')
    .innerJoin('users', 'users.id', 'list_editors.user_id')
    .select(['list_id', 'user_id', 'accepted_at', 'users.username', 'users.picture'])
    .where('list_id', '=', listId)
    .where(maySeeEditor(viewerId, 'list_editors.list_id'))
    .orderBy('invited_at')
    .orderBy('user_id'),
)

export async function findEditor(db: Db, listId: number, userId: number): Promise<Editor | undefined> {
  return db
    .selectFrom('list_editors')
    .select(['list_id', 'user_id', 'accepted_at'])
    .where('list_id', '=', listId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

/** Returns false if the member is an editor already, or invited. */
export async function insertEditor(
  trx: Db,
  editor: { list_id: number; user_id: number; invited_at: string },
): Promise<boolean> {
  return insertNew(trx, 'list_editors', { ...editor, accepted_at: null })
}

export async function acceptInvitation(db: Db, listId: number, userId: number, at: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('list_editors')
    .set((eb) => ({ accepted_at: eb.fn.coalesce('accepted_at', eb.val(at)) }))
    .where('list_id', '=', listId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function removeEditor(db: Db, listId: number, userId: number): Promise<boolean> {
  return removeRows(db, 'list_editors', { list_id: listId, user_id: userId })
}

export async function removeEditorsBetween(db: Db, first: number, second: number): Promise<void> {
  for (const [owner, editor] of [
    [first, second],
    [second, first],
  ] as const)
    await db
      .deleteFrom('list_editors')
      .where('user_id', '=', editor)
      .where('list_id', 'in', (eb) => eb.selectFrom('lists').select('id').where('user_id', '=', owner))
      .execute()
}

type Opinion = { list_id: number; user_id: number }

export async function isIn(
  db: Db,
  table: 'list_likes' | 'list_follows',
  { list_id, user_id }: Opinion,
): Promise<boolean> {
  return hasRow(db, table, { list_id, user_id })
}

/** Returns the number of likes and whether it changed. The list must be locked. */
export async function setLike(
  trx: Db,
  { list_id, user_id }: Opinion,
  at: string | null,
): Promise<{ likeCount: number; isChanged: boolean }> {
  const like = { list_id, user_id }
  const isChanged = await (at === null
    ? removeRows(trx, 'list_likes', like)
    : insertNew(trx, 'list_likes', { ...like, created_at: at }))
  const by = isChanged ? (at === null ? -1 : 1) : 0
  const { like_count } = await trx
    .updateTable('lists')
    .set((eb) => ({ like_count: eb('like_count', '+', by) }))
    .where('id', '=', list_id)
    .returning('like_count')
    .executeTakeFirstOrThrow()
  return { likeCount: like_count, isChanged }
}

export async function insertFollow(
  db: Db,
  follow: Opinion & { created_at: string; link_key: string | null },
): Promise<void> {
  const { link_key } = follow
  await db
    .insertInto('list_follows')
    .values(follow)
    .onConflict((conflict) => {
      const known = conflict.columns(['list_id', 'user_id'])
      return link_key === null ? known.doNothing() : known.doUpdateSet({ link_key })
    })
    .execute()
}

export async function removeFollow(db: Db, { list_id, user_id }: Opinion): Promise<void> {
  await removeRows(db, 'list_follows', { list_id, user_id })
}

export async function listLikedBy(db: Db, userId: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('list_likes')
    .select('list_id')
    .where('user_id', '=', userId)
    .limit(limit)
    .execute()
  return rows.map(({ list_id }) => list_id)
}

export async function listFollowerIds(
  db: Db,
  listId: number,
  after: number,
  limit: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('list_follows')
    .select('user_id')
    .where('list_id', '=', listId)
    .where('user_id', '>', after)
    .orderBy('user_id')
    .limit(limit)
    .execute()
  return rows.map(({ user_id }) => user_id)
}
