import { notFound } from '@tanstack/react-router'
import { readPage } from '#client/read-page.ts'
import { kindUtils, nameOf, recordOf } from '#client/kinds.ts'
import { prefetchReviews } from '#client/reviews/queries.ts'
import type { Listing, Order, Scope, SortBy } from '#client/reviews/title.ts'
import { prefetchIsFavorite } from '#client/social/queries.ts'
import { isNotFound } from '#client/trpc.ts'
import { type Kind, kinds } from '#shared/media.ts'
import type { RouterContext } from '../router.tsx'

/** What the address of a title's page says beside the title; what is as usual is left out. */
export type MediumSearch = {
  scope?: Scope | undefined
  reviews?: Scope | undefined
  sortBy?: SortBy | undefined
  order?: Order | undefined
  page?: number | undefined
}

/** Whatever the address cannot mean is left out. */
export function readMediumSearch(search: Record<string, unknown>): MediumSearch {
  return { scope: search['scope'] === 'network' ? 'network' : undefined, ...readListing(search) }
}

function readListing(search: Record<string, unknown>): Omit<MediumSearch, 'scope'> {
  return {
    reviews: search['reviews'] === 'network' ? 'network' : undefined,
    sortBy: search['sortBy'] === 'rating' ? 'rating' : undefined,
    order: search['order'] === 'asc' ? 'asc' : undefined,
    page: readPage(search['page']),
  }
}

/** The list of reviews that an address asks for. A visitor has no network. */
export function listingOf({ reviews, sortBy, order, page }: MediumSearch, isMember: boolean): Listing {
  return {
    scope: (isMember && reviews) || 'overall',
    sortBy: sortBy ?? 'createdAt',
    order: order ?? 'desc',
    page: page ?? 1,
  }
}

/** The address of a list of reviews: the reverse of `listingOf`. Says nothing of whose ratings are shown. */
export function listingSearch({ scope, ...rest }: Listing): Omit<MediumSearch, 'scope'> {
  return readListing({ ...rest, reviews: scope })
}

/** An id in an address; null where it is none. */
export function readId(text: string): number | null {
  const id = Number(text)
  return /^[1-9]\d*$/.test(text) && Number.isSafeInteger(id) ? id : null
}

/**
 * Ensures the title, and asks for all else that its page shows in the same batch; only the server waits for that. Answers what
 * the page is called; throws `notFound()` where there is no such title.
 */
export async function loadMedium(
  { queryClient, trpc, getSession }: RouterContext,
  kind: Kind,
  idText: string,
  search: Record<string, unknown>,
): Promise<{ name: string }> {
  const id = readId(idText)
  if (id === null) throw notFound()
  const facts = kinds[kind]
  const isMember = getSession() !== null
  const listing = listingOf(readMediumSearch(search), isMember)
  const reviews = prefetchReviews({ queryClient, trpc }, { kind, id }, { listing, isMember })
  if (isMember) void prefetchIsFavorite(trpc, facts, id)
  try {
    if (import.meta.env.SSR) await reviews
    const answer = await kindUtils(trpc, facts).byId.ensureData({ id })
    return { name: nameOf(facts, recordOf(facts, answer)) }
  } catch (error) {
    throw isNotFound(error) ? notFound() : error
  }
}
