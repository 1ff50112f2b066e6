import { Check, Repeat2 } from 'lucide-react'
import { Button } from '#client/ui/button.tsx'
import type { Progress } from '#shared/contracts/progress.ts'
import { t } from '#shared/domain/message.ts'
import { ShareBar } from '#client/titles/share-bar.tsx'
import { useMark, useWatchAgain } from './hooks.ts'
import { episodeCode } from '#client/titles/episode-code.ts'
import { seasonName } from '#client/titles/part-name.ts'
import { watchedText } from './texts.ts'

export function ProgressLine({
  showId,
  progress,
  firstSeason,
}: {
  showId: number
  progress: Progress
  firstSeason: number
}) {
  const mark = useMark(showId)
  const { airedCount, playedCount } = progress
  const next = nextOf(progress)
  if (airedCount === 0) return null
  return (
    <div
      role="group"
      aria-label="Your progress"
      className="card mb-4 flex flex-wrap items-center gap-x-6 gap-y-4 py-4!"
    >
      <div className="min-w-[min(14rem,100%)] grow basis-0">
        <p className="text-label tabular-nums">
          {watchedText(playedCount, Math.max(airedCount, playedCount))}
        </p>
        <ShareBar value={playedCount} max={airedCount} className="mt-2" />
        <p className="mt-2 text-meta wrap-anywhere text-muted">{hint(progress)}</p>
      </div>
      {next === null ? (
        progress.status === 'finished' && progress.pass > 0 ? (
          <WatchAgain showId={showId} season={firstSeason} />
        ) : null
      ) : (
        <Button
          variant="primary"
          icon={<Check aria-hidden />}
          busy={mark.isPending}
          onClick={() => mark.mutate({ isWatched: true, episode: next })}
        >
          {t`Watched ${episodeCode(next)}`}
        </Button>
      )}
    </div>
  )
}

function WatchAgain({ showId, season }: { showId: number; season: number }) {
  const again = useWatchAgain(showId, season)
  return (
    <Button icon={<Repeat2 aria-hidden />} busy={again.isPending} onClick={() => again.mutate()}>
      Watch again
    </Button>
  )
}

/** Who logged the whole show, without episodes, has none to watch next. */
export function nextOf({ next, pass, status }: Progress): Progress['next'] {
  return pass === 0 && status === 'finished' ? null : next
}

function hint(progress: Progress) {
  const { newSeason, airedCount, episodeCount, pass } = progress
  const next = nextOf(progress)
  if (newSeason !== null) return t`${seasonName(newSeason)} has begun.`
  if (next !== null) {
    const name = next.name === '' ? episodeCode(next) : next.name
    return (
      <span>
        Next: <bdi>{name}</bdi>
      </span>
    )
  }
  if (pass === 0) return t`You logged the show as watched, without its episodes.`
  return episodeCount > airedCount ? t`You are up to date.` : t`You have watched all of it.`
}
