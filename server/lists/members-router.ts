import { listEditorsMax } from '#shared/domain/limits.ts'
import * as schema from '#shared/contracts/lists.ts'
import { messages } from '#shared/texts/messages.ts'
import type { Db } from '#server/db/open.ts'
import { notify, takeBack } from '#server/accounts/notify-store.ts'
import { listPeople } from '#server/social/store.ts'
import { badRequest, conflict, forbidden } from '#server/calls/errors.ts'
import { callsIn, type Documented, found, router } from '#server/calls/procedures.ts'
import type { MemberContext } from '#server/calls/context.ts'
import { type Asked, changeList, findOpen, readDetailed } from './access.ts'
import * as store from './members-store.ts'
import { linkOf, newLinkKey } from './rules.ts'
import { lockList, updateList } from './store.ts'

const { forMembers } = callsIn('Lists')

const aboutOpinion = (summary: string, more = ''): Documented => ({
  summary,
  description: `Changes nothing if that is already so. Returns 404 for a list that the caller may not read, and 403 for an own list that moderators have removed.${more}`,
  errors: [403, 404],
  scope: 'lists:write',
})

export const listMembersRouter = router({
  like: forMembers('PUT /lists/{id}/like', 'likeList', schema.likeList, aboutOpinion('Like a list')).mutation(
    ({ ctx, input }) => setLike(ctx, input, true),
  ),

  unlike: forMembers(
    'DELETE /lists/{id}/like',
    'unlikeList',
    schema.likeList,
    aboutOpinion('Stop liking a list'),
  ).mutation(({ ctx, input }) => setLike(ctx, input, false)),

  follow: forMembers(
    'PUT /lists/{id}/follow',
    'followList',
    schema.followList,
    aboutOpinion(
      'Follow a list',
      ' A list that is followed with its `key` needs none from then on, until the link is renewed.',
    ),
  ).mutation(({ ctx, input }) => setFollow(ctx, input, true)),

  unfollow: forMembers(
    'DELETE /lists/{id}/follow',
    'unfollowList',
    schema.followList,
    aboutOpinion('Stop following a list'),
  ).mutation(({ ctx, input }) => setFollow(ctx, input, false)),

  invite: forMembers('PUT /lists/{id}/editors/{userId}', 'inviteListEditor', schema.listEditor, {
    summary: 'Invite a member to edit a list',
    description: `The member becomes an editor by accepting. Editors add, move and remove titles; the settings stay the owner’s. Only the owner may invite (403). At most ${listEditorsMax} editors including those who are invited (409).`,
    errors: [403, 404, 409],
    scope: 'lists:write',
  }).mutation(({ ctx, input: { id, userId } }) => {
    const invite = async (trx: Db) => {
      if (userId === ctx.member.id) throw badRequest(messages.ownerIsNoEditor)
      found((await listPeople(trx, [userId], ctx.member.id, 'met')).length > 0, messages.userNotFound)
      const invited_at = ctx.now.toISOString()
      const isNew = await store.insertEditor(trx, { list_id: id, user_id: userId, invited_at })
      if ((await store.listEditors(trx, id, ctx.member.id)).length > listEditorsMax)
        throw conflict(messages.tooManyEditors)
      const target = { type: 'list' as const, id }
      if (isNew)
        await notify(trx, { type: 'listInvite', to: userId, by: ctx.member.id, target, now: ctx.now })
      return readDetailed({ ...ctx, db: trx }, { id })
    }
    // So that a block never leaves an invitation.
    return changeList(ctx, id, 'owner', invite, { locked: [ctx.member.id, userId] })
  }),

  removeEditor: forMembers(
    'DELETE /lists/{id}/editors/{userId}',
    'removeListEditor',
    schema.removeListEditor,
    {
      summary: 'Remove an editor of a list, or an invitation',
      description:
        'Editors may remove themselves, and decline an invitation; the owner removes anyone (403).',
      errors: [403, 404],
      scope: 'lists:write',
    },
  ).mutation(async ({ ctx, input: { id, userId } }) => {
    const list = await findOpen(ctx, { id })
    if (list.user_id !== ctx.member.id && userId !== ctx.member.id) throw forbidden(messages.listNotYours)
    await ctx.db.transaction().execute(async (trx) => {
      found(await store.removeEditor(trx, id, userId), messages.editorNotFound)
      await takeBack(trx, {
        type: 'listInvite',
        to: userId,
        by: list.user_id,
        target: { type: 'list', id },
      })
    })
    return { message: messages.editorRemoved }
  }),

  accept: forMembers('POST /lists/{id}/editors/accept', 'acceptListInvitation', schema.acceptList, {
    summary: 'Accept an invitation to edit a list',
    description: 'Returns 404 without an invitation.',
    errors: [404],
    scope: 'lists:write',
  }).mutation(async ({ ctx, input: { id } }) => {
    const at = ctx.now.toISOString()
    await ctx.db.transaction().execute(async (trx) => {
      found(await store.acceptInvitation(trx, id, ctx.member.id, at), messages.invitationNotFound)
      await findOpen({ ...ctx, db: trx }, { id })
    })
    return readDetailed(ctx, { id })
  }),

  renewLink: forMembers('POST /lists/{id}/link', 'renewListLink', schema.renewListLink, {
    summary: 'Renew the link of a list',
    description:
      'For a list with the visibility `link`: from now on, only the new link leads to it. Only the owner may do so (403).',
    errors: [403, 404],
    scope: 'lists:write',
  }).mutation(({ ctx, input: { id } }) =>
    changeList(ctx, id, 'owner', async (trx) => {
      const link_key = newLinkKey()
      await updateList(trx, id, { link_key })
      return { link: linkOf(id, link_key) }
    }),
  ),
})

async function setLike(ctx: MemberContext, asked: Asked, isLiked: boolean) {
  return ctx.db.transaction().execute(async (trx) => {
    await lockList(trx, asked.id)
    const { user_id: to } = await findOpen({ ...ctx, db: trx }, asked)
    const like = { list_id: asked.id, user_id: ctx.member.id }
    const at = isLiked ? ctx.now.toISOString() : null
    const { likeCount, isChanged } = await store.setLike(trx, like, at)
    const target = { type: 'list' as const, id: asked.id }
    const event = { type: 'like' as const, to, by: ctx.member.id, target }
    if (isChanged) await (isLiked ? notify(trx, { ...event, now: ctx.now }) : takeBack(trx, event))
    return { isLiked, likeCount }
  })
}

async function setFollow(ctx: MemberContext, asked: Asked, isFollowed: boolean) {
  const { link_key } = await findOpen(ctx, asked)
  const follow = { list_id: asked.id, user_id: ctx.member.id }
  const key = asked.key !== undefined && asked.key === link_key ? asked.key : null
  if (isFollowed)
    await store.insertFollow(ctx.db, { ...follow, created_at: ctx.now.toISOString(), link_key: key })
  else await store.removeFollow(ctx.db, follow)
  return { isFollowed }
}
