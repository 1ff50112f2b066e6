import type { ImportOptions } from '#shared/imports.ts'
import { detailsOf } from '#server/catalogue/rules.ts'
import type { FoundTitle } from '#server/catalogue/sources/source.ts'
import type { Db } from '#server/db/open.ts'
import { unpack } from '#server/db/packed.ts'
import type { CardRow, ImportChangeRow } from '#server/db/tables.ts'
import { isToCreate, rowOf, type StoredCandidate, targetOf, type Title } from './facts.ts'
import {
  addsNothing,
  type Choice,
  type EntryImage,
  type Here,
  judge,
  type Judgement,
  type Journal,
  type ReviewImage,
  stateOf,
} from './judge.ts'
import {
  type Candidate,
  joinSuggestions,
  type Match,
  matchByIds,
  matchByName,
  nameStartsOf,
  searchWordsOf,
  type Suggestion,
} from './match.ts'
import {
  listByNameStarts,
  listByWords,
  listCatalogueTitles,
  listIdOwners,
  lockCatalogueTitles,
} from './catalogue-store.ts'
import { listOwn } from './journal-store.ts'
import { listImportKeys } from './store.ts'
import { sumBytes, titleBytes } from './quota.ts'
import { updateTitles } from './titles-store.ts'

/** The maximum number of titles that a search by words compares. */
const wordMatchesMax = 50

function candidateOf(row: CardRow): Candidate {
  const { creators, otherNames = [] } = detailsOf(row)
  return { id: row.id, kind: row.kind, name: row.name, otherNames, year: row.release_year, creators }
}

function foundCandidate(found: FoundTitle): Candidate {
  return {
    id: null,
    kind: found.kind,
    name: found.name,
    otherNames: found.otherNames ?? [],
    year: found.releaseDate ? Number(found.releaseDate.slice(0, 4)) : null,
    creators: found.creators,
    found,
  }
}

/** Converts suggestions for storage. Pictures of the catalogue are read when they are shown. */
export function toStored({ candidate, why }: Suggestion): StoredCandidate {
  const { id, kind, name, year, creators, found } = candidate
  return {
    mediaId: id,
    kind,
    name,
    year,
    imageUrl: found?.image ?? null,
    creators: creators.slice(0, 5),
    why,
    ...(id === null && found && { found }),
  }
}

/**
 * Looks titles up in the catalogue: by what the member chose before, by external ids, by names. Returns a match for each, in
 * the same order.
 */
export async function matchLocally(db: Db, userId: number, titles: readonly Title[]): Promise<Match[]> {
  const chosen = new Map(
    (
      await listImportKeys(
        db,
        userId,
        titles.map((title) => title.title_key),
      )
    ).map((row) => [row.key, row.media_id]),
  )
  const ids = titles.flatMap(({ plan }) => plan.ids)
  const owners = await listIdOwners(db, ids)
  const ownersOf = new Map<string, { source: string; media_id: number }[]>()
  for (const { source, external_id, media_id } of owners) {
    const key = `${source} ${external_id}`
    ownersOf.set(key, [...(ownersOf.get(key) ?? []), { source, media_id }])
  }
  const starts = await listByNameStarts(
    db,
    titles.flatMap(({ plan }, at) => nameStartsOf(plan).map((start) => ({ at, ...start }))),
  )
  const idsByName = titles.map(() => new Set<number>())
  for (const { at, id } of starts) idsByName[at]!.add(id)
  const known = new Map<number, Candidate>()
  const load = async (wanted: Iterable<number>) => {
    const missing = [...new Set(wanted)].filter((id) => !known.has(id))
    for (const row of await listCatalogueTitles(db, missing)) known.set(row.id, candidateOf(row))
  }
  await load([
    ...chosen.values(),
    ...owners.map((owner) => owner.media_id),
    ...idsByName.flatMap((set) => [...set]),
  ])
  const candidatesOf = (list: Iterable<number>) => [...list].flatMap((id) => known.get(id) ?? [])

  const matches: Match[] = []
  for (const [at, title] of titles.entries()) matches.push(await matchOne(title, at))
  return matches

  async function matchOne(title: Title, at: number): Promise<Match> {
    const { plan } = title
    const choice = known.get(chosen.get(title.title_key) ?? 0)
    if (choice) return { certain: choice, reason: 'As you chose before' }
    const byIds = matchByIds(
      plan,
      plan.ids.flatMap(({ source, id }) =>
        (ownersOf.get(`${source} ${id}`) ?? []).flatMap(({ media_id }) => {
          const candidate = known.get(media_id)
          return candidate ? [{ source, candidate }] : []
        }),
      ),
    )
    if (byIds.certain) return byIds
    const found = new Set(idsByName[at])
    let byName = matchByName(plan, candidatesOf(found))
    for (const words of searchWordsOf(plan)) {
      if (byName.certain || byName.suggestions.length > 0) break
      for (const id of await listByWords(db, words, wordMatchesMax)) found.add(id)
      await load(found)
      byName = matchByName(plan, candidatesOf(found))
    }
    // An id that belongs to a title of another name casts doubt on the name too.
    if (byIds.suggestions.length === 0) return byName
    const names: Suggestion[] = byName.certain
      ? [{ candidate: byName.certain, why: byName.reason }]
      : byName.suggestions
    return { suggestions: joinSuggestions(names, byIds.suggestions) }
  }
}

/** Matches what a source returned for a title: by the ids of the file, then by names. */
export function matchFound(title: Title, found: readonly FoundTitle[]): Match {
  const candidates = found.map(foundCandidate)
  const owners = candidates.flatMap((candidate) =>
    candidate
      .found!.ids.filter(({ source, external_id }) =>
        title.plan.ids.some((id) => id.source === source && id.id === external_id),
      )
      .slice(0, 1)
      .map(({ source }) => ({ source, candidate })),
  )
  if (owners.length === 1) {
    const byIds = matchByIds(title.plan, owners)
    if (byIds.certain) return byIds
  }
  const byName = matchByName(title.plan, candidates)
  if (byName.certain) return byName
  const byIds = owners.map(({ candidate }) => ({ candidate, why: 'An id of the file belongs to it' }))
  return { suggestions: joinSuggestions(byName.suggestions, byIds) }
}

const nothingHere: Here = { review: undefined, entries: [], isFavorite: false }
const nothingWritten: Journal = { review: undefined, entries: new Map(), hasFavorite: false }

/**
 * Returns what a member has of titles, and what imports wrote of them, for a title of an import. Leaves out what other titles
 * of the same import wrote: it is no older state of this one.
 */
export async function loadHere(
  db: Db,
  userId: number,
  mediaIds: readonly number[],
): Promise<
  (mediaId: number | null, of: Pick<Title, 'id' | 'import_id'>) => { here: Here; journal: Journal }
> {
  const ids = [...new Set(mediaIds)]
  if (ids.length === 0) return () => ({ here: nothingHere, journal: nothingWritten })
  const [reviews, entries, favorites, changes] = await Promise.all([
    listOwn(db, 'reviews', userId, ids),
    listOwn(db, 'diary_entries', userId, ids),
    listOwn(db, 'favorites', userId, ids),
    listOwn(db, 'import_changes', userId, ids),
  ])
  const reviewOf = new Map(reviews.map((review) => [review.media_id, review]))
  const favoriteIds = new Set(favorites.map((favorite) => favorite.media_id))
  const entriesOf = Map.groupBy(entries, (entry) => entry.media_id)
  const changesOf = Map.groupBy(changes, (change) => change.media_id)
  return (mediaId, of) => {
    if (mediaId === null) return { here: nothingHere, journal: nothingWritten }
    const here = {
      review: reviewOf.get(mediaId),
      entries: entriesOf.get(mediaId) ?? [],
      isFavorite: favoriteIds.has(mediaId),
    }
    return { here, journal: journalOf(changesOf.get(mediaId) ?? [], of) }
  }
}

function journalOf(changes: readonly ImportChangeRow[], of: Pick<Title, 'id' | 'import_id'>): Journal {
  let review: Journal['review']
  let hasFavorite = false
  const entries = new Map<number, EntryImage>()
  for (const { import_id, title_id, what, target_id, before, after } of changes) {
    if (import_id === of.import_id && title_id !== of.id) continue
    if (what === 'review') review = { ...review, ...writtenIn(before, after) }
    else if (what === 'entry') entries.set(target_id, JSON.parse(unpack(after)) as EntryImage)
    else if (what === 'favorite') hasFavorite = true
  }
  return { review, entries, hasFavorite }
}

/** Returns what a change wrote: not a rating of the member's own beside which it only wrote a text, nor the other way round. */
function writtenIn(before: string | null, after: string): Partial<ReviewImage> {
  const { rating, rating_given, text, has_spoilers } = JSON.parse(unpack(after)) as ReviewImage
  const was = before === null ? undefined : (JSON.parse(unpack(before)) as ReviewImage)
  return {
    ...((rating !== was?.rating || rating_given !== was.rating_given) && { rating, rating_given }),
    ...((text !== was?.text || has_spoilers !== was.has_spoilers) && { text, has_spoilers }),
  }
}

/** Compares one title with what is here. `created` is whether applying creates it. */
export function judgeTitle(
  title: Title,
  here: { here: Here; journal: Journal },
  options: ImportOptions,
  now: Date,
): Judgement {
  const choice = title.decision?.choice
  const isChoice = (value: typeof choice): value is Choice =>
    value === 'mine' || value === 'file' || value === 'both'
  return judge(title.plan, { ...here, options, choice: isChoice(choice) ? choice : undefined, now })
}

/**
 * Writes titles that had other targets before. A target that was removed meanwhile is left out. Returns by how many bytes they grow;
 * those of `before` that are not in `after` are about to be removed.
 */
export async function saveTitles(
  trx: Db,
  before: readonly Title[],
  after: readonly Title[],
): Promise<number> {
  const targets = [...before, ...after].flatMap(({ media_id }) => media_id ?? [])
  const existing = await lockCatalogueTitles(trx, targets)
  const isGone = ({ media_id }: Title) => media_id !== null && !existing.has(media_id)
  const rows = after.map((title) => rowOf(isGone(title) ? { ...title, media_id: null } : title))
  await updateTitles(trx, rows)
  return sumBytes(rows.map(titleBytes)) - sumBytes(before.map(({ bytes }) => bytes))
}

/** Returns titles with their states and verdicts. Titles that are not looked up yet stay `pending`. */
export async function judgeTitles(
  db: Db,
  userId: number,
  options: ImportOptions,
  titles: readonly Title[],
  now: Date,
): Promise<Title[]> {
  const targets = titles.flatMap((title) => targetOf(title) ?? [])
  const existing = new Set((await listCatalogueTitles(db, [...new Set(targets)])).map(({ id }) => id))
  const hereOf = await loadHere(db, userId, targets)
  return titles.map((title) => {
    const target = targetOf(title)
    const { decision, matched } = title
    const base = { ...title, media_id: target !== null && existing.has(target) ? target : null }
    if (decision?.choice === 'skip') return { ...base, state: 'left', verdict: null }
    if (target !== null && !existing.has(target)) return { ...base, state: 'gone', verdict: null }
    const creates = isToCreate(title, options)
    if (target === null && !creates && !matched) return { ...base, state: 'pending', verdict: null }
    const { verdicts: parts, adds } = judgeTitle(title, hereOf(creates ? null : target, title), options, now)
    const state = stateOf(parts)
    if (state === 'notKept') return { ...base, state, verdict: { parts, adds } }
    if (creates) {
      const verdict = { parts, adds: { ...adds, titles: 1 } }
      return { ...base, media_id: null, state: decision ? 'new' : 'notFound', verdict }
    }
    if (target !== null) return { ...base, state, verdict: { parts, adds } }
    const isOpen = title.candidates.length > 0
    return { ...base, state: isOpen ? 'ambiguous' : 'notFound', verdict: { parts, adds: addsNothing } }
  })
}
