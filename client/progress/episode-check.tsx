import { episodeTitle } from '#client/titles/part-name.ts'
import type { ShownEpisode } from '#shared/contracts/progress.ts'
import { t } from '#shared/domain/message.ts'
import { useMark } from './hooks.ts'

/** One that has not aired cannot be marked. A play that an import brought can be taken back. */
export function EpisodeCheck({
  showId,
  episode,
  isPlayed,
}: {
  showId: number
  episode: ShownEpisode
  isPlayed: boolean
}) {
  const mark = useMark(showId, { isQuiet: true })
  return (
    <label className="grid size-11 shrink-0 cursor-pointer place-items-center">
      <input
        type="checkbox"
        aria-label={t`Watched: ${episodeTitle(episode)}`}
        className="size-5 accent-ink"
        checked={mark.isPending ? mark.variables.isWatched : isPlayed}
        disabled={!episode.isAired && !isPlayed}
        onChange={({ currentTarget }) => {
          if (!mark.isPending) mark.mutate({ isWatched: currentTarget.checked, episode })
        }}
      />
    </label>
  )
}
