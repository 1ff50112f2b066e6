import { Check } from 'lucide-react'
import type { RouterOutputs } from '#client/app/trpc.ts'
import { IconButton } from '#client/ui/button.tsx'
import { plural, t } from '#shared/domain/message.ts'
import { useMark } from './hooks.ts'
import { ShareBar } from '#client/titles/share-bar.tsx'
import { StripCard } from '#client/titles/strip-card.tsx'
import { episodeTitle } from './texts.ts'

type Entry = RouterOutputs['progress']['upNext']['entries'][number]

/** The next episode of a show, and one press for it. */
export function UpNextRow({
  entry: { title, episode, progress, leftCount, newSeason },
  className,
}: {
  entry: Entry
  className?: string | undefined
}) {
  const mark = useMark(title.id)
  const name = episodeTitle(episode)
  return (
    <StripCard
      title={title}
      className={className}
      action={
        <IconButton
          variant="outline"
          label={t`Watched: ${title.name} ${name}`}
          className="relative"
          busy={mark.isPending}
          onClick={() => mark.mutate({ isWatched: true, episode })}
        >
          <Check aria-hidden />
        </IconButton>
      }
    >
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
