import { nameMax } from '#shared/domain/limits.ts'
import { sourceNames } from '#shared/domain/kinds.ts'
import { dayMs } from '#shared/domain/days.ts'
import { detailsOf } from '#server/titles/rules.ts'
import { titleColumns } from '#server/db/fold.ts'
import type { KnownTitle, TitleRow, NewTitle, TitleDetails } from '#server/titles/tables.ts'
import { yearOf } from './clean.ts'
import type { FoundTitle } from './source.ts'

const columns = [
  'name',
  'overview',
  'tagline',
  'image',
  'backdrop',
  'release_date',
  'runtime',
  'page_count',
  'popularity',
] as const
const facts = ['lastAirYear', 'seasonCount', 'series'] as const
const inDetails = ['genres', 'creators', 'platforms', 'rating', ...facts] as const
type Field = (typeof columns)[number] | (typeof inDetails)[number]

/** Of each field, the value of the earlier source stays, as does a known one if the source has none, or a less precise date. */
export function mergeFound(known: KnownTitle, fresh: NewTitle): Partial<NewTitle> {
  const [before, now] = [detailsOf(known), detailsOf(fresh)]
  const values = { ...known, ...before } as Record<Field, unknown>
  const freshValues = { ...fresh, ...now } as Record<Field, unknown>
  const origins = JSON.parse(known.field_sources ?? '{}') as { [F in Field]?: string }
  const source = fresh.source ?? null
  const isMain = rankOf(source) <= rankOf(known.source)
  const main = isMain ? source : known.source
  const newOrigins: typeof origins = {}
  for (const field of [...columns, ...inDetails]) {
    const origin = origins[field] ?? known.source
    const isLessPrecise =
      field === 'release_date' && !!known.release_date?.startsWith(fresh.release_date ?? '')
    const isKept =
      isEmpty(freshValues[field]) ||
      (!isEmpty(values[field]) && (isLessPrecise || rankOf(origin) < rankOf(source)))
    if (!isKept) values[field] = freshValues[field]
    const from = isKept ? origin : source
    if (from !== main && from !== null && !isEmpty(values[field])) newOrigins[field] = from
  }
  const { name, release_date } = values as Pick<KnownTitle, 'name' | 'release_date'>
  const names = [now.otherNames ?? [], before.otherNames ?? []]
  const details: TitleDetails = {
    ...(Object.fromEntries(inDetails.map((field) => [field, values[field]])) as TitleDetails),
    ...withOtherNames((isMain ? names : names.reverse()).flat()),
  }
  return {
    ...Object.fromEntries(columns.map((field) => [field, values[field]])),
    ...foldedOf(name, details),
    kind: fresh.kind,
    release_year: yearOf(release_date),
    details: JSON.stringify(details),
    source: main,
    field_sources: Object.keys(newOrigins).length === 0 ? null : JSON.stringify(newOrigins),
    // A later source does not make a title fresh.
    ...((isMain || known.source === null) && fresh.fetched_at ? { fetched_at: fresh.fetched_at } : {}),
  }
}

function isEmpty(value: unknown): boolean {
  return !value || (Array.isArray(value) && value.length === 0)
}

const ranked = [...sourceNames, 'tvmaze']

/** What a member wrote comes first, the starter catalogue and imports last. */
export function rankOf(source: string | null): number {
  const at = ranked.findIndex((name) => name === source)
  return source === null || at >= 0 ? at : ranked.length
}

function foldedOf(name: string, { creators, otherNames = [] }: TitleDetails) {
  return titleColumns(name, [...creators, ...otherNames])
}

function withOtherNames(names: readonly string[]): Pick<TitleDetails, 'otherNames'> {
  return names.length === 0 ? {} : { otherNames: [...new Set(names)].slice(0, 10) }
}

/** TMDB’s terms forbid caching for more than six months. */
const freshDays = 30

export function isFresh(state: Pick<TitleRow, 'source' | 'fetched_at'>, source: string, now: Date): boolean {
  if (source === 'starter') return true
  const age = state.fetched_at ? now.getTime() - Date.parse(state.fetched_at) : Infinity
  return rankOf(state.source) <= rankOf(source) && age < freshDays * dayMs
}

export function titleRowOf(title: FoundTitle, source: string, now: Date): NewTitle {
  const name = title.name.slice(0, nameMax)
  const details: TitleDetails = {
    genres: title.genres,
    creators: title.creators,
    platforms: title.platforms,
    rating: title.rating,
    ...Object.fromEntries(facts.flatMap((fact) => (title[fact] ? [[fact, title[fact]]] : []))),
    ...withOtherNames(title.otherNames ?? []),
  }
  return {
    kind: title.kind,
    name,
    ...foldedOf(name, { ...details, otherNames: title.otherNames ?? [] }),
    overview: title.overview,
    tagline: title.tagline,
    image: title.image,
    backdrop: title.backdrop,
    release_date: title.releaseDate,
    release_year: yearOf(title.releaseDate),
    runtime: title.runtime,
    page_count: title.pageCount,
    details: JSON.stringify(details),
    source,
    // The next sync completes a partial title.
    fetched_at: title.isPartial ? null : now.toISOString(),
    created_at: now.toISOString(),
    popularity: title.popularity,
  }
}
