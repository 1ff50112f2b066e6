import { listPopularMax, listsMax } from '#shared/domain/limits.ts'
import * as schema from '#shared/contracts/lists.ts'
import { messages } from '#shared/texts/messages.ts'
import { findItem } from '#server/titles/store.ts'
import { foldWords } from '#server/db/fold.ts'
import type { Db } from '#server/db/open.ts'
import { conflict } from '#server/calls/errors.ts'
import { readOpenMember } from '#server/calls/access.ts'
import { callsIn, found, requireSpace, router } from '#server/calls/procedures.ts'
import { changeList, findOpen, readDetailed, readPage } from './access.ts'
import { copyItems, listListsAmong } from './items-store.ts'
import { newLinkKey, popularSince, wordsOf } from './rules.ts'
import { deleteOwnList } from './removed.ts'
import * as store from './store.ts'

const { forAll, forMembers } = callsIn('Lists')
const whoMayRead =
  'Returns 404 for a list that the caller may not read; one with the visibility `link` needs its `key`.'

export const listsRouter = router({
  create: forMembers('POST /lists', 'createList', schema.createList, {
    summary: 'Create a list',
    description: `The list is private unless \`visibility\` says otherwise. At most ${listsMax} lists (409).`,
    errors: [409],
    scope: 'lists:write',
    status: 201,
    location: '/lists/{list.id}',
  }).mutation(async ({ ctx, input }) => {
    const at = ctx.now.toISOString()
    return ctx.db.transaction().execute(async (trx) => {
      await checkListCount(trx, ctx.member.id)
      const { tags: given = [], visibility = 'private' } = input
      const list = {
        user_id: ctx.member.id,
        title: input.title,
        description: input.description ?? '',
        is_ranked: Number(input.isRanked ?? false),
        visibility,
        tags: JSON.stringify(given),
        link_key: visibility === 'link' ? newLinkKey() : null,
        copied_from: null,
        created_at: at,
        updated_at: at,
      }
      const id = await store.insertList(trx, list, wordsOf(input.title, given))
      return readDetailed({ ...ctx, db: trx }, { id })
    })
  }),

  byId: forAll('GET /lists/{id}', 'getList', schema.readList, {
    summary: 'Get a list',
    description: whoMayRead,
    errors: [404],
    readsToken: true,
    returnsData: ['lists', 'editors'],
  }).query(({ ctx, input }) => readDetailed(ctx, input)),

  edit: forMembers('PATCH /lists/{id}', 'updateList', schema.editList, {
    summary: 'Update a list',
    description: 'Omitted fields do not change. Only its owner may do so (403).',
    errors: [403, 404],
    scope: 'lists:write',
  }).mutation(({ ctx, input }) =>
    changeList(ctx, input.id, 'owner', async (trx, list) => {
      const title = input.title ?? list.title
      const given = input.tags ?? (JSON.parse(list.tags) as string[])
      const visibility = input.visibility ?? list.visibility
      const values = {
        title,
        description: input.description ?? list.description,
        is_ranked: Number(input.isRanked ?? list.is_ranked),
        visibility,
        tags: JSON.stringify(given),
        link_key: list.link_key ?? (visibility === 'link' ? newLinkKey() : null),
      }
      await store.updateList(trx, list.id, values, wordsOf(title, given))
      return readDetailed({ ...ctx, db: trx }, { id: list.id })
    }),
  ),

  remove: forMembers('DELETE /lists/{id}', 'deleteList', schema.removeList, {
    summary: 'Delete a list',
    description: 'With its titles, likes and editors. Only its owner may do so (403).',
    errors: [403, 404],
    scope: 'lists:write',
  }).mutation(async ({ ctx, input }) => {
    await changeList(ctx, input.id, 'owner', deleteOwnList, {
      deletes: true,
    })
    return { message: messages.listRemoved }
  }),

  copy: forMembers('POST /lists/{id}/copy', 'copyList', schema.copyList, {
    summary: 'Copy a list',
    description: `Creates a private list with the same titles in the same order. A copy of one’s own list has the notes of the titles that one has added; other notes are not copied. Returns 403 for an own list that moderators have removed. At most ${listsMax} lists (409).`,
    errors: [403, 404, 409],
    scope: 'lists:write',
    cost: 5,
    status: 201,
    location: '/lists/{list.id}',
  }).mutation(async ({ ctx, input }) => {
    await requireSpace(ctx)
    const at = ctx.now.toISOString()
    return ctx.db.transaction().execute(async (trx) => {
      const copied = await findOpen({ ...ctx, db: trx }, input)
      await checkListCount(trx, ctx.member.id)
      const list = {
        user_id: ctx.member.id,
        title: copied.title,
        is_ranked: copied.is_ranked,
        visibility: 'private' as const,
        link_key: null,
        copied_from: copied.id,
        created_at: at,
        updated_at: at,
      }
      const id = await store.insertList(trx, list, wordsOf(copied.title, []))
      await copyItems(trx, copied.id, id, {
        addedBy: ctx.member.id,
        addedAt: at,
        notesOf: copied.user_id === ctx.member.id ? ctx.member.id : null,
      })
      return readDetailed({ ...ctx, db: trx }, { id })
    })
  }),

  search: forAll('GET /lists', 'searchLists', schema.searchLists, {
    summary: 'Search public lists',
    description: `Without \`q\` and \`tag\`, lists all of them; \`popular\` at most ${listPopularMax}.`,
    readsToken: true,
    cost: 10,
    returnsData: 'foundLists',
  }).query(({ ctx, input: { q, tag, sort, ...input } }) => {
    const words = q === undefined ? [] : foldWords(q)
    if (q !== undefined && words.length === 0) return { lists: [], nextCursor: null }
    const listing = { words, tag, sort, since: popularSince(ctx.now) }
    return readPage(ctx.db, input, `lists ${sort} ${tag ?? ''} ${words.join(' ')}`, (window) =>
      store.searchLists(ctx.db, listing, window, ctx.member?.id ?? 0),
    )
  }),

  ofTitle: forAll('GET /items/{id}/lists', 'listListsOfItem', schema.listsOfTitle, {
    summary: 'List the public lists with a title',
    errors: [404],
    readsToken: true,
    returnsData: 'foundLists',
  }).query(async ({ ctx, input: { id, sort, ...input } }) => {
    found(await findItem(ctx.db, id), messages.itemNotFound)
    const listing = { sort, since: popularSince(ctx.now) }
    return readPage(ctx.db, input, `lists with ${id} ${sort}`, (window) =>
      store.listListsWith(ctx.db, id, listing, window, ctx.member?.id ?? 0),
    )
  }),

  ofUser: forAll('GET /users/{id}/lists', 'listListsOfUser', schema.listsOfUser, {
    summary: 'List the lists of a member',
    description:
      'Those that the caller may read, the last changed first. Returns 403 if the profile is private.',
    errors: [403, 404],
    readsToken: true,
    returnsData: 'lists',
  }).query(async ({ ctx, input: { id, ...input } }) => {
    await readOpenMember(ctx, id)
    return readPage(ctx.db, input, `lists of ${id}`, (window) =>
      store.listListsOf(ctx.db, id, ctx.member?.id ?? 0, window),
    )
  }),

  mine: forMembers('GET /users/me/lists', 'listMyLists', schema.ownLists, {
    summary: 'List the lists that the caller owns or edits',
    description: 'The last changed first. With `itemId`, `hasItem` tells whether each list has the title.',
    returnsData: 'own',
  }).query(async ({ ctx, input: { itemId, ...input } }) => {
    const page = await readPage(ctx.db, input, 'my lists', (window) =>
      store.listEditable(ctx.db, ctx.member.id, window),
    )
    if (itemId === undefined) return page
    const ids = page.lists.map(({ id }) => id)
    const having = new Set(await listListsAmong(ctx.db, ids, itemId))
    return { ...page, lists: page.lists.map((list) => ({ ...list, hasItem: having.has(list.id) })) }
  }),

  followed: forMembers('GET /users/me/followed-lists', 'listFollowedLists', schema.followedLists, {
    summary: 'List the lists that the caller follows',
    description: 'The last followed first.',
    returnsData: 'followedLists',
  }).query(({ ctx, input }) =>
    readPage(ctx.db, input, 'followed lists', (window) => store.listFollowed(ctx.db, ctx.member.id, window)),
  ),

  invitations: forMembers('GET /users/me/list-invitations', 'listListInvitations', schema.listInvitations, {
    summary: 'List the lists that the caller is invited to edit',
    description: 'The last invitation first.',
    returnsData: 'own',
  }).query(({ ctx, input }) =>
    readPage(ctx.db, input, 'list invitations', (window) =>
      store.listInvitations(ctx.db, ctx.member.id, window),
    ),
  ),
})

async function checkListCount(trx: Db, userId: number): Promise<void> {
  if ((await store.lockListCount(trx, userId)) >= listsMax) throw conflict(messages.tooManyLists)
}
