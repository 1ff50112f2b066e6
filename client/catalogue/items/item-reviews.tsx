import { CloudOff, MessageSquareText } from 'lucide-react'
import { type ComponentType, useRef, useState } from 'react'
import { errorText, type RouterOutputs } from '#client/trpc.ts'
import { Button } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { useFormats } from '#client/ui/formats.ts'
import { Pager } from '#client/ui/pager.tsx'
import { Section } from '#client/ui/section.tsx'
import { Skeleton, SkeletonText } from '#client/ui/skeleton.tsx'
import type { Kind } from '#shared/media.ts'
import { messages } from '#shared/messages.ts'
import { useItemReviews } from './hooks.ts'

type Review = RouterOutputs['reviews']['ofItem']['reviews'][number]

type Title = { kind: Kind; id: number }

/** Reviews are another noun's; the route brings how one is shown. */
export type ReviewItemType = ComponentType<{ title: Title; review: Review; onDeleted: () => void }>

/** The newest first. */
export function ItemReviews({ title, ReviewItem }: { title: Title; ReviewItem: ReviewItemType }) {
  const { count } = useFormats()
  const [page, setPage] = useState(1)
  const heading = useRef<HTMLHeadingElement>(null)
  const reviews = useItemReviews(title.id, page)
  const { pagination } = reviews.data ?? {}
  const focusHeading = () => heading.current?.focus()
  return (
    <Section
      title="Reviews"
      count={pagination === undefined ? undefined : count(pagination.total)}
      headingRef={heading}
    >
      {reviews.isPending ? <ReviewsSkeleton /> : null}
      {reviews.isError && reviews.data === undefined ? (
        <EmptyState
          tone="error"
          icon={<CloudOff aria-hidden />}
          title="The reviews did not load"
          action={<Button onClick={() => void reviews.refetch()}>Try again</Button>}
        >
          {errorText(reviews.error)}
        </EmptyState>
      ) : null}
      {reviews.data?.reviews.length === 0 ? (
        <EmptyState icon={<MessageSquareText aria-hidden />} title="No reviews yet">
          What people write about this title will live here. The first word is yours.
        </EmptyState>
      ) : null}
      {reviews.data?.reviews.length ? (
        <ol aria-busy={reviews.isPlaceholderData} className="stale divide-y divide-line">
          {reviews.data.reviews.map((review) => (
            <li key={review.id} className="py-6 first:pt-0">
              <ReviewItem title={title} review={review} onDeleted={focusHeading} />
            </li>
          ))}
        </ol>
      ) : null}
      <Pager
        page={page}
        pageCount={pagination?.totalPages ?? 0}
        label="Pages of reviews"
        className="mt-6"
        onPage={(to) => {
          setPage(to)
          focusHeading()
        }}
      />
    </Section>
  )
}

function ReviewsSkeleton() {
  return (
    <div role="status" aria-label={messages.loading} className="grid animate-appear gap-8">
      {[1, 2, 3].map((key) => (
        <div key={key} className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3.5">
          <Skeleton className="size-11 rounded-full" />
          <div className="grid gap-3 pt-3">
            <Skeleton className="h-4 w-48 rounded-full" />
            <SkeletonText lines={3} />
          </div>
        </div>
      ))}
    </div>
  )
}
