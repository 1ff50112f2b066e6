import type { RouterOutputs } from '#client/app/trpc.ts'
import { plural } from '#shared/domain/message.ts'
import { ShareBar } from '#client/titles/share-bar.tsx'
import { StripCard } from '#client/titles/strip-card.tsx'
import { episodeTitle } from '#client/titles/part-name.ts'
import { MarkButton } from './mark-button.tsx'

type Entry = RouterOutputs['progress']['upNext']['entries'][number]

/** The next episode of a show, and one press for it. */
export function UpNextRow({
  entry: { title, episode, progress, leftCount, newSeason },
  className,
}: {
  entry: Entry
  className?: string | undefined
}) {
  const name = episodeTitle(episode)
  return (
    <StripCard title={title} className={className} action={<MarkButton title={title} episode={episode} />}>
      <p dir="auto" className="truncate text-meta">
        {name}
      </p>
      <div className="mt-1 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-meta text-muted">
        {newSeason === null ? null : <span className="font-semibold text-accent">New season</span>}
        <span className="tabular-nums">
          {plural(leftCount, { one: '# episode left', other: '# episodes left' })}
        </span>
      </div>
      <ShareBar
        value={progress.playedCount}
        max={progress.playedCount + leftCount}
        className="mt-1.5 max-w-60"
      />
    </StripCard>
  )
}
