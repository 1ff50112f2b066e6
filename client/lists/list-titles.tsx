import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { titlePath } from '#client/app/kinds.ts'
import { gridSizes, TitleCard, TitlePoster } from '#client/titles/title-card.tsx'
import { TitleOverlay } from '#client/titles/title-overlay.tsx'
import { KindDot } from '#client/ui/kind.tsx'
import { PosterOverlay, OverlaySpace } from '#client/ui/poster-card.tsx'
import { kinds } from '#shared/domain/kinds.ts'
import type { Item, List } from './hooks.ts'

export function ListTitles({ list, items }: { list: List; items: readonly Item[] }) {
  const hasEditors = list.editors.length > 0
  const One = list.isRanked ? RankedItem : GridItem
  return (
    <ol
      aria-label={list.title}
      className={
        list.isRanked
          ? 'grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-5 lg:grid-cols-2'
          : 'grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-x-4 gap-y-6'
      }
    >
      {items.map((item, at) => (
        <li key={item.title.id} className="min-w-0">
          <One item={item} eager={at < 6} adder={hasEditors ? item.addedBy?.username : undefined} />
        </li>
      ))}
    </ol>
  )
}

type Props = { item: Item; eager: boolean; adder: string | undefined }

function GridItem({ item: { title, note }, eager, adder }: Props) {
  return (
    <TitleCard
      title={title}
      sizes={gridSizes}
      kindLabel={kinds[title.kind].words.one}
      meta={title.releaseYear ?? undefined}
      eager={eager}
      transitionName={`poster-${title.id}`}
      overlay={<TitleOverlay {...title} />}
    >
      {note === '' && adder === undefined ? undefined : <Note note={note} adder={adder} />}
    </TitleCard>
  )
}

const numeral = 'font-display text-[2.5rem] leading-none font-extrabold tracking-tight tabular-nums'

function RankedItem({ item: { title, note, position }, eager, adder }: Props) {
  return (
    <article
      data-kind={title.kind}
      className="poster-card title-row @container relative grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-4 sm:grid-cols-[3.5rem_6.5rem_minmax(0,1fr)] sm:gap-x-5 sm:[--row-start:4.75rem]"
    >
      <p aria-hidden className={clsx(numeral, 'max-sm:hidden')}>
        {position}
      </p>
      <div className="relative">
        <TitlePoster title={title} sizes="6.5rem" eager={eager} transitionName={`poster-${title.id}`} />
        <OverlaySpace />
      </div>
      <div className="min-w-0 pt-1">
        {/* Beside the picture, which carries no text of ours. */}
        <p aria-hidden className={clsx(numeral, 'mb-1 sm:hidden')}>
          {position}
        </p>
        <h2 className="line-clamp-2 pe-9 text-h3 wrap-anywhere">
          <Link
            to={titlePath(kinds[title.kind], title.id)}
            className="card-link after:absolute after:inset-0 after:rounded-poster"
          >
            <bdi>{title.name}</bdi>
          </Link>
        </h2>
        <p className="mt-1 flex items-baseline gap-1.5 text-meta text-muted">
          <KindDot kind={title.kind} />
          {kinds[title.kind].words.one}
          {title.releaseYear === null ? null : ` · ${title.releaseYear}`}
        </p>
        <Note note={note} adder={adder} />
      </div>
      {/* Over the poster, whose column differs by width. */}
      <div className="pointer-events-none absolute top-0 inset-s-0 w-22 sm:inset-s-[4.75rem] sm:w-26">
        <PosterOverlay>
          <TitleOverlay {...title} />
        </PosterOverlay>
      </div>
    </article>
  )
}

function Note({ note, adder }: { note: string; adder: string | undefined }) {
  return (
    <>
      {note === '' ? null : (
        <p dir="auto" className="mt-2 whitespace-pre-line text-meta text-pretty wrap-anywhere">
          {note}
        </p>
      )}
      {adder === undefined ? null : (
        <p dir="auto" className="mt-1 truncate text-tiny text-muted">
          added by {adder}
        </p>
      )}
    </>
  )
}
