import { Link } from '@tanstack/react-router'
import { titlePath } from '#client/app/kinds.ts'
import { getSession } from '#client/app/session.ts'
import { TitlePoster } from '#client/titles/title-card.tsx'
import { trpc } from '#client/app/trpc.ts'
import { Stars } from '#client/ui/stars.tsx'
import { snippetMax } from '#shared/domain/limits.ts'
import { kinds } from '#shared/domain/kinds.ts'
import { withoutSpoilers } from '#shared/domain/spoilers.ts'
import { reviewsInput, usePopularOfAll } from './popular-data.ts'
import { truncate } from '#shared/texts/truncate.ts'

export function OneReview() {
  const {
    entries: [first],
  } = usePopularOfAll()
  const { data } = trpc.reviews.list.useQuery(reviewsInput(first?.id ?? 0), {
    // Members see their own part of the page as soon as it is hydrated.
    enabled: first !== undefined && getSession() === null,
    staleTime: 600_000,
  })
  const review = data?.reviews.find((one) => withoutSpoilers(one) !== '')
  if (first === undefined || review === undefined) return null
  return (
    <figure data-kind={first.kind} className="card flex gap-4 sm:gap-6">
      <div className="w-18 shrink-0 sm:w-28">
        <TitlePoster title={first} sizes="(min-width: 40rem) 7rem, 4.5rem" />
      </div>
      <div className="min-w-0">
        <Stars value={review.rating} />
        <blockquote dir="auto" className="mt-2 line-clamp-5 max-w-[40em] text-lead wrap-anywhere">
          {truncate(withoutSpoilers(review), 2 * snippetMax)}
        </blockquote>
        <figcaption className="mt-3 text-meta text-muted">
          <span className="text-ink">
            <bdi>{review.user.username}</bdi>
          </span>{' '}
          on{' '}
          <Link to={titlePath(kinds[first.kind], first.id)} className="link">
            <bdi>{first.name}</bdi>
          </Link>
        </figcaption>
      </div>
    </figure>
  )
}
