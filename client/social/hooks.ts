import { useMutation, useQueries, useQuery } from '@tanstack/react-query'
import { changed } from '#client/app/facts.ts'
import { useSession } from '#client/app/session.ts'
import { favoritesRouter } from '#client/app/kinds.ts'
import { nextPage, retryOnce, type RouterOutputs, showFailure, trpc, trpcClient } from '#client/app/trpc.ts'
import { favoritesOrderMax } from '#shared/domain/limits.ts'
import { type KindDefinition, kindsOnHome } from '#shared/domain/kinds.ts'
import { favoriteCards, type FavoritesOutput } from './favorite-card.ts'
import { t } from '#shared/domain/message.ts'

export function useFavorites(definition: KindDefinition, userId: number) {
  const { list } = favoritesRouter(trpc.useUtils(), definition)
  return useQuery({
    ...list.queryOptions({ id: userId }),
    select: (output) => favoriteCards(definition, output),
  })
}

/** All of them, page by page; `useFavorites` has the first page. */
export function useFavoritePages(definition: KindDefinition, userId: number) {
  const { data, ...query } = favoritesRouter(trpc, definition).list.useInfiniteQuery({ id: userId }, nextPage)
  return { ...query, cards: data?.pages.flatMap((page) => favoriteCards(definition, page)) }
}

export function useAllFavorites(userId: number) {
  const utils = trpc.useUtils()
  return useQueries({
    queries: kindsOnHome.map((definition) => ({
      ...favoritesRouter(utils, definition).list.queryOptions({ id: userId }),
      select: (output: FavoritesOutput) => favoriteCards(definition, output),
    })),
  })
}

export function useArrangeFavorites(definition: KindDefinition) {
  return useMutation({
    ...retryOnce,
    mutationFn: (ids: number[]) =>
      favoritesRouter(trpcClient, definition).arrange.mutate({ ids: ids.slice(0, favoritesOrderMax) }),
    onError: (error) => showFailure(t`The order was not saved`, error),
    onSettled: () => changed('favoriteOrder'),
  })
}

// A constant, because a new function would return a new map in each render, and render again.
const matchesById = ({ matches }: RouterOutputs['social']['tasteMatches']) =>
  new Map(matches.map((one) => [one.id, one]))

export function useTasteMatches(ids: readonly number[]) {
  const isMember = useSession() !== null
  return trpc.social.tasteMatches.useQuery(
    { ids: ids.join() },
    {
      enabled: isMember && ids.length > 0,
      select: matchesById,
    },
  )
}

/** `known` is a list's status with the time (ms) of its response: it is not fetched again. */
export function useFollowStatus(userId: number, known?: { isFollowing: boolean; at: number }) {
  const session = useSession()
  return trpc.social.followStatus.useQuery(
    { id: userId },
    {
      enabled: session !== null && session.user.id !== userId,
      ...(known && {
        initialData: { isFollowing: known.isFollowing },
        initialDataUpdatedAt: known.at,
        staleTime: Number.POSITIVE_INFINITY,
      }),
    },
  )
}

/** Invalidates what depends on the caller's network. */
export function useFollow(userId: number) {
  const utils = trpc.useUtils()
  const onSuccess = ({ followersCount, isFollowing, isRequested }: RouterOutputs['social']['follow']) => {
    utils.social.followStatus.setData({ id: userId }, (old) => ({
      ...(old?.isMuted && { isMuted: true as const }),
      isFollowing,
      ...(isRequested && { isRequested }),
    }))
    utils.accounts.profile.setData({ id: userId }, (old) => old && { user: { ...old.user, followersCount } })
    void changed('follow', userId)
  }
  const follow = trpc.social.follow.useMutation({ ...retryOnce, onSuccess })
  const unfollow = trpc.social.unfollow.useMutation({ ...retryOnce, onSuccess })
  return { follow, unfollow, isPending: follow.isPending || unfollow.isPending }
}

export function usePeople(direction: 'followers' | 'following', userId: number, page: number) {
  return trpc.social[direction].useQuery({ id: userId, page }, { placeholderData: (before) => before })
}
