import { blocksMax, followingMax } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import * as schema from '#shared/contracts/privacy.ts'
import type { Db } from '#server/db/open.ts'
import { notifyEach, takeBack, takeBackEach } from '#server/accounts/notify-store.ts'
import { removeEditorsBetween } from '#server/lists/members-store.ts'
import { toMetPerson } from '#server/social/rules.ts'
import { insertFollowers, removeFollow } from '#server/social/store.ts'
import { badRequest, conflict } from '#server/calls/errors.ts'
import type { MemberContext } from '#server/calls/context.ts'
import { findMember } from '#server/calls/access.ts'
import { atCursor, cursorAfter } from '#server/calls/cursors.ts'
import { callsIn, type Documented, found, router } from '#server/calls/procedures.ts'
import * as store from '#server/social/privacy-store.ts'

const { forMembers } = callsIn('Privacy')

/** In one transaction, when a member becomes public. */
const acceptedAtOnce = 100

const aboutBlocks = (summary: string, errors: number[]): Documented => ({
  summary,
  description:
    'A block ends follows, requests and shared lists in both directions. Neither sees what the other writes; ratings still count. Changes nothing if that is already so.',
  errors,
  scope: 'social:write',
})
const aboutMutes = (summary: string, errors: number[]): Documented => ({
  summary,
  description:
    'What the member writes leaves the caller’s lists, feed and notifications, but not their own pages. Changes nothing if that is already so.',
  errors,
  scope: 'social:write',
})

const aboutList = (summary: string): Documented => ({
  summary,
  description: 'The last one first.',
  returnsData: 'own',
})

const aboutAnswer = (summary: string): Documented => ({
  summary,
  description: 'Returns 404 if there is no such request, for example because it was withdrawn.',
  errors: [404, 409],
  scope: 'social:write',
})

export const privacyRouter = router({
  get: forMembers('GET /users/me/privacy', 'getPrivacy', schema.getPrivacy, {
    summary: 'Get who sees the caller',
    returnsData: 'own',
  }).query(async ({ ctx }) => readPrivacy(ctx.db, ctx.member.id)),

  change: forMembers('PATCH /users/me/privacy', 'updatePrivacy', schema.changePrivacy, {
    summary: 'Change who sees the caller',
    description:
      'Omitted fields do not change. A member who becomes private keeps their followers; one who becomes public accepts all requests.',
    scope: 'account',
  }).mutation(async ({ ctx, input: { isPrivate, hidesFromSuggestions, hidesFollows } }) => {
    const { db, member } = ctx
    if (isPrivate === false) await becomePublic(ctx)
    await store.updatePrivacy(db, member.id, {
      ...(isPrivate === true && { is_private: 1 }),
      ...(hidesFromSuggestions !== undefined && { hides_from_suggestions: Number(hidesFromSuggestions) }),
      ...(hidesFollows !== undefined && { hides_follows: Number(hidesFollows) }),
    })
    return readPrivacy(db, member.id)
  }),

  block: forMembers(
    'PUT /users/{id}/block',
    'blockUser',
    schema.block,
    aboutBlocks('Block a member', [404, 409]),
  ).mutation(async ({ ctx, input: { id } }) => {
    await hide(ctx, 'blocks', id)
    return { isBlocked: true }
  }),

  unblock: forMembers(
    'DELETE /users/{id}/block',
    'unblockUser',
    schema.block,
    aboutBlocks('Stop blocking a member', []),
  ).mutation(async ({ ctx, input: { id } }) => {
    const pair = { user_id: ctx.member.id, member_id: id }
    await ctx.db.transaction().execute(async (trx) => {
      await store.lockMembers(trx, [ctx.member.id, id])
      await store.removeHidden(trx, 'blocks', pair)
      // A request that the member made while they were blocked.
      await store.removeRequest(trx, { follower_id: id, followee_id: ctx.member.id })
    })
    return { isBlocked: false }
  }),

  blocks: forMembers(
    'GET /users/me/blocks',
    'listBlocks',
    schema.listBlocks,
    aboutList('List the members whom the caller has blocked'),
  ).query(({ ctx, input }) => listHidden(ctx, 'blocks', input)),

  mute: forMembers(
    'PUT /users/{id}/mute',
    'muteUser',
    schema.mute,
    aboutMutes('Mute a member', [404, 409]),
  ).mutation(async ({ ctx, input: { id } }) => {
    await hide(ctx, 'mutes', id)
    return { isMuted: true }
  }),

  unmute: forMembers(
    'DELETE /users/{id}/mute',
    'unmuteUser',
    schema.mute,
    aboutMutes('Stop muting a member', []),
  ).mutation(async ({ ctx, input: { id } }) => {
    await store.removeHidden(ctx.db, 'mutes', { user_id: ctx.member.id, member_id: id })
    return { isMuted: false }
  }),

  mutes: forMembers(
    'GET /users/me/mutes',
    'listMutes',
    schema.listMutes,
    aboutList('List the members whom the caller has muted'),
  ).query(({ ctx, input }) => listHidden(ctx, 'mutes', input)),

  requests: forMembers(
    'GET /users/me/follow-requests',
    'listFollowRequests',
    schema.listRequests,
    aboutList('List the members who ask to follow the caller'),
  ).query(({ ctx: { db, member }, input }) =>
    readPage('requests', input, {
      read: (window) => store.listRequests(db, member.id, window),
      count: () => store.countRequests(db, member.id),
    }),
  ),

  accept: forMembers(
    'POST /users/me/follow-requests/{userId}/accept',
    'acceptFollowRequest',
    schema.answerRequest,
    aboutAnswer('Accept a follow request'),
  ).mutation(({ ctx, input: { userId } }) =>
    answer(ctx, userId, async (trx, request) => {
      await accept(trx, request.followee_id, [request.follower_id], ctx.now)
      if ((await findMember({ ...ctx, db: trx }, userId)).following_count > followingMax)
        throw conflict(messages.requesterFollowsTooMany)
    }),
  ),

  reject: forMembers(
    'POST /users/me/follow-requests/{userId}/reject',
    'rejectFollowRequest',
    schema.answerRequest,
    aboutAnswer('Reject a follow request'),
  ).mutation(({ ctx, input: { userId } }) => answer(ctx, userId, endRequest)),

  removeFollower: forMembers('DELETE /users/me/followers/{userId}', 'removeFollower', schema.removeFollower, {
    summary: 'Remove a follower of the caller',
    description: 'The member is not told. Changes nothing if they do not follow the caller.',
    scope: 'social:write',
  }).mutation(({ ctx, input: { userId } }) =>
    ctx.db.transaction().execute(async (trx) => {
      await store.lockMembers(trx, [userId, ctx.member.id])
      await removeFollow(trx, { follower_id: userId, followee_id: ctx.member.id })
      await takeBack(trx, { type: 'follow', to: ctx.member.id, by: userId })
      await takeBack(trx, { type: 'followAccepted', to: userId, by: ctx.member.id })
      return { followersCount: (await findMember({ ...ctx, db: trx }, ctx.member.id)).follower_count }
    }),
  ),
})

async function readPrivacy(db: Db, userId: number) {
  const row = await store.findPrivacy(db, userId)
  return {
    privacy: {
      isPrivate: row.is_private === 1,
      hidesFromSuggestions: row.hides_from_suggestions === 1,
      hidesFollows: row.hides_follows === 1,
    },
  }
}

/** Throws CONFLICT at the maximum number. */
async function hide({ db, member, now }: MemberContext, table: store.Hidden, id: number): Promise<void> {
  if (id === member.id) throw badRequest(messages.blockSelf)
  await db.transaction().execute(async (trx) => {
    const members = await store.lockMembers(trx, [member.id, id])
    found(members.length === 2, messages.userNotFound)
    await store.insertHidden(trx, table, { user_id: member.id, member_id: id }, now.toISOString())
    if ((await store.countHidden(trx, table, member.id)) > blocksMax) throw conflict(messages.tooManyBlocks)
    await takeBack(trx, { to: member.id, by: id })
    if (table === 'mutes') return
    await takeBack(trx, { to: id, by: member.id })
    for (const follow of [
      { follower_id: member.id, followee_id: id },
      { follower_id: id, followee_id: member.id },
    ]) {
      await removeFollow(trx, follow)
      await store.removeRequest(trx, follow)
    }
    await removeEditorsBetween(trx, member.id, id)
  })
}

/** Throws NOT_FOUND if the caller sees no such request. */
function answer(
  { db, member }: MemberContext,
  userId: number,
  work: (trx: Db, request: store.Request) => Promise<void>,
) {
  return db.transaction().execute(async (trx) => {
    const request = { follower_id: userId, followee_id: member.id }
    await store.lockMembers(trx, [userId, member.id])
    found(await store.isRequestShown(trx, request), messages.requestNotFound)
    await work(trx, request)
    return { followersCount: (await findMember({ db: trx, member }, member.id)).follower_count }
  })
}

/** All members must be locked. */
async function accept(trx: Db, memberId: number, asked: readonly number[], now: Date): Promise<void> {
  await store.removeRequests(trx, memberId, asked)
  await takeBackEach(trx, { type: 'followRequest', to: memberId, by: asked })
  await insertFollowers(trx, memberId, asked, now.toISOString())
  await notifyEach(trx, asked, { type: 'followAccepted', by: memberId, now })
}

async function endRequest(trx: Db, request: store.Request): Promise<void> {
  await store.removeRequest(trx, request)
  await takeBack(trx, { type: 'followRequest', to: request.followee_id, by: request.follower_id })
}

/** A few requests per transaction; public in the transaction that finds no more. New requests wait for its lock. */
async function becomePublic({ db, member, now }: MemberContext): Promise<void> {
  for (;;) {
    const isDone = await db.transaction().execute(async (trx) => {
      const asked = await store.listRequesters(trx, member.id, acceptedAtOnce)
      await store.lockMembers(trx, [member.id, ...asked])
      // Some may have been withdrawn, or made, before the lock.
      const current = new Set(await store.listRequesters(trx, member.id, acceptedAtOnce))
      const accepted = asked.filter((id) => current.has(id))
      if (accepted.length > 0) await accept(trx, member.id, accepted, now)
      if (asked.length > 0 || current.size > 0) return false
      await store.updatePrivacy(trx, member.id, { is_private: 0 })
      return true
    })
    if (isDone) return
  }
}

type Input = { limit: number; cursor?: string | undefined }

function listHidden({ db, member }: MemberContext, table: store.Hidden, input: Input) {
  return readPage(table, input, {
    read: (window) => store.listHidden(db, table, member.id, window),
    count: () => store.countHidden(db, table, member.id),
  })
}

async function readPage(
  name: string,
  input: Input,
  {
    read,
    count,
  }: {
    read: (window: { limit: number; offset: number }) => Promise<store.PersonSinceRow[]>
    count: () => Promise<number>
  },
) {
  const { page, limit } = atCursor({ ...input, page: 1 }, name)
  const rows = await read({ limit: limit + 1, offset: (page - 1) * limit })
  return {
    users: rows.slice(0, limit).map((row) => ({ ...toMetPerson(row), since: row.since })),
    total: await count(),
    nextCursor: cursorAfter({ page, limit }, name, rows.length > limit),
  }
}
