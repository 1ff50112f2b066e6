import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { LoadError } from '#client/app/load-error.tsx'
import { partCode } from '#client/titles/part-name.ts'
import { useDates } from '#client/ui/dates.ts'
import { Section, SectionLink } from '#client/ui/section.tsx'
import { partOf, type Review, useReview } from './hooks.ts'
import { ReviewItem } from './review-item.tsx'
import { hasPage, type ReviewedTitle, reviewedPath } from './title.ts'
import { t } from '#shared/domain/message.ts'

/** Renders nothing without such a review of this title. Its `key` must be the id. */
export function PinnedReview({
  title,
  id,
  className,
}: {
  title: ReviewedTitle
  id: number
  className: string
}) {
  const { review, ...query } = useReview(title, id)
  const heading = useRef<HTMLHeadingElement>(null)
  const { isHydrated } = useDates()
  // A click on a permalink moves the focus to its review; a page that the server rendered starts at its top.
  const wasRendered = useRef(!isHydrated)
  const isLoaded = Boolean(review)
  useEffect(() => {
    if (isLoaded && !wasRendered.current) heading.current?.focus()
  }, [isLoaded])

  // Loaders wait for the review.
  if (!review && query.error === null) return null
  const about = review?.about ?? null
  const subject = about ? { ...title, part: partOf(about) } : title
  return (
    <div className={className}>
      <Section
        title={review ? headingOf(review, title) : t`Review`}
        headingRef={heading}
        action={
          <SectionLink
            render={
              <Link
                to={reviewedPath(subject)}
                search={{}}
                hash={hasPage(subject) ? 'reviews' : 'seasons'}
                viewTransition={false}
              />
            }
          >
            See all reviews
          </SectionLink>
        }
        className="card border-s-4 border-s-star"
      >
        {review ? (
          <ReviewItem
            title={subject}
            review={review}
            onDeleted={() => document.querySelector<HTMLElement>('#reviews h2')?.focus()}
          />
        ) : (
          <LoadError title="The review did not load" error={query.error} onRetry={query.refetch} />
        )}
      </Section>
    </div>
  )
}

/** The page of a show says which part the review is about. */
function headingOf({ about, user }: Review, { part }: ReviewedTitle): string {
  if (about === null || part !== undefined) return t`Review by ${user.username}`
  const name = partCode(about)
  return t`${name}: review by ${user.username}`
}
