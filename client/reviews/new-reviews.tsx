import { type Mutation, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { ArrowUp } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useSession } from '#client/session.ts'
import { errorText, trpc } from '#client/trpc.ts'
import { Button } from '#client/ui/button.tsx'
import { useFormats } from '#client/ui/formats.ts'
import { toasts } from '#client/ui/toast.tsx'
import { inputOf } from './hooks.ts'
import { followTitle } from './live.ts'
import { ratingsOf, type Review } from './queries.ts'
import { isAbout, type Listing, type Title, titleKey } from './title.ts'

const listPath = 'reviews.list'
const ratingChanges = new Set(['reviews.save', 'reviews.edit', 'reviews.remove'])

/**
 * Follows a title while it is shown: its ratings move where they stand, and of new reviews it tells in a pill, which
 * lies over the page so that nothing moves. `onShow` brings the first page of the list into view.
 */
export function NewReviews({
  title,
  listing,
  onShow,
}: {
  title: Title
  listing: Listing
  onShow: () => void
}) {
  const arrived = useArrivals(title, listing)
  const { count } = useFormats()
  const { reviews } = trpc.useUtils()
  const [isLoading, setIsLoading] = useState(false)

  async function show() {
    setIsLoading(true)
    try {
      await reviews.list.fetch({ ...titleKey(title), ...listing, page: 1 }, { staleTime: 0 })
      onShow()
    } catch (error) {
      toasts.add({ tone: 'error', title: 'The new reviews did not load', description: errorText(error) })
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
          {count(arrived)} new {arrived === 1 ? 'review' : 'reviews'}
        </Button>
      )}
    </div>
  )
}

/** How many reviews by others have come that the list would hold, were it read anew. */
function useArrivals(title: Title, { scope }: Listing): number {
  const { kind, id } = title
  const utils = trpc.useUtils()
  const queryClient = useQueryClient()
  const userId = useSession()?.user.id
  /** The author of each. */
  const [arrivals, setArrivals] = useState<ReadonlyMap<number, number>>(new Map())

  useEffect(() => {
    const lists = {
      predicate: ({ queryKey }: { queryKey: QueryKey }) =>
        pathOf(queryKey) === listPath && isAbout({ kind, id }, inputOf(queryKey)),
    }
    const isInList = (reviewId: number) =>
      queryClient
        .getQueriesData<{ reviews: Review[] }>(lists)
        .some(([, data]) => data?.reviews.some((review) => review.id === reviewId))

    return followTitle({ kind, id }, ({ ratings, reviews }) => {
      // What the member changes at this moment shows already, and is read anew after it.
      const isOfRatings = ({ options }: Mutation) => ratingChanges.has(pathOf(options.mutationKey) ?? '')
      if (queryClient.isMutating({ predicate: isOfRatings }) === 0)
        ratingsOf(utils, { kind, id }).ratingHistogram.setData({ id }, ratings)
      if (reviews.length === 0) return
      // Other pages of the list are read anew when they are turned to.
      void queryClient.invalidateQueries({ ...lists, type: 'inactive', refetchType: 'none' })
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
  }, [kind, id, queryClient, utils])

  // Whoever has the first page anew has seen them; what is patched in the kept one (`manual`) is no news.
  useEffect(
    () =>
      queryClient.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual) return
        const { queryKey } = event.query
        const input = inputOf(queryKey) as Partial<Listing> | undefined
        if (pathOf(queryKey) === listPath && input?.page === 1 && isAbout({ kind, id }, input))
          setArrivals(new Map())
      }),
    [kind, id, queryClient],
  )

  const others = [...arrivals.values()].filter((author) => author !== userId)
  const follows = trpc.useQueries((t) =>
    scope === 'network' ? others.map((author) => t.social.followStatus({ id: author })) : [],
  )
  return scope === 'network' ? follows.filter(({ data }) => data?.isFollowing).length : others.length
}

/** tRPC keeps the path of a procedure in the first part of its keys. */
function pathOf(key: readonly unknown[] | undefined): string | undefined {
  return (key?.[0] as string[] | undefined)?.join('.')
}
