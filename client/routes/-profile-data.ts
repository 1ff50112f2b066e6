import { notFound } from '@tanstack/react-router'
import { prefetchFavorites } from '#client/social/queries.ts'
import { readPeopleSearch } from '#client/social/people-params.ts'
import { displayName } from '#client/social/display-name.ts'
import { readId } from '#client/app/params.ts'
import { isNotFound } from '#client/app/trpc.ts'
import type { RouterContext } from '#client/app/loader-context.ts'

/** Loads a profile and prefetches the rest of its page. Throws `notFound()` if there is no such member. */
export async function loadProfile(
  { trpc, getSession }: RouterContext,
  idText: string,
): Promise<{ name: string }> {
  const id = readId(idText)
  if (id === null) throw notFound()
  prefetchFavorites(trpc, id)
  void trpc.diary.isVisible.prefetch({ id })
  const ownId = getSession()?.user.id
  if (ownId === undefined || ownId === id) return ensureProfile(trpc, id)
  void trpc.social.followStatus.prefetch({ id })
  // Awaited, because it is above the favorites, which would move down when it loads.
  const [profile] = await Promise.all([ensureProfile(trpc, id), trpc.social.tasteMatch.prefetch({ id })])
  return profile
}

/** Loads the profile of a page with followers, and prefetches the list. Throws `notFound()` as `loadProfile`. */
export async function loadPeople(
  { trpc }: RouterContext,
  direction: 'followers' | 'following',
  idText: string,
  search: Record<string, unknown>,
): Promise<{ name: string }> {
  const id = readId(idText)
  if (id === null) throw notFound()
  void trpc.social[direction].prefetch({ id, page: readPeopleSearch(search).page ?? 1 })
  return ensureProfile(trpc, id)
}

/** Loads the name of a member, and prefetches the rest of a page in the same batch. Throws `notFound()` as `loadProfile`. */
export async function loadName(
  { trpc }: RouterContext,
  idText: string,
  prefetch: (utils: RouterContext['trpc'], id: number) => void,
): Promise<{ name: string }> {
  const id = readId(idText)
  if (id === null) throw notFound()
  prefetch(trpc, id)
  return ensureProfile(trpc, id)
}

async function ensureProfile(trpc: RouterContext['trpc'], id: number): Promise<{ name: string }> {
  try {
    const { user } = await trpc.accounts.profile.ensureData({ id })
    return { name: displayName(user) }
  } catch (error) {
    throw isNotFound(error) ? notFound() : error
  }
}
