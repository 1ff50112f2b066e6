import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { Check } from 'lucide-react'
import { titlePath } from '#client/app/kinds.ts'
import type { RouterOutputs } from '#client/app/trpc.ts'
import { TitlePoster } from '#client/titles/title-card.tsx'
import { IconButton } from '#client/ui/button.tsx'
import { kinds } from '#shared/domain/kinds.ts'
import { plural, t } from '#shared/domain/message.ts'
import { useMark } from './hooks.ts'
import { ProgressBar } from './progress-bar.tsx'
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
    <li
      data-kind={title.kind}
      className={clsx(
        'relative flex items-center gap-3.5 rounded-card border border-line bg-surface p-2.5 hover:border-edge',
        className,
      )}
    >
      <div className="w-12 shrink-0">
        <TitlePoster title={title} sizes="3rem" />
      </div>
      <div className="min-w-0 grow">
        <Link
          to={titlePath(kinds[title.kind], title.id)}
          dir="auto"
          className="block truncate text-label after:absolute after:inset-0 after:rounded-card"
        >
          <bdi>{title.name}</bdi>
        </Link>
        <p dir="auto" className="truncate text-meta">
          {name}
        </p>
        <div className="mt-1 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-meta text-muted">
          {newSeason === null ? null : <span className="font-semibold text-accent">New season</span>}
          <span className="tabular-nums">
            {plural(leftCount, { one: '# episode left', other: '# episodes left' })}
          </span>
        </div>
        <ProgressBar
          value={progress.playedCount}
          max={progress.playedCount + leftCount}
          className="mt-1.5 max-w-60"
        />
      </div>
      <IconButton
        variant="outline"
        label={t`Watched: ${title.name} ${name}`}
        className="relative"
        busy={mark.isPending}
        onClick={() => mark.mutate({ isWatched: true, episode })}
      >
        <Check aria-hidden />
      </IconButton>
    </li>
  )
}
