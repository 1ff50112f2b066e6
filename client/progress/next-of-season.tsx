import { Check } from 'lucide-react'
import { Button } from '#client/ui/button.tsx'
import { episodeTitle } from '#client/titles/part-name.ts'
import type { Episode } from '#shared/contracts/progress.ts'
import { AirDate } from './air-date.tsx'
import { useMark } from './hooks.ts'

/** In a notification about a new season: its next episode, and one press for it. */
export function NextOfSeason({
  showId,
  next,
}: {
  showId: number
  next: (Episode & { isAired: boolean }) | null
}) {
  const mark = useMark(showId)
  if (next === null) return null
  if (!next.isAired) return <AirDate episode={{ ...next, runtime: null }} className="text-meta text-muted" />
  const name = episodeTitle(next)
  return (
    <Button
      size="sm"
      icon={<Check aria-hidden />}
      busy={mark.isPending}
      onClick={() => mark.mutate({ isWatched: true, episode: next })}
    >
      Watched: <bdi>{name}</bdi>
    </Button>
  )
}
