import type { z } from 'zod'
import type { card, title } from '#shared/contracts/titles.ts'
import { type IdSource, type Kind, kinds } from '#shared/domain/kinds.ts'
import { meanRating } from '#shared/domain/ratings.ts'
import type { titleCard } from '#shared/contracts/scalars.ts'
import type {
  CardRow,
  ItemRow,
  TitleDetails,
  TitleRow,
  RatedCardRow,
  TypoCandidateRow,
  TitlePageRow,
} from './tables.ts'

type Card<K extends Kind> = z.infer<(typeof card)[K]>
type TitleOfKind<K extends Kind> = z.infer<(typeof title)[K]>

const cards: { [K in Kind]: (row: CardRow, details: TitleDetails) => Card<K> } = {
  movie: screenCard,
  tvShow: screenCard,
  book: (row, details) => ({
    id: row.id,
    title: row.name,
    authors: details.creators,
    coverUrl: row.image,
    publishYear: row.release_year,
  }),
  game: (row) => ({ id: row.id, name: row.name, coverUrl: row.image, releaseYear: row.release_year }),
}

function screenCard(row: CardRow) {
  return {
    id: row.id,
    name: row.name,
    imageUrl: row.image,
    releaseDate: row.release_date,
    releaseYear: row.release_year,
  }
}

export function toCard<K extends Kind>(kind: K, row: CardRow): Card<K> {
  return cards[kind](row, detailsOf(row))
}

export function toTitleCard(row: CardRow): z.infer<typeof titleCard> {
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    imageUrl: row.image,
    releaseYear: row.release_year,
  }
}

const titles: { [K in Kind]: (row: TitlePageRow, details: TitleDetails) => TitleOfKind<K> } = {
  movie: screenTitle,
  tvShow: (row, details) => ({
    ...screenTitle(row, details),
    firstAirDate: row.release_date,
    lastAirYear: details.lastAirYear ?? null,
    seasonCount: details.seasonCount ?? null,
  }),
  book: (row, details) => ({
    ...cards.book(row, details),
    backdropUrl: row.backdrop,
    tagline: row.tagline,
    description: row.overview,
    pageCount: row.page_count,
    series: details.series ?? null,
    publishDate: row.release_date,
    categories: details.genres,
    isbn13: externalId(row, 'isbn13'),
    olid: externalId(row, 'olid-edition') ?? externalId(row, 'olid-work'),
    ...originalOf(row),
    source: row.source,
    addedBy: addedByOf(row),
  }),
  game: (row, details) => ({
    ...cards.game(row, details),
    backdropUrl: row.backdrop,
    tagline: row.tagline,
    summary: row.overview,
    releaseDate: row.release_date,
    platforms: details.platforms,
    genres: details.genres,
    developers: details.creators,
    igdbId: Number(externalId(row, 'igdb')) || null,
    rating: details.rating,
    ...originalOf(row),
    source: row.source,
    addedBy: addedByOf(row),
  }),
}

function screenTitle(row: TitlePageRow, details: TitleDetails) {
  return {
    ...screenCard(row),
    backdropUrl: row.backdrop,
    overview: row.overview,
    description: row.overview,
    tagline: row.tagline,
    genres: details.genres,
    creators: details.creators,
    runtime: row.runtime,
    tmdbId: Number(externalId(row, kinds[row.kind].idSources[0])) || null,
    ...originalOf(row),
    source: row.source,
    addedBy: addedByOf(row),
  }
}

export function toTitle<K extends Kind>(kind: K, row: TitlePageRow): TitleOfKind<K> {
  return titles[kind](row, detailsOf(row))
}

export function externalId({ ids }: TitlePageRow, source: IdSource): string | null {
  const words = ids?.split(' ') ?? []
  const at = words.indexOf(source)
  return at < 0 ? null : words[at + 1]!
}

function originalOf({ original, name: shown }: TitlePageRow) {
  const at = original?.indexOf(' ') ?? -1
  const name = at < 0 ? null : original!.slice(at + 1)
  const isOther = name !== null && name !== shown
  return {
    originalName: isOther ? name : null,
    originalLanguage: (isOther && original!.slice(0, at)) || null,
  }
}

function addedByOf({ added_by }: TitlePageRow): { id: number; username: string } | null {
  const [id, username] = added_by?.split(' ') ?? []
  return id !== undefined && username !== undefined ? { id: Number(id), username } : null
}

export function detailsOf(row: Pick<TitleRow, 'details'>): TitleDetails {
  return JSON.parse(row.details) as TitleDetails
}

export function toItem(row: ItemRow) {
  return {
    id: row.id,
    name: row.name,
    category: kinds[row.kind].words.category,
    description: row.overview,
    imageUrl: row.image,
    releaseYear: row.release_year,
  }
}

type Total = { id: number; count: number; sum: number }
const byRatings = (a: Total, b: Total) => b.count - a.count || b.sum * a.count - a.sum * b.count

export type Bounds = { id: number; least: number; most: number }

/**
 * The threshold algorithm of Fagin, Lotem and Naor. Each span of the window has a list ordered by ratings, of which `readHeads` returns the
 * first `depth`. An unseen title has at most as many ratings as the last entries together, so reading ends as soon as `limit` titles have
 * more. If titles hardly differ, `readAll` returns the bounds of all, highest `most` first. `readTotals` is exact. Of the first span, only
 * a part belongs to the window. Ties are included.
 */
export async function findMostRated(
  spanCount: number,
  limit: number,
  readHeads: (depth: number) => Promise<{ list: number; id: number; count: number }[]>,
  readAll: () => Promise<Bounds[]>,
  readTotals: (ids: number[]) => Promise<Total[]>,
): Promise<Total[]> {
  const totals = new Map<number, Total>()
  const depth = 2 * limit + 10
  for (const next of [depth, 4 * depth]) {
    const { bounds, mostUnseen } = boundTotals(spanCount, next, await readHeads(next))
    if (await narrow(bounds, mostUnseen)) return known()
  }
  await narrow(await readAll(), 0)
  return known()

  /** False as soon as the highest bounds are no better than a title with `mostUnseen` ratings. */
  async function narrow(bounds: Bounds[], mostUnseen: number): Promise<boolean> {
    for (let batch = depth; ; batch *= 4) {
      const enough = nthHighest(
        bounds.map(({ id, least }) => totals.get(id)?.count ?? least),
        limit,
      )
      if (batch > depth && mostUnseen > 0 && enough <= mostUnseen) return false
      const next = bounds.filter(({ id, most }) => most >= enough && !totals.has(id)).slice(0, batch)
      if (next.length === 0) return mostUnseen === 0 || enough > mostUnseen
      for (const { id } of next) totals.set(id, { id, count: 0, sum: 0 })
      for (const total of await readTotals(next.map(({ id }) => id))) totals.set(total.id, total)
    }
  }

  function known(): Total[] {
    return [...totals.values()].filter(({ count }) => count > 0)
  }
}

/** Highest first; also the most that an unlisted title can have. */
function boundTotals(
  spanCount: number,
  depth: number,
  entries: readonly { list: number; id: number; count: number }[],
) {
  const lists = Array.from({ length: spanCount }, () => ({ length: 0, lowest: Infinity }))
  for (const { list, count } of entries) {
    lists[list]!.length++
    lists[list]!.lowest = Math.min(lists[list]!.lowest, count)
  }
  // A list with fewer entries has been read to its end.
  const lowest = lists.map((list) => (list.length < depth ? 0 : list.lowest))
  const mostUnseen = lowest.reduce((sum, count) => sum + count, 0)
  const bounds = new Map<number, Bounds>()
  for (const { list, id, count } of entries) {
    const bound = bounds.get(id) ?? { id, least: 0, most: mostUnseen }
    bound.least += list === 0 ? 0 : count
    bound.most += count - lowest[list]!
    bounds.set(id, bound)
  }
  return { bounds: [...bounds.values()].sort((a, b) => b.most - a.most), mostUnseen }
}

function nthHighest(numbers: number[], n: number): number {
  return numbers.sort((a, b) => b - a)[n - 1] ?? 0
}

/** Then the higher average, then the newer title. Averages are compared as fractions, without rounding. `readCards` is called once. */
export async function mostPopular<K extends Kind>(
  kind: K,
  totals: readonly Total[],
  limit: number,
  readCards: (ids: number[]) => Promise<RatedCardRow[]>,
) {
  const sorted = totals.toSorted(byRatings)
  const last = sorted[limit - 1]
  const candidates = last ? sorted.filter((total) => byRatings(total, last) <= 0) : sorted
  const cards = new Map((await readCards(candidates.map((total) => total.id))).map((card) => [card.id, card]))
  return {
    popular: candidates
      .flatMap((total) => {
        const card = cards.get(total.id)
        return card ? [{ total, card }] : []
      })
      .sort((a, b) => byRatings(a.total, b.total) || newer(a.card, b.card))
      .slice(0, limit)
      .map(({ total, card }) => ({
        ...toCard(kind, card),
        reviewCount: total.count,
        reviewAverage: meanRating(total.sum, total.count),
      })),
  }
}

function newer(a: RatedCardRow, b: RatedCardRow): number {
  return (b.release_date ?? '').localeCompare(a.release_date ?? '') || b.id - a.id
}

/** Too many words differ from a shorter one by one letter. */
const typoWordMin = 4

/** One word has one missing, additional or different letter, or two swapped ones. The best known first. */
export function rankTypoMatches(
  words: readonly string[],
  rows: readonly TypoCandidateRow[],
  limit: number,
): number[] {
  if (words.length === 1 && words[0]!.length < typoWordMin) return []
  return rows
    .filter((row) => differsByTypo(words, row.search_text.split(' ')))
    .sort((a, b) => b.rating_count - a.rating_count || b.popularity - a.popularity || a.id - b.id)
    .slice(0, limit)
    .map((row) => row.id)
}

function differsByTypo(words: readonly string[], text: readonly string[]): boolean {
  const missing = words.filter((word) => !text.some((candidate) => candidate.startsWith(word)))
  const [word] = missing
  if (missing.length !== 1 || word!.length < 3) return false
  return text.some((candidate) => isOneTypo(word!, candidate) || isOneTypoOfStart(word!, candidate))
}

/** The word is not typed to its end. Too many words begin like a short one. */
function isOneTypoOfStart(word: string, candidate: string): boolean {
  if (word.length <= typoWordMin || candidate.length <= word.length) return false
  return [-1, 0, 1].some((more) => isOneTypo(word, candidate.slice(0, word.length + more)))
}

export function isOneTypo(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a === b) return false
  let at = 0
  while (a[at] !== undefined && a[at] === b[at]) at++
  const [restOfA, restOfB] = [a.slice(at), b.slice(at)]
  if (restOfA.slice(1) === restOfB.slice(1)) return true
  if (restOfA.slice(1) === restOfB || restOfA === restOfB.slice(1)) return true
  const isSwapped = restOfA[0] === restOfB[1] && restOfA[1] === restOfB[0]
  return isSwapped && restOfA.slice(2) === restOfB.slice(2)
}
