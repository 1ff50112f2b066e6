import { Link } from '@tanstack/react-router'
import { useContext, useState } from 'react'
import { LoadError } from '#client/app/load-error.tsx'
import { useRendered } from '#client/app/rendered.ts'
import { trpc } from '#client/app/trpc.ts'
import { Button } from '#client/ui/button.tsx'
import { Skeletons } from '#client/ui/skeleton.tsx'
import { episodeTitle, seasonName } from '#client/titles/part-name.ts'
import type { ShownEpisode } from '#shared/contracts/progress.ts'
import { t } from '#shared/domain/message.ts'
import { AirDate } from './air-date.tsx'
import { EpisodeCheck } from './episode-check.tsx'
import { PartRating } from './part-rating.ts'
import { UpToHere } from './up-to-here.tsx'

/** Of a season with more episodes, these are shown at first, and with each press. */
const step = 50
/** Shown before the next episode. */
const before = 5

export function EpisodeList({
  showId,
  number,
  nextId,
}: {
  showId: number
  number: number
  nextId: number | undefined
}) {
  const { data, error, refetch } = trpc.progress.season.useQuery({ id: showId, number })
  if (data !== undefined)
    return <Loaded showId={showId} number={number} episodes={data.episodes} nextId={nextId} />
  return (
    <div className="p-4">
      {error ? (
        <LoadError title={t`The episodes did not load`} error={error} onRetry={refetch} />
      ) : (
        <Skeletons count={4} each="h-12" />
      )}
    </div>
  )
}

function Loaded({
  showId,
  number,
  episodes,
  nextId,
}: {
  showId: number
  number: number
  episodes: readonly ShownEpisode[]
  nextId: number | undefined
}) {
  const [range, setRange] = useState(() => {
    const next = episodes.findIndex(({ id }) => id === nextId)
    const start = episodes.length <= step ? 0 : Math.max(0, next - before)
    return { start, end: start + step }
  })
  const rows = useRendered(episodes.slice(range.start, range.end))
  return (
    <>
      {range.start > 0 ? (
        <More onPress={() => setRange({ ...range, start: Math.max(0, range.start - step) })}>
          Earlier episodes
        </More>
      ) : null}
      <ol aria-label={seasonName(number)} className="divide-y divide-line">
        {rows.map((episode) => (
          <Row key={episode.id} showId={showId} episode={episode} />
        ))}
      </ol>
      {range.end < episodes.length ? (
        <More onPress={() => setRange({ ...range, end: range.end + step })}>More episodes</More>
      ) : null}
    </>
  )
}

function More({ onPress, children }: { onPress: () => void; children: string }) {
  return (
    <div className="p-3 text-center">
      <Button size="sm" onClick={onPress}>
        {children}
      </Button>
    </div>
  )
}

function Row({ showId, episode }: { showId: number; episode: ShownEpisode }) {
  const { number, name, isAired, avg, count, mine } = episode
  const ratingOf = useContext(PartRating)
  return (
    <li className="group flex min-h-14 flex-wrap items-center gap-1 px-2 py-1">
      {mine === null ? null : <EpisodeCheck showId={showId} episode={episode} isPlayed={mine.isPlayed} />}
      <span className="min-w-9 shrink-0 text-center text-meta text-muted tabular-nums">{number}</span>
      <div className="min-w-0 grow basis-0 px-1">
        <p className="text-label wrap-anywhere">
          <Link
            to="/episodes/$episodeId"
            params={{ episodeId: String(episode.id) }}
            className="rounded-sm hover:underline"
          >
            {name === '' ? t`Episode ${number}` : <bdi>{name}</bdi>}
          </Link>
        </p>
        <AirDate episode={episode} className="text-meta text-muted" />
      </div>
      {mine === null || mine.isPlayed || !isAired || episode.season === 0 ? null : (
        <UpToHere showId={showId} episode={episode} isInRow />
      )}
      {isAired
        ? ratingOf({
            title: {
              kind: 'tvShow',
              id: showId,
              part: { episodeId: episode.id },
              name: episodeTitle(episode),
            },
            avg,
            count,
            rating: mine?.rating,
          })
        : null}
    </li>
  )
}
