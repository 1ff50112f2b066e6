import { readNumber, readPage } from '#client/app/params.ts'
import type { SortBy } from '#shared/contracts/reviews.ts'

/** The API calls it `scope`. */
export type Audience = 'overall' | 'network'
export type Order = 'asc' | 'desc'

export type Listing = { scope: Audience; sortBy: SortBy; order: Order; page: number }

export const newestFirst: Listing = { scope: 'overall', sortBy: 'createdAt', order: 'desc', page: 1 }

/**
 * `scope` is of the ratings, `review` is a pinned review, whose withheld text `reveal` shows, the others are of the list. Defaults are left
 * out.
 */
export type ReviewsSearch = {
  scope?: Audience | undefined
  review?: number | undefined
  reveal?: true | undefined
  reviews?: Audience | undefined
  sortBy?: SortBy | undefined
  order?: Order | undefined
  page?: number | undefined
}

export function readReviewsSearch(search: Record<string, unknown>): ReviewsSearch {
  return {
    scope: search['scope'] === 'network' ? 'network' : undefined,
    review: readNumber(search['review']),
    reveal: search['reveal'] === true || undefined,
    ...readListing(search),
  }
}

type ListingSearch = Omit<ReviewsSearch, 'scope' | 'review' | 'reveal'>

function readListing(search: Record<string, unknown>): ListingSearch {
  const { sortBy } = search
  return {
    reviews: search['reviews'] === 'network' ? 'network' : undefined,
    sortBy: sortBy === 'rating' || sortBy === 'likeCount' ? sortBy : undefined,
    order: search['order'] === 'asc' ? 'asc' : undefined,
    page: readPage(search['page']),
  }
}

/** A visitor has no network. */
export function listingOf({ reviews, sortBy, order, page }: ReviewsSearch, isMember: boolean): Listing {
  return {
    scope: (isMember && reviews) || newestFirst.scope,
    sortBy: sortBy ?? newestFirst.sortBy,
    order: order ?? newestFirst.order,
    page: page ?? newestFirst.page,
  }
}

export function listingSearch({ scope, ...rest }: Listing): ListingSearch {
  return readListing({ ...rest, reviews: scope })
}
