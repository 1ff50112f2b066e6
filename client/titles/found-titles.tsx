import type { ReactNode } from 'react'
import { type CardTitle, cardOf } from '#client/app/kinds.ts'
import { type RouterOutputs, trpc } from '#client/app/trpc.ts'
import { KindDot } from '#client/ui/kind.tsx'
import { commaList } from '#client/ui/formats.ts'
import { Picture } from '#client/ui/picture.tsx'
import { ownStarsText } from '#client/ui/poster-rating.tsx'
import { Stars } from '#client/ui/stars.tsx'
import { suggestionsLimit } from '#shared/domain/limits.ts'
import { kindOfCategory, kinds } from '#shared/domain/kinds.ts'
import { useMyRating } from './my-titles.ts'

const othersMax = 4

/** One text for screen readers, which would read a space between parts of different lines. */
export function Said({ as, className, children }: { as: string; className: string; children: ReactNode }) {
  return (
    <span role="group" aria-label={as} className={className}>
      {children}
    </span>
  )
}

type Hit = RouterOutputs['items']['search']['results'][number]

export function toCardTitle({ id, name, category, imageUrl, releaseYear }: Hit): CardTitle {
  return { id, name, imageUrl, releaseYear, kind: kindOfCategory(category)! }
}

export function aboutOf({ kind, releaseYear }: CardTitle): string {
  return commaList([kinds[kind].words.one, releaseYear])
}

export function TitleRow({ title }: { title: CardTitle }) {
  const { id, name, kind, imageUrl } = title
  const rating = useMyRating(id)
  const about = aboutOf(title)
  const said = [name, about, ...(typeof rating === 'number' ? [ownStarsText(rating)] : [])]
  return (
    <>
      <span className="block h-12 w-8 shrink-0 overflow-hidden rounded-md bg-raised">
        <Picture src={imageUrl} sizes="2rem" />
      </span>
      <Said as={commaList(said)} className="min-w-0">
        <span className="line-clamp-2 text-label leading-tight wrap-anywhere">
          <bdi>{name}</bdi>
        </span>
        <span className="flex items-center gap-1.5 text-meta text-muted tabular-nums">
          <KindDot kind={kind} />
          {about}
          {typeof rating === 'number' ? <Stars value={rating} label={ownStarsText(rating)} /> : null}
        </span>
      </Said>
    </>
  )
}

/** Movies first, but before them titles that begin with the query. The former titles stay until the new ones are there. */
export function useTitles(q: string, isWanted: boolean) {
  const options = {
    enabled: q !== '' && isWanted,
    placeholderData: <Data,>(before: Data) => before,
    staleTime: 60_000,
  }
  const movies = trpc.movies.search.useQuery({ q }, options)
  const items = trpc.items.search.useQuery({ q, limit: suggestionsLimit }, options)
  const state = { isSettled: !movies.isLoading && !items.isLoading, error: movies.error ?? items.error }
  if (q === '') return { titles: [], ...state }
  const others = (items.data?.results ?? [])
    .map(toCardTitle)
    .filter(({ kind }) => kind !== 'movie')
    .slice(0, othersMax)
  const first = (movies.data?.results ?? [])
    .slice(0, suggestionsLimit - others.length)
    .map((movie) => cardOf(kinds.movie, movie))
  const isLater = ({ name }: CardTitle) => Number(!name.toLowerCase().startsWith(q.toLowerCase()))
  return { titles: [...first, ...others].sort((a, b) => isLater(a) - isLater(b)), ...state }
}
