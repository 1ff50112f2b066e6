import { notFound } from '@tanstack/react-router'
import { prefetchFavorites } from '#client/social/queries.ts'
import { readPeopleSearch } from '#client/social/people-params.ts'
import { displayName } from '#client/social/display-name.ts'
import { readId } from '#client/app/params.ts'
import { isNotFound } from '#client/app/trpc.ts'
import type { RouterContext } from '#client/app/loader-context.ts'

/** Throws `notFound()` if there is no such member. */
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
  // Above the favorites, which would move down when it loads.
  const [profile] = await Promise.all([ensureProfile(trpc, id), trpc.social.tasteMatch.prefetch({ id })])
  return profile
}

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
