import { Link } from '@tanstack/react-router'
import { TitleMarks } from '#client/title-marks.tsx'
import { titlePath } from '#client/kinds.ts'
import { AvatarStack } from '#client/ui/avatar.tsx'
import { ButtonLink } from '#client/ui/button.tsx'
import { useFormats } from '#client/ui/formats.ts'
import { PosterCard, PosterCardSkeleton } from '#client/ui/poster-card.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { Stars } from '#client/ui/stars.tsx'
import { VisuallyHidden } from '#client/ui/visually-hidden.tsx'
import { imageSrcSet } from '#shared/images.ts'
import { kinds } from '#shared/media.ts'
import type { FeedEntry } from './feed.ts'
import type { Rater } from './hooks.ts'

export function FeedCard({
  entry,
  raters,
  eager,
}: {
  entry: FeedEntry
  /** Undefined for entries whose raters are not loaded. */
  raters: readonly Rater[] | undefined
  eager: boolean
}) {
  const { kind, id, title, imageUrl, friendAvg, friendCount } = entry
  const { words } = kinds[kind]
  const { decimal } = useFormats()
  const average = decimal(friendAvg, 2)
  return (
    <PosterCard
      kind={kind}
      title={title}
      image={{
        src: imageUrl,
        srcSet: imageSrcSet(imageUrl),
        sizes: '(min-width: 640px) 11rem, 45vw',
      }}
      eager={eager}
      transitionName={`poster-${id}`}
      average={average}
      averageLabel="of your friends"
      marks={<TitleMarks kind={kind} id={id} name={title} />}
      // The link below leads to the same page, so only one of them is a tab stop.
      render={<Link to={titlePath(kinds[kind], id)} tabIndex={-1} />}
      meta={`${friendCount} ${friendCount === 1 ? 'rating' : 'ratings'} · ${words.one}`}
      // Aligns the content under the titles of a row at the bottom.
      className="h-full [&>div:last-child]:mt-auto [&>div:last-child]:pt-1.5"
    >
      {raters === undefined ? null : (
        <div className="mb-2 h-8">
          {raters.length === 0 ? null : (
            <AvatarStack
              people={raters.map(({ id, username, avatarUrl }) => ({ id, name: username, src: avatarUrl }))}
              render={(rater) => <Link to="/user/$userId" params={{ userId: String(rater.id) }} />}
            />
          )}
        </div>
      )}
      <Stars value={friendAvg} label={`${average} out of 5 stars from your friends`} />
      <ButtonLink size="sm" className="mt-2" render={<Link to={titlePath(kinds[kind], id)} />}>
        {words.open}
        <VisuallyHidden> {title}</VisuallyHidden>
      </ButtonLink>
    </PosterCard>
  )
}

export function FeedCardSkeleton() {
  return (
    <>
      <PosterCardSkeleton />
      <Skeleton className="mt-2 h-7 w-2/5 rounded-full" />
      <Skeleton className="mt-3 h-4 w-3/5 rounded-full" />
      <Skeleton className="mt-3 h-9 w-20 rounded-full" />
    </>
  )
}
