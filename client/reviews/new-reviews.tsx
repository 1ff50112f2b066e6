import { type Mutation, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { ArrowUp } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { changed } from '#client/app/facts.ts'
import { useSession } from '#client/app/session.ts'
import { procedurePath, queryInput } from '#client/app/query-keys.ts'
import { showFailure, trpc } from '#client/app/trpc.ts'
import { Button } from '#client/ui/button.tsx'
import { useSite } from '#client/app/site.ts'
import { followTitle } from './live.ts'
import { ratingsRouter, type Review } from './queries.ts'
import type { Listing } from './listing.ts'
import { isAbout, type ReviewedTitle, reviewedKey } from './title.ts'
import type { PartKey } from '#shared/contracts/reviews.ts'
import { plural, t } from '#shared/domain/message.ts'

const listPath = 'reviews.list'
const ratingChanges = new Set(['reviews.save', 'reviews.edit'])

/** Announces new reviews in a pill over the page, so that the layout does not shift. */
export function NewReviews({
  title,
  listing,
  onShow,
}: {
  title: ReviewedTitle
  listing: Listing
  onShow: () => void
}) {
  const arrived = useArrivals(title, listing)
  const { reviews } = trpc.useUtils()
  const [isLoading, setIsLoading] = useState(false)

  async function show() {
    setIsLoading(true)
    try {
      await reviews.list.fetch({ ...reviewedKey(title), ...listing, page: 1 }, { staleTime: 0 })
      onShow()
    } catch (error) {
      showFailure(t`The new reviews did not load`, error)
    }
    setIsLoading(false)
  }

  return (
    <div role="status" className="sticky top-28 z-10 h-0">
      {arrived === 0 ? null : (
        <Button
          variant="outline"
          size="sm"
          icon={<ArrowUp aria-hidden className="text-accent" />}
          busy={isLoading}
          onClick={() => void show()}
          className="absolute -top-10 left-1/2 -translate-x-1/2 shadow-float after:absolute after:-inset-x-1 after:top-0 after:-bottom-2 starting:scale-[0.97] starting:opacity-0"
        >
          {plural(arrived, { one: '# new review', other: '# new reviews' })}
        </Button>
      )}
    </div>
  )
}

/** New reviews by others that a refetch would add. */
function useArrivals(title: ReviewedTitle, { scope }: Listing): number {
  const { kind, id, part } = title
  const [partKey, partId] = Object.entries(part ?? {})[0] ?? []
  const reviewed = useMemo<ReviewedTitle>(
    () => ({ kind, id, part: partKey === undefined ? undefined : ({ [partKey]: partId } as PartKey) }),
    [kind, id, partKey, partId],
  )
  const utils = trpc.useUtils()
  const queryClient = useQueryClient()
  const userId = useSession()?.user.id
  const { visitorsMayRead } = useSite()
  const [arrivals, setArrivals] = useState<ReadonlyMap<number, number>>(new Map())

  useEffect(() => {
    const lists = {
      predicate: ({ queryKey }: { queryKey: QueryKey }) =>
        procedurePath(queryKey) === listPath && isAbout(reviewed, queryInput(queryKey)),
    }
    const isInList = (reviewId: number) =>
      queryClient
        .getQueriesData<{ reviews: Review[] }>(lists)
        .some(([, data]) => data?.reviews.some((review) => review.id === reviewId))

    return followTitle(reviewed, { needsToken: !visitorsMayRead }, ({ ratings, reviews }) => {
      // The cache has the optimistic update of the member's own change, which invalidates it when it is done.
      const isOfRatings = ({ options }: Mutation) =>
        ratingChanges.has(procedurePath(options.mutationKey) ?? '')
      if (queryClient.isMutating({ predicate: isOfRatings }) === 0) {
        if (partId === undefined) ratingsRouter(utils, { kind, id }).ratingHistogram.setData({ id }, ratings)
        // Of a season, the cache has no such data.
        else
          utils.progress.episode.setData({ id: partId }, (data) => {
            if (!data) return data
            const { avg, total } = ratings
            return { ...data, episode: { ...data.episode, avg, count: total } }
          })
      }
      if (reviews.length === 0) return
      // Other pages of the list are refetched when they are opened.
      void changed('othersReview', partId ?? id)
      const news = reviews.map((review) => ({ ...review, isNew: review.isListed && !isInList(review.id) }))
      setArrivals((before) => {
        const after = new Map(before)
        for (const { id, userId, isNew } of news) {
          if (isNew) after.set(id, userId)
          else after.delete(id)
        }
        return after
      })
    })
  }, [reviewed, kind, id, partId, visitorsMayRead, queryClient, utils])

  // A refetch of the first page shows them; patches of the cache (`manual`) do not.
  useEffect(
    () =>
      queryClient.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual) return
        const { queryKey } = event.query
        const input = queryInput(queryKey) as Partial<Listing> | undefined
        if (procedurePath(queryKey) === listPath && input?.page === 1 && isAbout(reviewed, input))
          setArrivals(new Map())
      }),
    [reviewed, queryClient],
  )

  const others = [...arrivals.values()].filter((author) => author !== userId)
  const follows = trpc.useQueries((t) =>
    scope === 'network' ? others.map((author) => t.social.followStatus({ id: author })) : [],
  )
  return scope === 'network' ? follows.filter(({ data }) => data?.isFollowing).length : others.length
}
