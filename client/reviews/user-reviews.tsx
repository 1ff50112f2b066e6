import { clsx } from 'clsx'
import { MessageSquareText } from 'lucide-react'
import { cloneElement, type MouseEvent, type ReactElement, useEffect, useRef } from 'react'
import { LoadError } from '#client/app/load-error.tsx'
import { useSession } from '#client/app/session.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { useFormats } from '#client/ui/formats.ts'
import { RenderedLater } from '#client/ui/hydration.ts'
import { lazyComponent, whenIdle } from '#client/ui/lazy.ts'
import { Pager, PageStatus } from '#client/ui/pager.tsx'
import { Section } from '#client/ui/section.tsx'
import { Segmented } from '#client/ui/segmented.tsx'
import { Select } from '#client/ui/select.tsx'
import { type Review, useMyReview, useRatings, useReviews } from './hooks.ts'
import { ReviewItem } from './review-item.tsx'
import { ReviewsSkeleton } from './reviews-skeleton.tsx'
import type { SortBy } from '#shared/contracts/reviews.ts'
import { reviewPath, useDeleted } from '#client/app/deleted.ts'
import type { Listing, Order } from './listing.ts'
import { audiences } from './audiences.ts'
import { hasPage, type ReviewedTitle } from './title.ts'
import { plural, t } from '#shared/domain/message.ts'

const { Component: NewReviews, load } = lazyComponent(
  async () => (await import('./new-reviews.tsx')).NewReviews,
)

const sorts: readonly { value: SortBy; label: string }[] = [
  { value: 'createdAt', label: t`Date` },
  { value: 'rating', label: t`Rating` },
  { value: 'likeCount', label: t`Likes` },
]
const orders: Record<SortBy, readonly { value: Order; label: string }[]> = {
  createdAt: [
    { value: 'desc', label: t`Newest first` },
    { value: 'asc', label: t`Oldest first` },
  ],
  rating: [
    { value: 'desc', label: t`Highest first` },
    { value: 'asc', label: t`Lowest first` },
  ],
  likeCount: [
    { value: 'desc', label: t`Most first` },
    { value: 'asc', label: t`Fewest first` },
  ],
}

type Props = {
  title: ReviewedTitle
  listing: Listing
  onListing: (change: Partial<Listing>) => void
  /** Without it, the pages are buttons and the list cannot be sorted. */
  pageLink?: ((page: number) => ReactElement) | undefined
}

export function UserReviews({
  heading: headingText = t`User Reviews`,
  className,
  ...props
}: Props & { heading?: string; className?: string }) {
  const { title, listing, onListing, pageLink } = props
  const isMember = useSession() !== null
  const reviews = useReviews(title, listing)
  const heading = useRef<HTMLHeadingElement>(null)
  const { count } = useFormats()

  useEffect(() => whenIdle(load), [])

  const { pagination } = reviews.data ?? {}
  const deleted = useDeleted()
  const isShown = ({ id }: { id: number }) => !deleted.has(reviewPath(id))
  const listed = reviews.data?.reviews.filter(isShown) ?? []
  const total = pagination && pagination.total - (reviews.data?.reviews.length ?? 0) + listed.length
  const mine = useMyReview(title).data
  const isFirst = listing.page === 1 && listing.scope === 'overall'
  const own = isFirst && mine && mine.text !== '' ? mine : undefined
  const shown = listed.filter(({ id }) => id !== own?.id)
  return (
    <Section
      id={hasPage(title) ? 'reviews' : undefined}
      title={headingText}
      count={total === undefined ? undefined : count(total)}
      headingRef={heading}
      className={className}
    >
      {pageLink === undefined ? null : (
        <div className="mb-11 flex flex-wrap items-center gap-2">
          {isMember ? (
            <div className="me-auto max-sm:w-full">
              <Segmented
                label="Whose reviews"
                value={listing.scope}
                onChange={(scope) => onListing({ scope, page: 1 })}
                options={audiences}
              />
            </div>
          ) : null}
          <Select
            label="Sort by"
            hideLabel
            value={listing.sortBy}
            onChange={(sortBy) => onListing({ sortBy, page: 1 })}
            options={sorts}
          />
          <Select
            label="Order"
            hideLabel
            value={listing.order}
            onChange={(order) => onListing({ order, page: 1 })}
            options={orders[listing.sortBy]}
          />
        </div>
      )}
      <PageStatus pagination={pagination} isLoading={reviews.isPlaceholderData} />
      <NewReviews
        title={title}
        listing={listing}
        onShow={() => {
          if (listing.page > 1) onListing({ page: 1 })
          heading.current?.focus()
        }}
      />
      <ReviewList
        {...props}
        reviews={reviews}
        shown={shown}
        own={own}
        total={total ?? 0}
        onDeleted={() => heading.current?.focus()}
      />
      <Pager
        page={listing.page}
        pageCount={pagination?.totalPages ?? 0}
        label="Pages of reviews"
        className="mt-8"
        render={
          pageLink &&
          ((page) =>
            cloneElement(pageLink(page) as ReactElement<{ onClick?: (event: MouseEvent) => void }>, {
              // With a modifier key, the link opens in another tab.
              onClick: ({ metaKey, ctrlKey, shiftKey }) => {
                if (!metaKey && !ctrlKey && !shiftKey) heading.current?.focus()
              },
            }))
        }
        onPage={(page) => {
          onListing({ page })
          heading.current?.focus()
        }}
      />
    </Section>
  )
}

function ReviewList({
  title,
  listing,
  onListing,
  reviews,
  shown,
  own,
  total,
  onDeleted,
}: Props & {
  reviews: ReturnType<typeof useReviews>
  shown: Review[]
  own: Review | undefined
  total: number
  onDeleted: () => void
}) {
  const isMember = useSession() !== null
  const ratings = useRatings(title).overall.data?.total ?? 0
  if (reviews.isPending) return <ReviewsSkeleton />
  if (reviews.isLoadingError)
    return <LoadError title="The reviews did not load" error={reviews.error} onRetry={reviews.refetch} />
  const { isPlaceholderData } = reviews
  if (shown.length > 0 || own !== undefined)
    return (
      <ol aria-busy={isPlaceholderData} className="stale divide-y divide-line">
        {own === undefined ? null : (
          <li className="mb-3 rounded-card border-b-0! border-s-4 border-s-star bg-surface p-4 pt-3">
            <ReviewItem title={title} review={own} onDeleted={onDeleted} />
          </li>
        )}
        {shown.map((review) => (
          <li key={review.id} className="py-6 first:pt-0 last:pb-0">
            <RenderedLater>
              <div className="-m-4 p-4 lazy-paint [--lazy-height:14rem]">
                <ReviewItem title={title} review={review} onDeleted={onDeleted} />
              </div>
            </RenderedLater>
          </li>
        ))}
      </ol>
    )
  if (total > 0)
    return (
      <EmptyState
        icon={<MessageSquareText aria-hidden />}
        title="This page is empty"
        action={<Button onClick={() => onListing({ page: 1 })}>Back to the first page</Button>}
      >
        There are fewer reviews than there were, or all on this page are by members whose reviews you do not
        see.
      </EmptyState>
    )
  return (
    <EmptyState
      icon={<MessageSquareText aria-hidden />}
      title={
        listing.scope === 'network'
          ? t`Nobody you follow has reviewed this yet`
          : ratings > 0
            ? plural(ratings, {
                one: '# person rated it; nobody has put it into words yet',
                other: '# people rated it; nobody has put it into words yet',
              })
            : t`No reviews yet`
      }
      className={clsx(isPlaceholderData && 'opacity-60')}
      action={
        listing.scope === 'network' ? (
          <Button onClick={() => onListing({ scope: 'overall', page: 1 })}>Show everyone’s</Button>
        ) : isMember && hasPage(title) && !title.isGone ? (
          <ButtonLink href="#take">Write the first one</ButtonLink>
        ) : undefined
      }
    >
      {listing.scope === 'network'
        ? t`Their reviews will appear here.`
        : title.part === undefined
          ? t`Reviews of this title will appear here.`
          : 'seasonId' in title.part
            ? t`Reviews of this season will appear here.`
            : t`Reviews of this episode will appear here.`}
    </EmptyState>
  )
}
