import type { z } from 'zod'
import type { changedList, readList } from '#shared/contracts/lists.ts'
import { messages } from '#shared/texts/messages.ts'
import { pluck } from '#shared/domain/pluck.ts'
import { toTitleCard } from '#server/titles/rules.ts'
import { listCards } from '#server/titles/store.ts'
import type { Db } from '#server/db/open.ts'
import type { ListRow } from './tables.ts'
import { lockMembers } from '#server/social/privacy-store.ts'
import { toPerson } from '#server/social/rules.ts'
import type { Context, MemberContext } from '#server/calls/context.ts'
import { atCursor, cursorAfter } from '#server/calls/cursors.ts'
import { forbidden, ReasonedError } from '#server/calls/errors.ts'
import { found } from '#server/calls/procedures.ts'
import { findEditor, isIn, listEditors } from './members-store.ts'
import { linkOf, toList } from './rules.ts'
import { countSeen, findList, listPreviews, lockList, type ShownListRow, updateList } from './store.ts'

type List = z.infer<typeof changedList>
type Detailed = z.infer<typeof readList.output>['list']
export type Asked = { id: number; key?: string | undefined }
export async function findReadable({ db, member }: Pick<Context, 'db' | 'member'>, { id, key }: Asked) {
  return found(await findList(db, id, { id: member?.id ?? 0, key }), messages.listNotFound)
}

/** For writes: FORBIDDEN for a list that a decision has removed, which only its owner sees. */
export async function findOpen(ctx: Pick<Context, 'db' | 'member'>, asked: Asked) {
  const list = await findReadable(ctx, asked)
  if (list.removed_at !== null) throw listRemoved()
  return list
}

function listRemoved(): ReasonedError {
  return new ReasonedError('FORBIDDEN', 'CONTENT_REMOVED', messages.listWasRemoved)
}

export async function readDetailed(
  { db, member }: Pick<Context, 'db' | 'member'>,
  asked: Asked,
): Promise<{ list: Detailed }> {
  const { link_key, ...row } = await findReadable({ db, member }, asked)
  const [list] = await withPreviews(db, [row])
  const editors = await listEditors(db, row.id, member?.id ?? 0)
  const isOwner = member?.id === row.user_id
  const people = (isAccepted: boolean) =>
    editors
      .filter(({ accepted_at }) => (accepted_at !== null) === isAccepted)
      .map((editor) => toPerson({ ...editor, id: editor.user_id }))
  const own = editors.find(({ user_id }) => user_id === member?.id)
  const opinion = { list_id: row.id, user_id: member?.id ?? 0 }
  return {
    list: {
      ...list!,
      editors: people(true),
      invited: isOwner ? people(false) : [],
      link: isOwner && link_key !== null ? linkOf(row.id, link_key) : null,
      ...(member && {
        mine: {
          isLiked: await isIn(db, 'list_likes', opinion),
          isFollowed: await isIn(db, 'list_follows', opinion),
          seenCount: await countSeen(db, row.id, member.id),
          canEdit: isOwner || (own !== undefined && own.accepted_at !== null),
          isInvited: own?.accepted_at === null,
        },
      }),
    },
  }
}

export async function withPreviews(db: Db, rows: readonly ShownListRow[]): Promise<List[]> {
  const previews = await listPreviews(db, pluck(rows, 'id'))
  const cards = await listCards(db, [...new Set(previews.map(({ media_id }) => media_id))])
  const byId = new Map(cards.map((card) => [card.id, toTitleCard(card)]))
  const ofList = Map.groupBy(previews, ({ list_id }) => list_id)
  return rows.map((row) =>
    toList(
      row,
      (ofList.get(row.id) ?? []).flatMap(({ media_id }) => byId.get(media_id) ?? []),
    ),
  )
}

export async function readPage(
  db: Db,
  input: { limit: number; cursor?: string | undefined },
  name: string,
  read: (window: { limit: number; offset: number }) => Promise<ShownListRow[]>,
): Promise<{ lists: List[]; nextCursor: string | null }> {
  const { page, limit } = atCursor({ ...input, page: 1 }, name)
  const rows = await read({ limit: limit + 1, offset: (page - 1) * limit })
  return {
    lists: await withPreviews(db, rows.slice(0, limit)),
    nextCursor: cursorAfter({ page, limit }, name, rows.length > limit),
  }
}

/**
 * Nobody else changes the list meanwhile. Throws NOT_FOUND if the caller may not read it, and FORBIDDEN if they may not change it, or if a
 * decision removed it: its owner can only delete it (`deletes`). `locked` are members to lock before the list; see `lockMembers`.
 */
export async function changeList<Result>(
  { db, member, now }: MemberContext,
  id: number,
  who: 'owner' | 'editors',
  change: (trx: Db, list: ListRow) => Promise<Result>,
  { deletes = false, locked = [] }: { deletes?: boolean; locked?: readonly number[] } = {},
): Promise<Result> {
  return db.transaction().execute(async (trx) => {
    if (locked.length > 0) await lockMembers(trx, locked)
    const list = found(await lockList(trx, id), messages.listNotFound)
    await findReadable({ db: trx, member }, { id })
    if (list.user_id !== member.id) {
      if (who === 'owner') throw forbidden(messages.listNotYours)
      if (!(await findEditor(trx, id, member.id))?.accepted_at) throw forbidden(messages.listNotEditable)
    }
    if (list.removed_at !== null && !deletes) throw listRemoved()
    // Before the change, so that the change can return the list as it is now.
    if (!deletes) await updateList(trx, id, { updated_at: now.toISOString() })
    return change(trx, list)
  })
}
