import { ChevronDown, CheckCheck } from 'lucide-react'
import { clsx } from 'clsx'
import { useContext, useId, useState } from 'react'
import { LoadError } from '#client/app/load-error.tsx'
import { useSession } from '#client/app/session.ts'
import { type RouterOutputs, trpc } from '#client/app/trpc.ts'
import { Button, IconButton } from '#client/ui/button.tsx'
import { Section } from '#client/ui/section.tsx'
import { Skeletons } from '#client/ui/skeleton.tsx'
import type { Season } from '#shared/contracts/progress.ts'
import { plural, t } from '#shared/domain/message.ts'
import { EpisodeCredit } from './episode-credit.tsx'
import { EpisodeList } from './episode-list.tsx'
import { useMark } from './hooks.ts'
import { ShareBar } from '#client/titles/share-bar.tsx'
import { seasonName } from '#client/titles/part-name.ts'
import { PartRating } from './part-rating.ts'
import { nextOf, ProgressLine } from './progress-line.tsx'
import { watchedText } from './texts.ts'

export function SeasonList({ id, className }: { id: number; className?: string | undefined }) {
  const { data, error, refetch } = trpc.progress.seasons.useQuery({ id })
  // Until it is refetched, a page that was rendered for visitors has their data.
  const isMember = useSession() !== null
  const isKnown = data !== undefined && !(isMember && data.progress === null)
  if (data?.seasons.length === 0) return null
  return (
    <Section id="seasons" title="Seasons" className={className}>
      {isKnown ? (
        <Loaded key={id} showId={id} {...data} />
      ) : error ? (
        <LoadError title={t`The seasons did not load`} error={error} onRetry={refetch} />
      ) : (
        <Skeletons count={3} each="h-18 rounded-card" />
      )}
    </Section>
  )
}

/** With more, those around the current one are shown at first: what others wrote is below. */
const manySeasons = 8
const seasonsAtFirst = 5

type Shown = RouterOutputs['progress']['seasons']

function Loaded({ showId, seasons, progress, source }: { showId: number } & Shown) {
  // Not the one that becomes current by a mark: what the member looks at stays.
  const [current] = useState(() => currentOf(seasons, progress))
  const [opened, setOpened] = useState(() => new Set([current]))
  const [showsAll, setShowsAll] = useState(seasons.length <= manySeasons)
  const sorted = [...seasons.filter((season) => !isSpecials(season)), ...seasons.filter(isSpecials)]
  const start = sorted.findIndex(({ number }) => number === current) - 1
  const shown = showsAll ? sorted : sorted.slice(Math.max(0, start)).slice(0, seasonsAtFirst)
  function toggle(number: number) {
    const changed = new Set(opened)
    if (!changed.delete(number)) changed.add(number)
    setOpened(changed)
  }
  return (
    <>
      {progress === null ? null : (
        <ProgressLine showId={showId} progress={progress} firstSeason={sorted[0]!.number} />
      )}
      <ol aria-label="Seasons" className="grid gap-2">
        {shown.map((season) => (
          <SeasonItem
            key={season.id}
            showId={showId}
            season={season}
            nextId={progress?.next?.id}
            isOpen={opened.has(season.number)}
            onToggle={() => toggle(season.number)}
          />
        ))}
      </ol>
      {showsAll ? null : (
        <Button className="mt-3" onClick={() => setShowsAll(true)}>
          {plural(seasons.length, { one: 'All # season', other: 'All # seasons' })}
        </Button>
      )}
      <EpisodeCredit source={source} className="mt-3" />
    </>
  )
}

const isSpecials = ({ number }: Season) => number === 0

function currentOf(seasons: readonly Season[], progress: Shown['progress']): number | undefined {
  if (progress === null) return seasons.length === 1 ? seasons[0]!.number : undefined
  return nextOf(progress)?.season
}

function SeasonItem({
  showId,
  season,
  nextId,
  isOpen,
  onToggle,
}: {
  showId: number
  season: Season
  nextId: number | undefined
  isOpen: boolean
  onToggle: () => void
}) {
  const bodyId = useId()
  const ratingOf = useContext(PartRating)
  const { number, airedCount, episodeCount, mine } = season
  const name = seasonName(number)
  const ownName = isOwnName(season) ? season.name : ''
  return (
    <li className="rounded-card border border-line bg-surface">
      <div className="flex items-center gap-2 pe-3">
        <h3 className="min-w-0 grow">
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={isOpen ? bodyId : undefined}
            className="flex min-h-18 w-full items-center gap-3 rounded-card px-4 py-3 text-start"
            onClick={onToggle}
          >
            <ChevronDown
              aria-hidden
              className={clsx('size-5 shrink-0 text-muted transition-[rotate]', isOpen && 'rotate-180')}
            />
            <span className="min-w-0 grow">
              <span className="flex flex-wrap items-baseline gap-x-2.5">
                <span className="text-h3">{name}</span>
                {ownName === '' ? null : (
                  <span className="min-w-0 font-sans text-meta font-medium wrap-anywhere text-muted">
                    <bdi>{ownName}</bdi>
                  </span>
                )}
                <span className="font-sans text-meta font-medium tracking-normal text-muted tabular-nums">
                  {season.airDate?.slice(0, 4)}
                </span>
              </span>
              <span className="mt-0.5 block font-sans text-meta font-medium tracking-normal text-muted tabular-nums">
                {mine === null
                  ? episodesText(episodeCount)
                  : watchedText(mine.playedCount, Math.max(airedCount, mine.playedCount))}
              </span>
            </span>
          </button>
        </h3>
        {mine === null || airedCount === 0 ? null : (
          <SeasonToggle showId={showId} number={number} isWatched={mine.playedCount >= airedCount} />
        )}
      </div>
      {mine !== null && mine.playedCount > 0 && mine.playedCount < airedCount ? (
        <ShareBar value={mine.playedCount} max={airedCount} className="mx-4 mb-3" />
      ) : null}
      {isOpen ? (
        <div id={bodyId} className="border-t border-line">
          {airedCount === 0 ? null : (
            <div className="flex min-h-14 flex-wrap items-center gap-1 border-b border-line ps-5 pe-2 py-1 empty:hidden">
              <span className="min-w-0 grow basis-0 text-label">The whole season</span>
              {ratingOf({
                title: { kind: 'tvShow', id: showId, part: { seasonId: season.id }, name },
                avg: season.avg,
                count: season.count,
                rating: mine?.rating,
              })}
            </div>
          )}
          <EpisodeList showId={showId} number={number} nextId={nextId} />
        </div>
      ) : null}
    </li>
  )
}

/** Not “Season 2”, in whatever language. */
const isOwnName = ({ number, name }: Season) => number > 0 && !/^(\p{L}+\s)?\d+$/u.test(name)

const episodesText = (count: number) => plural(count, { one: '# episode', other: '# episodes' })

function SeasonToggle({ showId, number, isWatched }: { showId: number; number: number; isWatched: boolean }) {
  const mark = useMark(showId)
  const isShownWatched = mark.isPending ? mark.variables.isWatched : isWatched
  return (
    <IconButton
      label={t`Watched: ${seasonName(number)}`}
      aria-pressed={isShownWatched}
      variant={isShownWatched ? 'primary' : 'outline'}
      busy={mark.isPending}
      onClick={() => mark.mutate({ isWatched: !isWatched, season: number })}
    >
      <CheckCheck aria-hidden />
    </IconButton>
  )
}
