import { notFound } from '@tanstack/react-router'
import { prefetchFavorites } from '#client/social/queries.ts'
import { displayName } from '#client/social/person.ts'
import { readPage } from '#client/read-page.ts'
import { isNotFound } from '#client/trpc.ts'
import type { RouterContext } from '../router.tsx'
import { readId } from './-medium-data.ts'

/** Ensures a member's profile and asks for the rest of the page with it; throws `notFound()` where there is none. */
export async function loadProfile(
  { trpc, getSession }: RouterContext,
  idText: string,
): Promise<{ name: string }> {
  const id = readId(idText)
  if (id === null) throw notFound()
  prefetchFavorites(trpc, id)
  if (getSession()?.user.id !== id) void trpc.social.followStatus.prefetch({ id })
  return ensureProfile(trpc, id)
}

/** As `loadProfile`, for a list of people. */
export async function loadPeople(
  { trpc }: RouterContext,
  direction: 'followers' | 'following',
  idText: string,
  page: number,
): Promise<{ name: string }> {
  const id = readId(idText)
  if (id === null) throw notFound()
  void trpc.social[direction].prefetch({ id, page })
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

export type PeopleSearch = { page?: number | undefined }

export function readPeopleSearch(search: Record<string, unknown>): PeopleSearch {
  return { page: readPage(search['page']) }
}
