import { z } from 'zod'
import { card } from './catalogue.ts'
import * as limits from './limits.ts'
import type { Kind } from './media.ts'
import { count, id, keyed, limit, page, pagination, person, query } from './scalars.ts'

const isFollowing = z.boolean().meta({ description: 'Whether the caller follows them now.' })

export const followAnswer = z.object({ isFollowing, followersCount: count }).meta({ id: 'FollowState' })

export const follow = { input: z.object({ userIdToFollow: id }), output: followAnswer }
export const unfollow = { input: z.object({ userIdToUnfollow: id }), output: followAnswer }
export const followStatus = { input: z.object({ id }), output: z.object({ isFollowing }) }

const listedPerson = person
  .extend({
    isFollowing: isFollowing.meta({ description: 'Whether the caller follows them; false for a visitor.' }),
  })
  .meta({ id: 'ListedPerson', description: 'A member, and how the caller stands to them.' })

export const listPeople = {
  input: z.object({ id, page, limit: limit(limits.listPageSize) }),
  output: z.object({ users: z.array(listedPerson), pagination }),
}

export const searchUsers = {
  input: z.object({ q: query.meta({ example: 'lantern' }), limit: limit(limits.searchLimit) }),
  output: z.object({ results: z.array(person) }),
}

/** A favorite book is nested, the others are plain: so the documented client has it. */
const favorite = {
  movie: card.movie,
  tvShow: card.tvShow,
  book: z.object({ id, book: card.book }).meta({ id: 'FavoriteBook' }),
  game: card.game,
} as const satisfies Record<Kind, z.ZodType>

export const favorites = {
  input: z.object({
    userId: id.meta({ description: 'The id of a member.' }),
    page,
    limit: limit(limits.favoritesLimit),
  }),
  networkInput: z.object({ limit: limit(limits.feedLimit) }),
  output: <K extends Kind, const Key extends string>(kind: K, key: Key) =>
    keyed(key, z.array(favorite[kind] as (typeof favorite)[K])),
}

export const favoriteStatus = { input: z.object({ id }), output: z.object({ isFavorite: z.boolean() }) }
export const removeFavorite = { input: z.object({ id }) }
