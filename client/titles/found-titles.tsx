import type { ReactNode } from 'react'
import { trpc } from '#client/app/trpc.ts'
import { KindDot } from '#client/ui/kind.tsx'
import { commaList } from '#client/ui/formats.ts'
import { Picture } from '#client/ui/picture.tsx'
import { ownStarsText } from '#client/ui/poster-rating.tsx'
import { Stars } from '#client/ui/stars.tsx'
import { suggestionsLimit } from '#shared/domain/limits.ts'
import { type Kind, kindOfCategory, kinds } from '#shared/domain/kinds.ts'
import { useMyRating } from './my-titles.ts'

export type FoundTitle = {
  id: number
  kind: Kind
  name: string
  imageUrl: string | null
  year: number | null
}

const othersMax = 4

/** One text for screen readers, which would read a space between parts of different lines. */
export function Said({ as, className, children }: { as: string; className: string; children: ReactNode }) {
  return (
    <span role="group" aria-label={as} className={className}>
      {children}
    </span>
  )
}

type Hit = { id: number; name: string; category: string; imageUrl: string | null; releaseYear: number | null }

export function toFoundTitle({ id, name, category, imageUrl, releaseYear }: Hit): FoundTitle {
  return { id, name, imageUrl, year: releaseYear, kind: kindOfCategory(category)! }
}

export function aboutOf({ kind, year }: FoundTitle): string {
  return commaList([kinds[kind].words.one, year])
}

export function TitleRow({ title }: { title: FoundTitle }) {
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
export function useTitles(q: string, isWanted: boolean): { titles: FoundTitle[]; isSettled: boolean } {
  const options = {
    enabled: q !== '' && isWanted,
    placeholderData: <Data,>(before: Data) => before,
    staleTime: 60_000,
  }
  const movies = trpc.movies.search.useQuery({ q }, options)
  const items = trpc.items.search.useQuery({ q, limit: suggestionsLimit }, options)
  const isSettled = !movies.isLoading && !items.isLoading
  if (q === '') return { titles: [], isSettled }
  const others = (items.data?.results ?? [])
    .map(toFoundTitle)
    .filter(({ kind }) => kind !== 'movie')
    .slice(0, othersMax)
  const first = (movies.data?.results ?? [])
    .slice(0, suggestionsLimit - others.length)
    .map(({ id, name, imageUrl, releaseYear }) => ({
      id,
      name,
      imageUrl,
      year: releaseYear,
      kind: 'movie' as const,
    }))
  const isLater = ({ name }: FoundTitle) => Number(!name.toLowerCase().startsWith(q.toLowerCase()))
  return { titles: [...first, ...others].sort((a, b) => isLater(a) - isLater(b)), isSettled }
}
