import { CheckCheck } from 'lucide-react'
import { Button } from '#client/ui/button.tsx'
import { episodeTitle } from '#client/titles/part-name.ts'
import type { ShownEpisode } from '#shared/contracts/progress.ts'
import { t } from '#shared/domain/message.ts'
import { useMark } from './hooks.ts'

export function UpToHere({
  showId,
  episode,
  isInRow = false,
}: {
  showId: number
  episode: ShownEpisode
  isInRow?: boolean
}) {
  const mark = useMark(showId)
  return (
    <Button
      variant={isInRow ? 'ghost' : 'soft'}
      size={isInRow ? 'sm' : 'md'}
      className={isInRow ? 'min-h-11 max-sm:w-11 max-sm:px-0!' : undefined}
      aria-label={t`Watched up to here: ${episodeTitle(episode)}`}
      title={t`Watched up to here`}
      icon={<CheckCheck aria-hidden />}
      busy={mark.isPending}
      onClick={() => mark.mutate({ isWatched: true, upTo: episode.id })}
    >
      {/* On each row at once, it would be louder than the names. */}
      <span
        className={
          isInRow
            ? 'max-sm:hidden sm:opacity-0 group-focus-within:opacity-100 group-hover:opacity-100'
            : undefined
        }
      >
        Watched up to here
      </span>
    </Button>
  )
}
