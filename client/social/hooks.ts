import { useMutation, useQuery } from '@tanstack/react-query'
import { useSession } from '#client/session.ts'
import { retryOnce, trpc, trpcClient } from '#client/trpc.ts'
import { allKinds, type KindFacts } from '#shared/media.ts'
import { favoriteCard } from './favorite-card.ts'
import { favoritesOf } from './queries.ts'

type Utils = ReturnType<typeof trpc.useUtils>
/** What a member keeps of a kind, the last kept first. */
export function useFavorites(facts: KindFacts, userId: number) {
  const { list } = favoritesOf(trpc.useUtils(), facts)
  return useQuery({
    ...list.queryOptions({ userId }),
    select: (answer) =>
      (answer as Record<string, { id: number }[]>)[facts.favorites.key]?.map((favorite) =>
        favoriteCard(facts, favorite),
      ) ?? [],
  })
}

export function useIsFavorite(facts: KindFacts, id: number) {
  const { isFavorite } = favoritesOf(trpc.useUtils(), facts)
  const isMember = useSession() !== null
  return useQuery({ ...isFavorite.queryOptions({ id }), enabled: isMember })
}

/** Keeps a title (true), or lets it go. */
export function useSetFavorite(facts: KindFacts, id: number) {
  const utils = favoritesOf(trpc.useUtils(), facts)
  const { add, remove } = favoritesOf(trpcClient, facts)
  const userId = useSession()?.user.id
  return useMutation({
    ...retryOnce,
    mutationFn: (isFavorite: boolean) =>
      isFavorite ? add.mutate({ [facts.idKey]: id } as { movieId: number }) : remove.mutate({ id }),
    onSuccess(_, isFavorite) {
      utils.isFavorite.setData({ id }, { isFavorite })
      if (userId !== undefined) void utils.list.invalidate({ userId })
    },
  })
}

export function useProfile(userId: number) {
  return trpc.accounts.profile.useQuery({ id: userId })
}

/** `known` is what a list told of it, and when: then nothing more is asked. */
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

/** Follows and unfollows; all that is told of the network follows. */
export function useFollow(userId: number) {
  const utils = trpc.useUtils()
  const ownId = useSession()?.user.id
  const onSuccess = ({ isFollowing, followersCount }: { isFollowing: boolean; followersCount: number }) => {
    utils.social.followStatus.setData({ id: userId }, { isFollowing })
    utils.accounts.profile.setData({ id: userId }, (old) => old && { user: { ...old.user, followersCount } })
    refreshNetwork(utils)
    if (ownId === undefined) return
    void utils.accounts.profile.invalidate({ id: ownId })
    // Read anew when they are opened next: nobody goes from under the pointer, where a second press takes it back.
    const shows = (id: number) => ({
      refetchType: 'none' as const,
      predicate: ({ queryKey }: { queryKey: readonly unknown[] }) =>
        (queryKey[1] as { input?: { id?: number } } | undefined)?.input?.id === id,
    })
    void utils.social.followers.invalidate(undefined, shows(userId))
    void utils.social.following.invalidate(undefined, shows(ownId))
  }
  const follow = trpc.social.follow.useMutation({ ...retryOnce, onSuccess })
  const unfollow = trpc.social.unfollow.useMutation({ ...retryOnce, onSuccess })
  return { follow, unfollow, isPending: follow.isPending || unfollow.isPending }
}

function refreshNetwork(utils: Utils): void {
  for (const facts of allKinds) {
    const ratings = utils[facts.router]
    void ratings.networkHistogram.invalidate()
    void ratings.networkRating.invalidate()
    void ratings.networkRaters.invalidate()
    void ratings.forYou.invalidate()
    void favoritesOf(utils, facts).network.invalidate()
  }
  void utils.reviews.list.invalidate(undefined, {
    predicate: ({ queryKey }) =>
      (queryKey[1] as { input?: { scope?: string } } | undefined)?.input?.scope === 'network',
  })
}

/** A page of those who follow a member, or whom the member follows. */
export function usePeople(direction: 'followers' | 'following', userId: number, page: number) {
  const followers = trpc.social.followers.useQuery(
    { id: userId, page },
    { enabled: direction === 'followers', placeholderData: (before) => before },
  )
  const following = trpc.social.following.useQuery(
    { id: userId, page },
    { enabled: direction === 'following', placeholderData: (before) => before },
  )
  return direction === 'followers' ? followers : following
}
