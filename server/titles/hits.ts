import type { z } from 'zod'
import type * as schema from '#shared/contracts/titles.ts'
import { searchLimit } from '#shared/domain/limits.ts'
import { allKinds, type IdSource, kinds, type SourceName, type Tab } from '#shared/domain/kinds.ts'
import { searchText } from '#server/db/fold.ts'
import type { Db } from '#server/db/open.ts'
import type { TitlePageRow } from './tables.ts'
import { detailsOf, externalId } from './rules.ts'
import { findTitles } from './search.ts'
import { yearOf } from './sources/clean.ts'
import type { Hit, Sources } from './sources/source.ts'
import { listByAnyId } from './external-ids-store.ts'
import { listAverages, listTitles } from './store.ts'

/** `mediaId` if it is from the catalogue. */
type FoundHit = Hit & { mediaId?: number }

/**
 * The catalogue knows titles that a source does not return (Open Library ignores stop words) or has under other names. Its results come
 * last; the same title is returned once. Throws the error of the first source if all fail.
 */
export async function searchTab(
  { db, sources }: { db: Db; sources: Sources },
  tab: Tab,
  q: string,
): Promise<{ results: FoundHit[]; source: SourceName }> {
  const searched = allKinds.flatMap((definition) => (definition.tab === tab ? definition.kind : []))
  const settled = await Promise.allSettled(
    sources.all.flatMap((source) => {
      const own = searched.filter((kind) => source.kinds.includes(kind))
      return own.length === 0 ? [] : source.search(q, own)
    }),
  )
  const [first, ...others] = settled.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
  if (!first) throw (settled[0] as PromiseRejectedResult).reason
  const ofTab = (hits: FoundHit[]) => hits.filter(({ kind }) => searched.includes(kind))
  const found = others.reduce((hits, { results }) => mergeHits(hits, ofTab(results)), ofTab(first.results))
  if (found.length >= searchLimit) return { source: first.source, results: found }
  const allowsTypo = found.length === 0
  const ids = await Promise.all(
    searched.map((kind) => findTitles(db, { q, kind, limit: searchLimit, allowsTypo })),
  )
  const local = (await listTitles(db, ids.flat())).map(hitOfRow).filter((hit) => hit.ids.length > 0)
  return { source: first.source, results: mergeHits(found, local) }
}

export async function toResults(db: Db, hits: readonly FoundHit[]) {
  const known = await listByAnyId(
    db,
    hits.flatMap(({ mediaId, ids }) => (mediaId === undefined ? ids : [])),
  )
  const localIdOf = ({ mediaId, ids }: FoundHit) =>
    mediaId ??
    ids
      .map((id) => known.find((row) => row.source === id.source && row.external_id === id.external_id))
      .find((row) => row !== undefined)?.media_id ??
    null
  const localIds = hits.map(localIdOf)
  const averages = await listAverages(
    db,
    localIds.flatMap((id) => id ?? []),
  )
  return hits.map((hit, index) => {
    const { ids, kind, name, overview, image, releaseDate, creators, platforms, edition } = hit
    const localId = localIds[index]!
    return {
      kind,
      name,
      ids: ids.map(({ source, external_id: id }) => ({ source, id })),
      text: overview ?? edition?.subtitle ?? null,
      imageUrl: image,
      releaseYear: edition?.publishYear ?? yearOf(releaseDate),
      creators,
      platforms,
      localId,
      average: localId === null ? null : (averages.get(localId) ?? null),
    }
  })
}

function hitOfRow(row: TitlePageRow): FoundHit {
  const { genres, creators, platforms, rating } = detailsOf(row)
  const { kind, name, overview, image, release_date: releaseDate } = row
  const ids: readonly IdSource[] = kinds[kind].idSources
  return {
    mediaId: row.id,
    kind,
    name,
    overview,
    image,
    releaseDate,
    genres,
    creators,
    platforms,
    rating,
    ids: ids.flatMap((source) => {
      const external_id = externalId(row, source)
      return external_id === null ? [] : [{ source, external_id }]
    }),
  }
}

const idOf = ({ ids }: Hit, source: IdSource) => ids.find((id) => id.source === source)?.external_id ?? null

/** Null for a hit without the id that it would be added by. */
export function toScreenHit(hit: Hit): z.infer<typeof schema.tmdbSearch.output>['results'][number] | null {
  const { idSources, mediaType } = kinds[hit.kind]
  const tmdbId = Number(idOf(hit, idSources[0]))
  const { name, overview, image: imageUrl, releaseDate } = hit
  return !tmdbId || mediaType === null ? null : { tmdbId, mediaType, name, overview, imageUrl, releaseDate }
}

export function toBookHit(hit: Hit): z.infer<typeof schema.bookSearch.output>['results'][number] | null {
  const { edition, name: title, creators: authors, image: coverUrl, overview: description } = hit
  const [isbn13, ofEdition, work] = kinds.book.idSources.map((source) => idOf(hit, source)) as [
    string | null,
    string | null,
    string | null,
  ]
  const firstPublishYear = yearOf(hit.releaseDate)
  const olid = ofEdition ?? work
  if (isbn13 === null && olid === null) return null
  return {
    isbn13,
    olid,
    // The key of an edition without a work does not resolve.
    key: work ? `/works/${work}` : edition && olid ? `/books/${olid}` : null,
    title,
    authors,
    publishYear: edition?.publishYear ?? firstPublishYear,
    firstPublishYear,
    coverUrl,
    description,
    subtitle: edition?.subtitle ?? null,
  }
}

export function toGameHit(hit: Hit): z.infer<typeof schema.gameSearch.output>['results'][number] | null {
  const igdbId = Number(idOf(hit, 'igdb'))
  const { name, overview: summary, platforms, genres, image: coverUrl, rating } = hit
  const releaseYear = yearOf(hit.releaseDate)
  return igdbId ? { igdbId, name, summary, releaseYear, platforms, genres, coverUrl, rating } : null
}

function mergeHits<One extends Hit>(hits: readonly One[], others: readonly One[]): One[] {
  const isNew = (other: Hit) => !hits.some((hit) => isSame(hit, other))
  return [...hits, ...others.filter(isNew)].slice(0, searchLimit)
}

/** By ids; without an id of the same source by name and year, or with editions by name and creator. */
function isSame(a: Hit, b: Hit): boolean {
  if (a.kind !== b.kind) return false
  if (a.ids.some(({ source, external_id }) => idOf(b, source) === external_id)) return true
  const { hasEditions } = kinds[a.kind]
  if (!hasEditions && a.ids.some(({ source }) => idOf(b, source) !== null)) return false
  const keyOf = ({ name, creators, releaseDate }: Hit) =>
    hasEditions ? searchText(name, ...creators.slice(0, 1)) : `${searchText(name)} ${yearOf(releaseDate)}`
  return keyOf(a) === keyOf(b)
}
