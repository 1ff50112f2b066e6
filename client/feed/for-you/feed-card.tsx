import { Link } from '@tanstack/react-router'
import { gridSizes, TitleCard } from '#client/titles/title-card.tsx'
import { TitleOverlay } from '#client/titles/title-overlay.tsx'
import { titlePath } from '#client/app/kinds.ts'
import { AvatarStack } from '#client/ui/avatar.tsx'
import { useFormats } from '#client/ui/formats.ts'
import { PosterCardSkeleton } from '#client/ui/poster-card.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { Stars } from '#client/ui/stars.tsx'
import { kinds } from '#shared/domain/kinds.ts'
import { type FeedEntry, reasonOf } from './feed.ts'
import { useRaters } from './hooks.ts'
import { plural, t } from '#shared/domain/message.ts'

export function FeedCard({
  entry,
  hasRaters,
  eager,
  onOpen,
}: {
  entry: FeedEntry
  hasRaters: boolean
  eager: boolean
  onOpen: (linkId: string) => void
}) {
  const { kind, id, friendAvg, friendCount, match } = entry
  const { words } = kinds[kind]
  const { decimal } = useFormats()
  const average = decimal(friendAvg, 2)
  const linkId = `pick-${kind}-${id}`
  return (
    <TitleCard
      title={entry}
      sizes={gridSizes}
      eager={eager}
      transitionName={`poster-${id}`}
      average={
        <>
          {average} <Stars value={friendAvg} label={t`${average} out of 5 stars from your friends`} />
        </>
      }
      overlay={<TitleOverlay {...entry} />}
      render={<Link id={linkId} to={titlePath(kinds[kind], id)} onClick={() => onOpen(linkId)} />}
      openText={words.open}
      meta={plural(friendCount, { one: `# rating · ${words.one}`, other: `# ratings · ${words.one}` })}
      className="h-full"
    >
      {hasRaters ? <Raters entry={entry} /> : null}
      {match === undefined ? null : (
        <p className="text-meta font-semibold tabular-nums">{match} % your taste</p>
      )}
    </TitleCard>
  )
}

/** Alone, so that the cards are not rendered again when the raters are loaded. */
function Raters({ entry }: { entry: FeedEntry }) {
  const raters = useRaters(entry) ?? []
  return (
    <div className="min-h-7">
      {raters.length === 0 ? null : (
        <AvatarStack people={raters.map(({ username, avatarUrl }) => ({ name: username, src: avatarUrl }))} />
      )}
      <p className="sr-only">
        {reasonOf(
          raters.map(({ username }) => username),
          entry.friendCount,
        )}
      </p>
    </div>
  )
}

export function FeedCardSkeleton() {
  return (
    <>
      <PosterCardSkeleton />
      <Skeleton className="mt-2 h-7 w-2/5 rounded-full" />
      <Skeleton className="mt-3 h-9 w-20 rounded-full" />
    </>
  )
}
