import { nameMax } from '#shared/limits.ts'
import { detailsOf } from '#server/catalogue/rules.ts'
import { searchText, sortKey } from '#server/db/fold.ts'
import type { TitleDetails, MediaRow, NewTitle } from '#server/db/tables.ts'
import type { FoundTitle } from './source.ts'

/**
 * Returns the columns to update when a source returns a title that is already in the catalogue. A known value stays if the
 * source returns null or an empty list for it, or a less precise date.
 */
export function mergeFound(
  known: Pick<MediaRow, 'details' | 'popularity' | 'release_date'>,
  fresh: NewTitle,
): Partial<NewTitle> {
  const { created_at: _createdAt, ...values } = fresh
  const before = detailsOf(known)
  const now = JSON.parse(fresh.details) as TitleDetails
  const list = (key: 'genres' | 'creators' | 'platforms') => (now[key].length > 0 ? now[key] : before[key])
  const details: TitleDetails = {
    genres: list('genres'),
    creators: list('creators'),
    platforms: list('platforms'),
    rating: now.rating ?? before.rating,
    ...withOtherNames([...(now.otherNames ?? []), ...(before.otherNames ?? [])]),
  }
  const isLessPrecise = !!fresh.release_date && !!known.release_date?.startsWith(fresh.release_date)
  return {
    ...Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)),
    release_date: isLessPrecise ? known.release_date : (fresh.release_date ?? known.release_date),
    details: JSON.stringify(details),
    search_text: searchText(fresh.name, ...details.creators, ...(details.otherNames ?? [])),
    popularity: fresh.popularity || known.popularity,
  }
}

/** Returns the details with the distinct names, the first ten; without any the details have no such property. */
function withOtherNames(names: readonly string[]): Pick<TitleDetails, 'otherNames'> {
  return names.length === 0 ? {} : { otherNames: [...new Set(names)].slice(0, 10) }
}

/** TMDB’s terms forbid caching for more than six months. */
const freshDays = 30

/** Returns whether a title was fetched from this source recently enough. */
export function isFresh(state: Pick<MediaRow, 'source' | 'fetched_at'>, source: string, now: Date): boolean {
  if (source === 'starter') return true
  const age = state.fetched_at ? now.getTime() - Date.parse(state.fetched_at) : Infinity
  return state.source === source && age < freshDays * 86_400_000
}

/** Converts a title from an external source to a row. */
export function titleRowOf(title: FoundTitle, source: string, now: Date): NewTitle {
  const name = title.name.slice(0, nameMax)
  return {
    kind: title.kind,
    name,
    name_folded: sortKey(name),
    search_text: searchText(name, ...title.creators, ...(title.otherNames ?? [])),
    overview: title.overview,
    tagline: title.tagline,
    image: title.image,
    backdrop: title.backdrop,
    release_date: title.releaseDate,
    release_year: title.releaseDate ? Number(title.releaseDate.slice(0, 4)) : null,
    runtime: title.runtime,
    page_count: title.pageCount,
    details: JSON.stringify({
      genres: title.genres,
      creators: title.creators,
      platforms: title.platforms,
      rating: title.rating,
      ...withOtherNames(title.otherNames ?? []),
    } satisfies TitleDetails),
    source,
    // The next sync completes a partial title.
    fetched_at: title.isPartial ? null : now.toISOString(),
    created_at: now.toISOString(),
    popularity: title.popularity,
  }
}
