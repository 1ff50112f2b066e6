import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import type { ReactElement, ReactNode } from 'react'
import { toMember } from '#client/app/links.ts'
import { type Dates, useDates } from '#client/ui/dates.ts'
import { genreText } from '#client/titles/genres.ts'
import { renderAs } from '#client/ui/render.ts'
import { Section } from '#client/ui/section.tsx'
import type { Kind, KindDefinition } from '#shared/domain/kinds.ts'
import type { TitleView } from './title-view.ts'
import { t } from '#shared/domain/message.ts'

type Detail = KindDefinition['details'][number]

const details: Record<
  Detail,
  { label: string; show: (view: TitleView, dates: Dates, kind: Kind) => ReactNode }
> = {
  release: {
    label: t`Release`,
    show: ({ release }, dates) =>
      release && (
        <time dateTime={release} lang={dates.lang}>
          {dates.release(release)}
        </time>
      ),
  },
  releaseYear: {
    label: t`Release Year`,
    show: ({ releaseYear }) => releaseYear && <time dateTime={String(releaseYear)}>{releaseYear}</time>,
  },
  aired: {
    label: t`Aired`,
    show: ({ releaseYear, lastAirYear }) =>
      releaseYear !== null &&
      lastAirYear !== null &&
      lastAirYear > releaseYear && <span className="tabular-nums">{`${releaseYear}–${lastAirYear}`}</span>,
  },
  seasons: { label: t`Seasons`, show: ({ seasonCount }) => seasonCount },
  series: {
    label: t`Series`,
    show: ({ series }) =>
      series && (
        <span className="wrap-anywhere">
          <bdi>{series}</bdi>
        </span>
      ),
  },
  platforms: { label: t`Platforms`, show: ({ platforms }) => chips(platforms) },
  isbn: { label: 'ISBN', show: ({ isbn }) => isbn && <span className="tabular-nums">{isbn}</span> },
  genres: {
    label: t`Genres`,
    show: ({ genres }, _, kind) =>
      chips(genres, (genre) => <Link to="/items" search={{ category: kind, genre }} />, genreText),
  },
}

export function TitleFacts({
  definition,
  view,
  className,
}: {
  definition: KindDefinition
  view: TitleView
  className?: string
}) {
  const dates = useDates()
  const known = definition.details.flatMap((detail) => {
    const { label, show } = details[detail]
    const shown = show(view, dates, definition.kind)
    return shown ? [{ label, shown }] : []
  })
  const { credit, imported } = view
  if (known.length === 0 && !credit && !imported) return null
  return (
    <dl className={clsx('grid grid-cols-2 content-start gap-x-6 gap-y-4 lg:grid-cols-1', className)}>
      {known.map(({ label, shown }) => (
        <div key={label} className="min-w-0">
          <dt className="text-meta text-muted">{label}</dt>
          <dd className="mt-1 text-label">{shown}</dd>
        </div>
      ))}
      {credit ? (
        <div>
          <dt className="text-meta text-muted">Data from</dt>
          <dd className="mt-1 text-label">
            <a href={credit.href} target="_blank" rel="noreferrer" className="link">
              <bdi>{credit.name}</bdi>
            </a>
          </dd>
        </div>
      ) : null}
      {imported ? (
        <div>
          <dt className="text-meta text-muted">Data from</dt>
          <dd className="mt-1 text-label wrap-anywhere">
            {imported.by ? (
              <>
                Added by{' '}
                <Link {...toMember(imported.by.id)} className="link">
                  @{imported.by.username}
                </Link>{' '}
                from an import. No source knew this title.
              </>
            ) : (
              t`Added from an import. No source knew this title.`
            )}
          </dd>
        </div>
      ) : null}
    </dl>
  )
}

function chips(words: string[], linkTo?: (word: string) => ReactElement, textOf = (word: string) => word) {
  if (words.length === 0) return null
  const look = 'inline-block max-w-full rounded-full bg-raised px-3 py-1 text-meta font-medium wrap-anywhere'
  return (
    <ul className="flex flex-wrap gap-1.5 pt-0.5">
      {words.map((word) => (
        <li key={word} className="max-w-full">
          {linkTo === undefined ? (
            <bdi className={look}>{word}</bdi>
          ) : (
            renderAs(linkTo(word), { className: clsx(look, 'hover:bg-line'), children: textOf(word) })
          )}
        </li>
      ))}
    </ul>
  )
}

export function Overview({
  definition,
  text,
  className,
}: {
  definition: KindDefinition
  text: string | null
  className?: string
}) {
  return (
    <Section title="Overview" className={className}>
      {text ? (
        <p dir="auto" className="max-w-[43.3em] text-lead wrap-anywhere whitespace-pre-line">
          {text}
        </p>
      ) : (
        <p className="text-muted">{definition.words.overviewEmpty}</p>
      )}
    </Section>
  )
}
