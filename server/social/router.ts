import type { z } from 'zod'
import { followingMax, followRequestsMax } from '#shared/domain/limits.ts'
import { type KindDefinition, namesOf } from '#shared/domain/kinds.ts'
import { numberText } from '#shared/texts/formats.ts'
import { messages } from '#shared/texts/messages.ts'
import { message } from '#shared/contracts/scalars.ts'
import * as schema from '#shared/contracts/social.ts'
import { toCard } from '#server/titles/rules.ts'
import { listCards } from '#server/titles/store.ts'
import type { Db } from '#server/db/open.ts'
import { notify, takeBack } from '#server/accounts/notify-store.ts'
import { badRequest, conflict } from '#server/calls/errors.ts'
import type { Context, Member } from '#server/calls/context.ts'
import {
  countRequestsBy,
  findRelation,
  hasBlocked,
  insertRequest,
  lockMembers,
  removeRequest,
} from '#server/social/privacy-store.ts'
import { atCursor, cursorAfter, endOfPage } from '#server/calls/cursors.ts'
import { callsIn, type Documented, found, router } from '#server/calls/procedures.ts'
import { findMember, readOpenFollows, readOpenMember } from '#server/calls/access.ts'
import { rankFavorites, toFavorite, toListedPerson, toMetPerson } from './rules.ts'
import * as store from './store.ts'

const { forAll, forMembers } = callsIn('Social')

const aboutPeople = (summary: string): Documented => ({
  summary,
  description: 'Newest follow first. Returns 403 if the member is private, or hides this list.',
  errors: [403, 404],
  readsToken: true,
  returnsData: ['follows', 'names'],
})

export const socialRouter = router({
  follow: forMembers('POST /users/follow', 'followUser', schema.follow, {
    summary: 'Follow a member',
    description:
      'Changes nothing if the caller already follows the member. If the member is private, asks for it: `isRequested`. ' +
      'Returns 400 for the caller’s own id, and 409 for a member whom the caller has blocked. ' +
      `A member can follow at most ${numberText(followingMax)} people; beyond that, returns 409.`,
    errors: [404, 409],
    scope: 'social:write',
    returnsPublic: true,
  }).mutation(({ ctx, input: { userIdToFollow } }) => {
    const follow = followOf(ctx.member.id, userIdToFollow)
    return ctx.db.transaction().execute(async (trx) => {
      const members = await lockMembers(trx, [follow.follower_id, follow.followee_id])
      const followee = found(
        members.find(({ id }) => id === userIdToFollow),
        messages.userNotFound,
      )
      const asBlocker = { user_id: follow.follower_id, member_id: follow.followee_id }
      if (await hasBlocked(trx, asBlocker)) throw conflict(messages.unblockFirst)
      const at = ctx.now.toISOString()
      const event = { to: userIdToFollow, by: ctx.member.id, now: ctx.now }
      const isFollowed = await store.isFollowing(trx, follow)
      // To a member who is blocked, the other one looks private.
      const asBlocked = { user_id: follow.followee_id, member_id: follow.follower_id }
      const isClosed = followee.is_private === 1 || (await hasBlocked(trx, asBlocked))
      if (isClosed && !isFollowed) {
        if (await insertRequest(trx, follow, at)) await notify(trx, { ...event, type: 'followRequest' })
        if ((await countRequestsBy(trx, follow.follower_id)) > followRequestsMax)
          throw conflict(messages.tooManyFollowRequests)
      } else if (await store.insertFollow(trx, { ...follow, created_at: at })) {
        if ((await findMember({ ...ctx, db: trx }, follow.follower_id)).following_count > followingMax)
          throw conflict(messages.tooManyFollows)
        await notify(trx, { ...event, type: 'follow' })
      }
      return followState({ ...ctx, db: trx }, userIdToFollow)
    })
  }),

  unfollow: forMembers('POST /users/unfollow', 'unfollowUser', schema.unfollow, {
    summary: 'Unfollow a member',
    description:
      'Also withdraws a request. Changes nothing if the caller does not follow the member. Returns 400 for the caller’s own id.',
    errors: [404],
    scope: 'social:write',
    returnsPublic: true,
  }).mutation(({ ctx, input: { userIdToUnfollow } }) => {
    const follow = followOf(ctx.member.id, userIdToUnfollow)
    return ctx.db.transaction().execute(async (trx) => {
      await findMember({ ...ctx, db: trx }, userIdToUnfollow)
      await lockMembers(trx, [follow.follower_id, follow.followee_id])
      await removeRequest(trx, follow)
      await store.removeFollow(trx, follow)
      for (const type of ['follow', 'followRequest'] as const)
        await takeBack(trx, { type, to: userIdToUnfollow, by: ctx.member.id })
      return followState({ ...ctx, db: trx }, userIdToUnfollow)
    })
  }),

  followStatus: forMembers('GET /users/{id}/follow-status', 'getFollowStatus', schema.followStatus, {
    summary: 'Check whether the caller follows a member',
    errors: [404],
    returnsData: 'own',
  }).query(async ({ ctx, input }) => {
    await findMember(ctx, input.id)
    return findRelation(ctx.db, ctx.member.id, input.id)
  }),

  followers: forAll(
    'GET /users/{id}/followers',
    'listFollowers',
    schema.listPeople,
    aboutPeople('List the followers of a member'),
  ).query(async ({ ctx, input }) => {
    const { follower_count: total } = await readOpenFollows(ctx, input.id)
    return readPeople(ctx, input, 'followers', total)
  }),

  following: forAll(
    'GET /users/{id}/following',
    'listFollowing',
    schema.listPeople,
    aboutPeople('List the people a member follows'),
  ).query(async ({ ctx, input }) => {
    const { following_count: total } = await readOpenFollows(ctx, input.id)
    return readPeople(ctx, input, 'following', total)
  }),

  searchUsers: forAll('GET /users/search', 'searchUsers', schema.searchUsers, {
    summary: 'Search members by name',
    description:
      'Names that start with `q` first, then names that contain it, each sorted alphabetically. Ignores case and accents.',
    readsToken: true,
    returnsData: 'names',
  }).query(async ({ ctx, input }) => ({
    results: (await store.searchPeople(ctx.db, input.q, input.limit, ctx.member?.id ?? 0)).map(toMetPerson),
  })),
})

export function favoritesRouter(definition: KindDefinition) {
  const { kind, words, idKey } = definition
  const { One, Many, one, many } = namesOf(definition)
  const path = `/${definition.favorites.path}` as const
  const { forAll, forMembers } = callsIn('Favorites')
  const readFavorites = async (db: Db, ids: number[]) =>
    (await listCards(db, ids)).map((row) => toFavorite(definition, toCard(kind, row)))

  return router({
    list: forAll(
      `GET ${path}/{id}`,
      `listFavorite${Many}`,
      { input: schema.favorites.input, output: schema.favorites.output(definition) },
      {
        summary: `List the favorite ${many} of a member`,
        description: 'Last added first, after those that the member has put in order.',
        errors: [403, 404],
        readsToken: true,
        aliases: [{ path: `/users/{id}${path}`, operationId: `listFavorite${Many}OfUser` }],
        returnsData: 'favorites',
      },
    ).query(async ({ ctx, input }) => {
      await readOpenMember(ctx, input.id)
      const list = `favorites ${kind}`
      const { page, limit } = atCursor(input, list)
      // One more than the page tells whether there is a next one.
      const window = { offset: (page - 1) * limit, limit: limit + 1 }
      const ids = await store.listFavoriteIds(ctx.db, input.id, kind, window)
      const nextCursor = cursorAfter({ page, limit }, list, ids.length > limit)
      return { nextCursor, [definition.favorites.router]: await readFavorites(ctx.db, ids.slice(0, limit)) }
    }),

    network: forMembers(
      `GET ${path}/network`,
      `listNetworkFavorite${Many}`,
      { input: schema.favorites.networkInput, output: schema.favorites.networkOutput(definition) },
      {
        summary: `List the favorite ${many} of the caller’s network`,
        description:
          'The favorites of the people the caller follows, without duplicates: most often favorited first; ties are sorted by the last addition.',
        returnsData: 'networkTitles',
      },
    ).query(async ({ ctx, input }) => {
      const ids = rankFavorites(await store.listNetworkFavorites(ctx.db, ctx.member.id, kind), input.limit)
      return { [definition.favorites.router]: await readFavorites(ctx.db, ids) }
    }),

    isFavorite: forMembers(`GET ${path}/{id}/status`, `getFavorite${One}Status`, schema.favoriteStatus, {
      summary: `Check whether a ${one} is one of the caller’s favorites`,
      description: 'False for an id that is not in the catalogue.',
      returnsData: 'own',
    }).query(async ({ ctx, input }) => ({
      isFavorite: await store.isFavorite(ctx.db, ctx.member.id, kind, input.id),
    })),

    add: forMembers(
      `POST ${path}`,
      `addFavorite${One}`,
      { input: schema.addFavorite.input(definition), output: message },
      {
        summary: `Add a ${one} to the caller’s favorites`,
        description:
          'Changes nothing if it is already a favorite. Returns 404 for the id of a title of another kind.',
        errors: [404],
        scope: 'social:write',
        status: 201,
      },
    ).mutation(async ({ ctx, input }) => {
      const titleId = input[idKey]!
      found(await store.titleExists(ctx.db, kind, titleId), words.notFound)
      await store.insertFavorite(ctx.db, {
        user_id: ctx.member.id,
        media_id: titleId,
        kind,
        created_at: ctx.now.toISOString(),
      })
      return { message: messages.favoriteAdded }
    }),

    arrange: forMembers(`PUT ${path}/order`, `arrangeFavorite${Many}`, schema.arrangeFavorites, {
      summary: `Put the caller’s favorite ${many} in order`,
      description:
        'The favorites in `ids` come first, in this order; all others follow, last added first. Replaces the previous order. ' +
        'Ids that are not favorites are ignored, and an empty list removes the order.',
      scope: 'social:write',
    }).mutation(async ({ ctx, input: { ids } }) => {
      await store.arrangeFavorites(ctx.db, ctx.member.id, kind, ids)
      return { message: messages.favoritesArranged }
    }),

    remove: forMembers(`DELETE ${path}/{id}`, `removeFavorite${One}`, schema.removeFavorite, {
      summary: `Remove a ${one} from the caller’s favorites`,
      description: 'Changes nothing if it is not a favorite.',
      scope: 'social:write',
    }).mutation(async ({ ctx, input }) => {
      await store.removeFavorite(ctx.db, ctx.member.id, kind, input.id)
      return { message: messages.favoriteRemoved }
    }),
  })
}

function followOf(followerId: number, followeeId: number) {
  if (followerId === followeeId) throw badRequest(messages.followSelf)
  return { follower_id: followerId, followee_id: followeeId }
}

async function followState(caller: Pick<Context, 'db'> & { member: Member }, followeeId: number) {
  const { isFollowing, isRequested } = await findRelation(caller.db, caller.member.id, followeeId)
  return {
    isFollowing,
    ...(isRequested && { isRequested }),
    followersCount: (await findMember(caller, followeeId)).follower_count,
  }
}

async function readPeople(
  { db, member }: Pick<Context, 'db' | 'member'>,
  input: z.output<typeof schema.listPeople.input>,
  list: 'followers' | 'following',
  total: number,
) {
  const { page, limit } = atCursor(input, list)
  const ids = await store.listFollowIds(db, input.id, list, { limit, offset: (page - 1) * limit })
  const followed = new Set(member ? await store.listFollowedAmong(db, member.id, ids) : [])
  const people = await store.listPeople(db, ids, member?.id ?? 0, 'met')
  return {
    users: people.map((row) => toListedPerson(row, followed.has(row.id))),
    ...endOfPage({ page, limit }, list, total),
  }
}
