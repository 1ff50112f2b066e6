import { z } from 'zod'
import { card } from './titles.ts'
import * as exported from './exported.ts'
import * as limits from '#shared/domain/limits.ts'
import { allKinds, type KindDefinition, namesOf, perIdKey } from '#shared/domain/kinds.ts'
import { messages } from '#shared/texts/messages.ts'
import {
  count,
  cursor,
  id,
  idList,
  isPrivate,
  keyed,
  limit,
  message,
  nextCursor,
  page,
  pagination,
  person,
  query,
  time,
  titleCard,
  stars,
} from './scalars.ts'

const isFollowing = z.boolean().meta({ description: 'Whether the caller now follows the member.' })

const onlyIfTrue = (description: string) =>
  z
    .literal(true)
    .exactOptional()
    .meta({ description: `Only present if ${description}.`, examples: [] })
const isRequested = onlyIfTrue('the caller has asked to follow the member, who has not answered')

const followState = z.object({ isFollowing, isRequested, followersCount: count }).meta({ id: 'FollowState' })

export const follow = { input: z.object({ userIdToFollow: id }), output: followState }
export const unfollow = { input: z.object({ userIdToUnfollow: id }), output: followState }
export const followStatus = {
  input: z.object({ id }),
  output: z.object({
    isFollowing,
    isRequested,
    isMuted: onlyIfTrue('the caller has muted the member'),
    isBlocked: onlyIfTrue('the caller has blocked the member'),
  }),
}

const listedPerson = person
  .extend({
    isPrivate,
    isFollowing: isFollowing.meta({
      description: 'Whether the caller follows the member; false without a token.',
    }),
    reviewCount: count.meta({ description: 'Titles rated or reviewed.', example: 12 }),
  })
  .meta({ id: 'ListedPerson', description: 'A member, and whether the caller follows them.' })

export const listPeople = {
  input: z.object({ id, page, cursor, limit: limit(limits.listPageSize) }),
  output: z.object({ users: z.array(listedPerson), pagination, nextCursor }),
}

export const searchUsers = {
  input: z.object({ q: query.meta({ example: 'lantern' }), limit: limit(limits.searchLimit) }),
  output: z.object({
    results: z.array(
      person.extend({ isPrivate }).meta({ id: 'FoundPerson', description: 'A member whose name matches.' }),
    ),
  }),
}

type Favorites = z.ZodType<{ id: number }[]>
const favoriteLists = Object.fromEntries(
  allKinds.map((definition): [string, Favorites] => {
    const { kind, favorites } = definition
    const nested = z.object({ id, [kind]: card[kind] }).meta({ id: `Favorite${namesOf(definition).One}` })
    return [
      favorites.router,
      z.array<z.ZodType<{ id: number }>>(favorites.isNested ? (nested as never) : card[kind]),
    ]
  }),
) as Record<KindDefinition['favorites']['router'], Favorites>

export const favorites = {
  input: z.object({
    id: id.meta({ description: 'The id of a member.' }),
    page,
    cursor,
    limit: limit(limits.favoritesLimit),
  }),
  networkInput: z.object({ limit: limit(limits.feedLimit) }),
  networkOutput: ({ favorites }: KindDefinition) => keyed(favorites.router, favoriteLists),
  output: ({ favorites }: KindDefinition) => keyed(favorites.router, favoriteLists, { nextCursor }),
}

export const addFavorite = {
  input: ({ idKey }: KindDefinition) =>
    keyed(
      idKey,
      perIdKey(() => id),
    ),
}
export const arrangeFavorites = {
  input: z.object({
    ids: z
      .array(id)
      .max(limits.favoritesOrderMax)
      .refine((ids) => new Set(ids).size === ids.length, { error: messages.idsRepeated })
      .meta({ description: 'Ids of titles, the first one first.', example: [12, 7] }),
  }),
  output: message,
}
export const favoriteStatus = { input: z.object({ id }), output: z.object({ isFavorite: z.boolean() }) }
export const removeFavorite = { input: z.object({ id }), output: message }

const percent = z.int().min(0).max(100).meta({ example: 86 })
const commonCount = count.meta({
  description: 'The number of titles that both members rated.',
  example: 24,
})

const comparedTitle = z
  .object({
    title: titleCard,
    ownRating: stars.meta({ description: 'The rating by the caller, 1 to 5.', example: 5 }),
    theirRating: stars.meta({ description: 'The rating by the other member, 1 to 5.', example: 4 }),
  })
  .meta({ id: 'ComparedTitle', description: 'A title that the caller and another member rated.' })

export const tasteMatch = {
  input: z.object({ id }),
  output: z.object({
    match: percent.nullable().meta({
      description:
        '100 if both members gave every title in common the same rating, 0 if the ratings differ by 4 stars everywhere; ' +
        'null if they have fewer than 5 titles in common.',
    }),
    commonCount,
    agreements: z.array(comparedTitle).meta({ description: 'At most 3, empty if `match` is null.' }),
    disagreements: z.array(comparedTitle).meta({ description: 'At most 3, empty if `match` is null.' }),
  }),
}

const match = percent.nullable().meta({
  description: '`match` of `GET /users/{id}/taste-match`; null if it is unknown.',
})

export const tasteMatches = {
  input: z.object({ ids: idList(/[1-9]\d{0,14}/, '7,9') }),
  output: z.object({
    matches: z
      .array(z.object({ id, match, commonCount }))
      .meta({ description: 'One for each other member with titles in common, unordered.' }),
  }),
}

export const suggestedPeople = {
  input: z.object({ limit: limit(limits.suggestedPeopleLimit) }),
  output: z.object({
    people: z.array(
      listedPerson
        .extend({
          commonCount,
          agreement: comparedTitle.nullable().meta({
            description: 'A title that both rated high, or both rated low; null if there is none.',
          }),
        })
        .meta({ id: 'SuggestedPerson', description: 'A member whom the caller may want to follow.' }),
    ),
  }),
}

export const exportedFavorite = z.object({
  title: exported.titleRef,
  createdAt: time,
  place: z.int().optional().meta({
    description: 'The highest comes first; 0 if the member has not put it in order.',
    example: 0,
  }),
})

export const exportedFollow = z.object({
  username: exported.username,
  id: z
    .int()
    .optional()
    .meta({ description: 'The id of the member on the server that wrote the file.', example: 7 }),
  createdAt: time,
})
