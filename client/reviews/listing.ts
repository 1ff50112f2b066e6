import { readNumber, readPage } from '#client/app/params.ts'
import type { SortBy } from '#shared/contracts/reviews.ts'

/** Whose ratings: the API calls it `scope`. */
export type Audience = 'overall' | 'network'
export type Order = 'asc' | 'desc'

/** Which reviews of a title a list shows, and in which order. */
export type Listing = { scope: Audience; sortBy: SortBy; order: Order; page: number }

export const newestFirst: Listing = { scope: 'overall', sortBy: 'createdAt', order: 'desc', page: 1 }

/** The search params of a page with ratings (`scope`), a pinned review (`review`) and a list of reviews (the others). Defaults are left out. */
export type ReviewsSearch = {
  scope?: Audience | undefined
  review?: number | undefined
  reviews?: Audience | undefined
  sortBy?: SortBy | undefined
  order?: Order | undefined
  page?: number | undefined
}

/** Reads the search params; leaves invalid ones out. */
export function readReviewsSearch(search: Record<string, unknown>): ReviewsSearch {
  return {
    scope: search['scope'] === 'network' ? 'network' : undefined,
    review: readNumber(search['review']),
    ...readListing(search),
  }
}

type ListingSearch = Omit<ReviewsSearch, 'scope' | 'review'>

function readListing(search: Record<string, unknown>): ListingSearch {
  const { sortBy } = search
  return {
    reviews: search['reviews'] === 'network' ? 'network' : undefined,
    sortBy: sortBy === 'rating' || sortBy === 'likeCount' ? sortBy : undefined,
    order: search['order'] === 'asc' ? 'asc' : undefined,
    page: readPage(search['page']),
  }
}

/** Returns the listing of the search params. A visitor has no network. */
export function listingOf({ reviews, sortBy, order, page }: ReviewsSearch, isMember: boolean): Listing {
  return {
    scope: (isMember && reviews) || newestFirst.scope,
    sortBy: sortBy ?? newestFirst.sortBy,
    order: order ?? newestFirst.order,
    page: page ?? newestFirst.page,
  }
}

/** Returns the search params of a listing. */
export function listingSearch({ scope, ...rest }: Listing): ListingSearch {
  return readListing({ ...rest, reviews: scope })
}
