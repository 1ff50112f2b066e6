import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ArrowLeft, ArrowRight, Check } from 'lucide-react'
import { titlePath } from '#client/app/kinds.ts'
import { trpc } from '#client/app/trpc.ts'
import { TitlePoster } from '#client/titles/title-card.tsx'
import { BackLink } from '#client/ui/back-link.tsx'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { useFormats } from '#client/ui/formats.ts'
import { StarIcon } from '#client/ui/stars.tsx'
import { Time } from '#client/ui/time.tsx'
import { episodeTitle, seasonName } from '#client/titles/part-name.ts'
import type { ShownEpisode } from '#shared/contracts/progress.ts'
import { type Kind, kinds } from '#shared/domain/kinds.ts'
import { plural, t } from '#shared/domain/message.ts'
import { AirDate } from './air-date.tsx'
import { EpisodeCredit } from './episode-credit.tsx'
import { useMark } from './hooks.ts'
import { UpToHere } from './up-to-here.tsx'

/** `children` are what members say about the episode. */
export function EpisodeScreen({
  id,
  children,
}: {
  id: number
  children: (
    show: { id: number; kind: Kind },
    name: string,
    isGone: boolean,
  ) => { pinned: ReactNode; reviews: ReactNode }
}) {
  const [{ episode, title, isGone, previousId, nextId, source }] = trpc.progress.episode.useSuspenseQuery({
    id,
  })
  const { season, number, name } = episode
  const { decimal } = useFormats()
  const { pinned, reviews } = children(title, episodeTitle(episode), isGone)
  return (
    <article key={id} data-kind={title.kind} className="page py-6 sm:py-10">
      <BackLink render={<Link to={titlePath(kinds[title.kind], title.id)} />}>
        <bdi>{title.name}</bdi>
      </BackLink>
      <div className="mt-5 flex items-start gap-5 sm:gap-8">
        <div className="w-[min(6rem,28vw)] shrink-0 sm:w-40">
          <TitlePoster title={title} sizes="(min-width: 40rem) 10rem, 6rem" eager />
        </div>
        <div className="min-w-0 grow">
          <p className="text-meta font-semibold text-accent">
            {season === 0 || name === '' ? seasonName(season) : t`Season ${season} · Episode ${number}`}
          </p>
          <h1 className="mt-1.5 text-[clamp(1.75rem,1.2rem+2.4vw,3.25rem)] leading-[1.02] font-extrabold tracking-[-0.03em] wrap-anywhere">
            {name === '' ? t`Episode ${number}` : <bdi>{name}</bdi>}
          </h1>
          <AirDate episode={episode} className="mt-3 text-muted" />
          {episode.avg === null ? null : (
            <p className="mt-2 flex items-center gap-1.5 text-meta text-muted tabular-nums">
              <StarIcon className="size-4 text-star" />
              <span className="sr-only">Average rating</span>
              <span className="text-label text-ink">{decimal(episode.avg, 1)}</span>
              {plural(episode.count, { one: '# rating', other: '# ratings' })}
            </p>
          )}
          {isGone ? (
            <p className="mt-3 text-muted">
              The source does not list this episode any longer. It does not count, and cannot be marked.
            </p>
          ) : (
            <MarkButtons showId={title.id} episode={episode} />
          )}
          {episode.mine?.isPlayed && episode.mine.watchedOn !== null ? (
            <p className="mt-3 text-meta text-muted">
              Watched on <Time value={episode.mine.watchedOn} />
            </p>
          ) : null}
        </div>
      </div>
      {pinned}
      <nav
        aria-label="Episodes"
        className="mt-10 flex flex-wrap justify-between gap-3 border-t border-line pt-5"
      >
        {previousId === null ? null : (
          <ButtonLink
            icon={<ArrowLeft aria-hidden />}
            render={<Link to="/episodes/$episodeId" params={{ episodeId: String(previousId) }} />}
          >
            Previous
          </ButtonLink>
        )}
        {nextId === null ? null : (
          <ButtonLink
            className="ms-auto"
            render={<Link to="/episodes/$episodeId" params={{ episodeId: String(nextId) }} />}
          >
            Next
            <ArrowRight aria-hidden />
          </ButtonLink>
        )}
      </nav>
      {reviews}
      <EpisodeCredit source={source} className="mt-6" />
    </article>
  )
}

function MarkButtons({ showId, episode }: { showId: number; episode: ShownEpisode }) {
  const mark = useMark(showId, { isQuiet: true })
  const { isAired, season, mine } = episode
  if (mine === null) return null
  const isPlayed = mark.isPending ? mark.variables.isWatched : mine.isPlayed
  return (
    <div className="mt-5 flex flex-wrap items-center gap-2">
      <Button
        variant={isPlayed ? 'soft' : 'primary'}
        aria-pressed={isPlayed}
        aria-label={t`Watched: ${episodeTitle(episode)}`}
        disabled={!isAired && !isPlayed}
        busy={mark.isPending}
        icon={<Check aria-hidden />}
        onClick={() => mark.mutate({ isWatched: !isPlayed, episode })}
      >
        Watched
      </Button>
      {isPlayed || !isAired || season === 0 ? null : <UpToHere showId={showId} episode={episode} />}
    </div>
  )
}
