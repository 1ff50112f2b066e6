import { Link } from '@tanstack/react-router'
import { titlePath } from '#client/app/kinds.ts'
import { LoadError } from '#client/app/load-error.tsx'
import { useSession } from '#client/app/session.ts'
import { TitleCard, TitlePoster } from '#client/titles/title-card.tsx'
import { MyRating } from '#client/titles/my-rating.tsx'
import { TitleOverlay } from '#client/titles/title-overlay.tsx'
import { type RouterOutputs, trpc } from '#client/app/trpc.ts'
import { useFormats } from '#client/ui/formats.ts'
import { RenderedLater } from '#client/ui/hydration.ts'
import { PosterGrid, PosterGridSkeleton } from '#client/ui/poster-grid.tsx'
import { Section, SectionLink } from '#client/ui/section.tsx'
import { Stars } from '#client/ui/stars.tsx'
import { Time } from '#client/ui/time.tsx'
import { kinds } from '#shared/domain/kinds.ts'
import { excerptFor } from '#shared/domain/spoilers.ts'
import { withheldText } from './withheld-reason.ts'
import { formatAverage } from './histogram.ts'
import { RatingBars } from './rating-bars.tsx'
import { t } from '#shared/domain/message.ts'

type Review = RouterOutputs['reviews']['ofUser']['reviews'][number]

export function ProfileRatings({ userId, name }: { userId: number; name: string }) {
  const recent = trpc.reviews.ofUser.useQuery({ id: userId, limit: 6 })
  const texts = trpc.reviews.ofUser.useQuery({ id: userId, hasText: true, limit: 3 })
  const params = { userId: String(userId) }
  if (recent.data?.total === 0) return null
  return (
    <RenderedLater>
      <Section
        title="Recent ratings"
        className="-m-4 p-4 lazy-paint [--lazy-height:35rem] lg:[--lazy-height:26rem]"
        action={
          <SectionLink render={<Link to="/user/$userId/reviews" params={params} />}>All ratings</SectionLink>
        }
      >
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-[minmax(0,1fr)_15rem] lg:gap-8">
          {recent.isPending ? (
            <PosterGridSkeleton row count={6} />
          ) : recent.data === undefined ? (
            <LoadError title="The ratings did not load" error={recent.error} onRetry={recent.refetch} />
          ) : (
            <Wall userId={userId} reviews={recent.data.reviews} />
          )}
          <Distribution userId={userId} name={name} />
        </div>
      </Section>
      {texts.data && texts.data.reviews.length > 0 ? (
        <Section
          title="Recent reviews"
          className="-m-4 p-4 lazy-paint [--lazy-height:35rem] lg:[--lazy-height:15rem]"
          action={
            texts.data.total > texts.data.reviews.length ? (
              <SectionLink
                render={<Link to="/user/$userId/reviews" params={params} search={{ text: 'yes' }} />}
              >
                All reviews
              </SectionLink>
            ) : null
          }
        >
          <ul className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-3">
            {texts.data.reviews.map((review) => (
              <ReviewCard key={review.id} review={review} />
            ))}
          </ul>
        </Section>
      ) : null}
    </RenderedLater>
  )
}

function Wall({ userId, reviews }: { userId: number; reviews: readonly Review[] }) {
  const isOwn = useSession()?.user.id === userId
  return (
    <PosterGrid row label="Recent ratings">
      {reviews.map(({ id, title, rating }) => (
        <TitleCard
          key={id}
          title={title}
          sizes="(min-width: 640px) 9rem, 38vw"
          stars={<Stars value={rating} />}
          overlay={<TitleOverlay {...title} hasStars={!isOwn} isTheirs={!isOwn} />}
        >
          {isOwn ? undefined : <MyRating {...title} />}
        </TitleCard>
      ))}
    </PosterGrid>
  )
}

function Distribution({ userId, name }: { userId: number; name: string }) {
  const { data } = trpc.reviews.histogramsOfUser.useQuery({ id: userId })
  const { decimal } = useFormats()
  if (!data || data.all.total === 0) return null
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] items-end gap-5 lg:grid-cols-[minmax(0,1fr)] lg:content-start lg:gap-2">
      <p>
        <span className="font-display text-figure tabular-nums">{formatAverage(data.all.avg, decimal)}</span>{' '}
        <span className="block text-meta text-muted">on average</span>
      </p>
      <RatingBars
        ratings={data.all}
        label={t`Ratings by ${name}`}
        className="h-28 lg:h-40"
        render={(stars) => (
          <Link to="/user/$userId/reviews" params={{ userId: String(userId) }} search={{ rating: stars }} />
        )}
      />
    </div>
  )
}

function ReviewCard({ review }: { review: Review }) {
  const { id, title, rating, createdAt } = review
  const isOwn = useSession()?.user.id === review.userId
  return (
    <li
      data-kind={title.kind}
      className="relative flex gap-4 rounded-card border border-line bg-surface p-4 transition-colors hover:border-edge"
    >
      <TitlePoster
        title={title}
        sizes="4rem"
        noImageText=""
        className="w-16! shrink-0 self-start rounded-item!"
      />
      <div className="min-w-0 grow">
        <h3 className="text-label wrap-anywhere">
          <Link
            to={titlePath(kinds[title.kind], title.id)}
            search={{ review: id } as never}
            className="after:absolute after:inset-0 after:rounded-card focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-focus"
          >
            <bdi>{title.name}</bdi>
          </Link>
        </h3>
        <p className="mt-0.5 flex flex-wrap items-center gap-x-2 text-meta text-muted">
          <Stars value={rating} />
          <Time value={createdAt} />
        </p>
        <p dir="auto" className="mt-1.5 line-clamp-4 text-meta wrap-anywhere text-pretty">
          {excerptFor(review, isOwn) || (
            <span className="text-muted">
              {review.isWithheld ? withheldText(review.safeUpTo ?? {}) : t`The review contains spoilers.`}
            </span>
          )}
        </p>
      </div>
    </li>
  )
}
