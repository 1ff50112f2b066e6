import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { UsersRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { toMember } from '#client/app/links.ts'
import { LoadError } from '#client/app/load-error.tsx'
import { titlePath } from '#client/app/kinds.ts'
import { ShowMore } from '#client/app/show-more.tsx'
import { TitlePoster } from '#client/titles/title-card.tsx'
import { nextPage, type RouterOutputs, trpc } from '#client/app/trpc.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { RenderedLater } from '#client/ui/hydration.ts'
import { Section } from '#client/ui/section.tsx'
import { Stars } from '#client/ui/stars.tsx'
import { Time } from '#client/ui/time.tsx'
import { Skeletons } from '#client/ui/skeleton.tsx'
import { kinds } from '#shared/domain/kinds.ts'
import { t } from '#shared/domain/message.ts'
import { withoutSpoilers } from '#shared/domain/spoilers.ts'

type FollowingEntry = RouterOutputs['feed']['following']['entries'][number]

const pageSize = 7
const rowLayout =
  'scroll-row relative grid auto-cols-[8.5rem] grid-flow-col gap-4 py-1 lg:auto-cols-[calc((100%-6rem)/7)]'
const layout = 'grid grid-cols-[minmax(0,1fr)] gap-4 md:grid-cols-2'

/** `children` are shown below the empty state, unless nothing is (`hidesEmpty`). */
export function Activity({ hidesEmpty = false, children }: { hidesEmpty?: boolean; children?: ReactNode }) {
  const feed = trpc.feed.following.useInfiniteQuery({ limit: pageSize }, nextPage)
  const entries = feed.data?.pages.flatMap((page) => page.entries) ?? []
  // A rating without a text would leave a card half empty.
  const [reviews, ratings] = [true, false].map((hasText) =>
    entries.filter((entry) => (withoutSpoilers(entry) !== '') === hasText),
  ) as [FollowingEntry[], FollowingEntry[]]
  if (hidesEmpty && feed.data !== undefined && entries.length === 0) return null
  return (
    <Section title="New from people you follow">
      <RenderedLater>
        {feed.isPending ? (
          <Skeletons count={pageSize} each="h-67 rounded-card" className={rowLayout} />
        ) : feed.isLoadingError ? (
          <LoadError title="The news did not load" error={feed.error} onRetry={feed.refetch} />
        ) : entries.length === 0 ? (
          <>
            <EmptyState icon={<UsersRound aria-hidden />} title="Nothing new yet">
              Reviews and high ratings by the people you follow show up here.
            </EmptyState>
            {children}
          </>
        ) : (
          <>
            {reviews.length === 0 ? null : (
              <ul aria-label="New from people you follow" className={layout}>
                {reviews.map((entry, index) => (
                  <li key={entry.id} className="min-w-0">
                    <NewsCard entry={entry} eager={index < eagerCount} />
                  </li>
                ))}
              </ul>
            )}
            {ratings.length === 0 ? null : (
              <ul
                aria-label="New ratings by people you follow"
                className={clsx(rowLayout, reviews.length > 0 && 'mt-5')}
              >
                {ratings.map((entry, index) => (
                  <li key={entry.id}>
                    <RatingCard entry={entry} eager={index < eagerCount} />
                  </li>
                ))}
              </ul>
            )}
            <ShowMore query={feed} className="mt-5" />
          </>
        )}
      </RenderedLater>
    </Section>
  )
}

const eagerCount = 3
type CardProps = { entry: FollowingEntry; eager: boolean }

function RatingCard({ entry: { user, title, rating }, eager }: CardProps) {
  return (
    <article
      data-kind={title.kind}
      aria-label={t`${user.username} on ${title.name}`}
      className="poster-card relative"
    >
      <TitlePoster title={title} sizes="8.5rem" eager={eager} />
      <p dir="auto" className="mt-1.5 truncate text-meta font-medium">
        <Link to={titlePath(kinds[title.kind], title.id)} className="card-link after:absolute after:inset-0">
          <bdi>{title.name}</bdi>
        </Link>
      </p>
      <Stars value={rating} className="text-meta" />
      <p dir="auto" className="truncate text-meta">
        <Link
          {...toMember(user.id)}
          dir="auto"
          className="relative z-1 inline-block max-w-full truncate py-1 text-muted hover:underline"
        >
          <bdi>{user.username}</bdi>
        </Link>
      </p>
    </article>
  )
}

function NewsCard({ entry, eager }: CardProps) {
  const { user, title, rating, createdAt } = entry
  const text = withoutSpoilers(entry)
  return (
    <article
      data-kind={title.kind}
      aria-label={t`${user.username} on ${title.name}`}
      className="relative flex h-full gap-4 rounded-card border border-line bg-surface p-3 transition-colors hover:border-edge"
    >
      <div className="w-18 shrink-0">
        <TitlePoster title={title} sizes="4.5rem" eager={eager} />
      </div>
      <div className="min-w-0 grow py-1">
        <p className="flex flex-wrap items-center gap-x-2 text-meta text-muted">
          <Avatar name={user.username} src={user.profilePicture} size="sm" />
          <Link
            {...toMember(user.id)}
            className="relative z-1 min-w-0 py-1 text-label text-ink wrap-anywhere hover:underline"
          >
            <bdi>{user.username}</bdi>
          </Link>
          <Time value={createdAt} relative />
        </p>
        <h3 className="mt-1 text-label wrap-anywhere">
          <Link
            to={titlePath(kinds[title.kind], title.id)}
            className="after:absolute after:inset-0 after:rounded-card focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-focus"
          >
            <bdi>{title.name}</bdi>
          </Link>
          {title.releaseYear === null ? null : (
            <span className="ms-1.5 font-normal text-muted tabular-nums">{title.releaseYear}</span>
          )}
        </h3>
        <Stars value={rating} className="mt-1 text-meta" />
        {text === '' ? null : (
          <p dir="auto" className="mt-1.5 line-clamp-3 text-meta wrap-anywhere">
            {text}
          </p>
        )}
      </div>
    </article>
  )
}
