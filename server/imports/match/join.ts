import { hasCode, noteOf } from '#shared/texts/import-notes.ts'
import type { ImportOptions } from '#shared/contracts/imports.ts'
import { compare } from '#shared/domain/compare.ts'
import { ratingMax, reviewTextMax } from '#shared/domain/limits.ts'
import { isOver } from '#shared/domain/kinds.ts'
import { latestDay } from '#shared/domain/days.ts'
import { isBefore } from '#server/diary/rules.ts'
import { truncate } from '#shared/texts/truncate.ts'
import { pause } from '#server/db/slices.ts'
import {
  entryOf,
  type ParsedEntry,
  type ParsedListItem,
  type ParsedPart,
  placeOf,
  type ParsedReview,
  type ParsedTitle,
  parsedTitle,
} from '#server/imports/read/formats/records.ts'
import { daysOf, joinPlays } from '#server/imports/read/formats/plays.ts'
import { dayOf, type ParsedDate, instantOf, starsOf } from '#server/imports/read/formats/values.ts'

/** `restored`: as the file has it, unless the member wants whole stars. */
export type ReviewRecord = Pick<ParsedReview, 'restored'> & {
  /** `isBetween`: without the option `halfStars` too, if it would be a half with it. */
  rating: {
    stars: number
    given: string
    isHalf: boolean
    isBetween?: true
    ratedAt: string | null
  } | null
  review: { text: string; hasSpoilers: boolean; writtenAt: string | null } | null
}

export type TitleRecord = Omit<ParsedTitle, 'rating' | 'review' | 'partReviews'> &
  ReviewRecord & {
    partReviews: (ParsedPart & ReviewRecord)[]
    /** It is also the text of an entry. */
    isTextWithoutRating: boolean
    /** The options say whether it is cut or left out. */
    hasLongText?: true
    hasUnclearDate?: true
  }

export function blankRecord({ kind, name }: Pick<TitleRecord, 'kind' | 'name'>): TitleRecord {
  const nothing = { rating: null, review: null, partReviews: [], isTextWithoutRating: false }
  return { ...parsedTitle({ kind, name }), ...nothing }
}

/** Joining cannot be interrupted. */
export const linesPerTitle = 2_000
const givenEntriesMax = 2_500
const entriesMax = 200
const listsMax = 100
const notesMax = 20
const entryTextsMax = 200_000
const otherNamesMax = 5
/** The joined record of a title is read as a whole. */
const partReviewsMax = 10_000
const partTextsMax = 1_000_000

/**
 * The newest text is the review; older texts, and ratings of single viewings, go to their entries. The order of the lines makes no
 * difference; of very many, the first ones count. Entries are valid in a diary: at most one is `want`, at most one under way.
 */
export function joinLines(
  parsed: readonly ParsedTitle[],
  options: ImportOptions,
  now: Date,
  ofParts: JoinedPartReviews = { partReviews: [], notes: [] },
): TitleRecord {
  const notes = new Set(ofParts.notes)
  const latest = latestDay(now)
  const given = options.entries ? parsed.flatMap((line) => line.plays) : []
  const plays = joinPlays(given, latest, notes)
  const withoutParts = firstOf(parsed).map((line) => ({ ...line, plays: [], partReviews: [] }))
  const distinct = new Map(withoutParts.map((line) => [JSON.stringify(line), line]))
  const lines = [...distinct]
    .sort(([a], [b]) => compare(a, b))
    .map(([, line]) => prepared(line, options, pastBy(latest, notes)))
  for (const note of lines.flatMap((line) => line.notes)) notes.add(note)
  const { first, last } = daysOf(plays)
  const begun = lines.flatMap((line) =>
    line.entries.filter(({ status, isOfPlays }) => status !== 'want' && !isOfPlays),
  )
  const hasPasses = begun.some(({ pass }) => pass !== null)
  const hasDates = lines.some((line) => line.entries.some(({ isOfPlays }) => isOfPlays))
  for (const line of lines) line.entries = line.entries.flatMap(entryBesidePlays)
  const isUnknown =
    lines.some((line) => line.hasUnknownStatus) &&
    lines.every(({ rating, entries }) => rating === null && entries.length === 0)
  if (isUnknown && lines.some(({ review }) => review !== null)) {
    notes.add(noteOf('textOfUnknownStatus'))
    for (const line of lines) line.review = null
  }

  const named = lines.filter((line) => line.name !== '')
  const name = mostCommon(named.map((line) => line.name)) ?? ''
  const otherNames = new Set(named.flatMap((line) => [line.name, ...line.otherNames]))
  otherNames.delete(name)
  const ids = new Map(lines.flatMap((line) => line.ids).map((id) => [`${id.source} ${id.id}`, id]))
  const joined = joinReviews(lines, options, now)
  const { rating, review } = joined.newest
  const isTextWithoutRating = review !== null && rating === null
  giveToEntries()
  if (isTextWithoutRating) notes.add(noteOf('textWithoutRating'))
  const allEntries = lines.flatMap((line) => line.entries)
  const entries = options.entries ? entriesOf(allEntries, notes) : []
  const favoriteOn = lines.flatMap((line) => (line.isFavorite && line.favoriteOn) || []).sort(compare)[0]
  return {
    kind: mostCommon(lines.map((line) => line.kind)) ?? options.kind,
    name,
    otherNames: [...otherNames].slice(0, otherNamesMax),
    year: mostCommon(lines.flatMap((line) => line.year ?? [])) ?? null,
    authors: lines.find((line) => line.authors.length > 0)?.authors ?? [],
    ids: [...ids.values()].slice(0, 20),
    ...joined.record,
    partReviews: ofParts.partReviews,
    isTextWithoutRating,
    entries,
    plays,
    isFavorite: lines.some((line) => line.isFavorite),
    listItems: listItemsOf(lines.flatMap((line) => line.listItems)),
    favoriteOn: favoriteOn ? instantOf(favoriteOn, now) : null,
    ...(lines.some((line) => line.isNamesake) && { isNamesake: true }),
    // The record’s notes are cut.
    ...([...notes].some((note) => hasCode(note, 'unclearDate')) && { hasUnclearDate: true }),
    ...([...notes].some((note) => hasCode(note, 'longText', 'longTextSkipped')) && { hasLongText: true }),
    notes: [...notes].slice(0, notesMax),
  }

  /** The first play has made a wanted title one that is under way. */
  function entryBesidePlays({ isOfPlays, ...entry }: ParsedEntry): ParsedEntry[] {
    const isWantedAgain = last !== null && (dayOf(entry.addedOn) ?? '') > last
    const isOther = ({ origin }: ParsedEntry) => origin !== entry.origin
    if (plays.length === 0 || hasPasses) return [entry]
    if (entry.status === 'want') {
      if (isWantedAgain) return [entry]
      return entry.text === '' ? [] : [{ ...entry, status: 'started' }]
    }
    if (isOfPlays && begun.some(isOther)) return []
    const isUndated = entry.startedOn === null && entry.finishedOn === null
    if (!isOfPlays && !(hasDates && isUndated)) return [entry]
    return [{ ...entry, startedOn: first, finishedOn: isOver(entry.status) ? last : null }]
  }

  function giveToEntries(): void {
    let newestEntry = lines
      .flatMap((line) => line.entries)
      .sort(compareAge)
      .at(-1)
    const texts = new Map<ParsedEntry, string[]>()
    for (const line of lines) {
      const entry = line.entries.at(-1) ?? newestEntry
      const { given = null, isOfTitle = false } = line.rating ?? {}
      if (isOfTitle && given !== rating?.given) {
        if (!entry || entry.ratingGiven !== null) notes.add(noteOf('otherRating', given ?? ''))
        else entry.ratingGiven = given
      }
      if (!line.review || (!isTextWithoutRating && line.review.text === review?.text)) continue
      const { text, on } = line.review
      if (entry) texts.set(entry, [...(texts.get(entry) ?? [entry.text]), text])
      else {
        newestEntry = entryOf({ status: 'finished', text, addedOn: on, ratingGiven: given })
        line.entries.push(newestEntry)
      }
    }
    for (const [entry, all] of texts) entry.text = joinTexts(all)
  }
}

type Reviewed = ParsedReview & Partial<Pick<ParsedTitle, 'entries'>>

/** `newest`: the rating and the text as they are in the file. */
function joinReviews(
  lines: readonly Reviewed[],
  options: ImportOptions,
  now: Date,
): { record: ReviewRecord; newest: Pick<ParsedReview, 'rating' | 'review'> } {
  const rated = newest(lines, ({ rating, ...line }) =>
    rating ? [rating.isOfTitle ? '1' : '0', rating.on ?? lastDayOf(line), rating.given] : null,
  )
  const reviewed = newest(lines, ({ review, ...line }) =>
    review ? [review.on ?? lastDayOf(line), review.text] : null,
  )
  const rating = rated?.rating ?? null
  const review = reviewed?.review ?? null
  const ratedOn = rated && (rating!.on ?? lastDayOf(rated))
  const writtenOn = reviewed && (review!.on ?? (ratedOn || lastDayOf(reviewed)))
  const instant = (date: ParsedDate | undefined) => (date ? instantOf(date, now) : null)
  // The text may be of another line.
  const isOther = reviewed !== undefined && reviewed !== rated
  const marks = isOther && { hasSpoilers: review!.hasSpoilers, safeUpTo: reviewed.restored?.safeUpTo }
  const restored = rated?.restored
  const record = {
    rating: rating && {
      ...starsOf(valueOf(rated!)!, options),
      ...(hasHalf(rated!) && { isBetween: true as const }),
      given: rating.given,
      ratedAt: instant(ratedOn),
    },
    review: review && { text: review.text, hasSpoilers: review.hasSpoilers, writtenAt: instant(writtenOn) },
    ...(restored && {
      restored: {
        ...restored,
        ...marks,
        createdAt: instantOf(restored.createdAt, now),
        updatedAt: instantOf(restored.updatedAt, now),
      },
    }),
  }
  return { record, newest: { rating, review } }
}

type JoinedPartReviews = Pick<TitleRecord, 'partReviews' | 'notes'>

/** Of each season and episode one, in their order. There can be very many. */
export async function joinPartReviews(
  parsed: readonly ParsedTitle[],
  options: ImportOptions,
  now: Date,
): Promise<JoinedPartReviews> {
  const notes = new Set<string>()
  const past = pastBy(latestDay(now), notes)
  const given = parsed.flatMap((line) =>
    line.partReviews.map((review) => ({ ...review, isTooLong: isTooLong(line, options) })),
  )
  const all = Map.groupBy(given, placeOf)
  const partReviews: TitleRecord['partReviews'] = []
  let room = partTextsMax
  for (const same of all.values()) {
    await pause()
    const lines = same.map((line) => preparedReview(line, options, past, line.isTooLong))
    const { record } = joinReviews(lines, options, now)
    if (record.rating === null) continue
    room -= record.review?.text.length ?? 0
    if (partReviews.length >= partReviewsMax || room < 0) {
      notes.add(noteOf('manyTexts'))
      break
    }
    const { season, number } = same[0]!
    const ids = same.flatMap(({ id }) => id ?? []).sort(compare)
    partReviews.push({ season, number, id: ids[0] ?? null, ...record })
  }
  partReviews.sort((a, b) => a.season - b.season || (a.number ?? 0) - (b.number ?? 0))
  return { partReviews, notes: [...notes] }
}

type Rated = Pick<ParsedTitle, 'rating' | 'restored'>

/** A restored rating is as it was, unless it is a half and becomes whole. */
function valueOf({ rating, restored }: Rated): string | undefined {
  return rating ? (restored ? `${restored.rating}/${ratingMax}` : rating.given) : undefined
}

/** Returns whether the option `halfStars` makes a half of a rating of a line. */
export function hasHalf({
  partReviews = [],
  ...line
}: Rated & Partial<Pick<ParsedTitle, 'partReviews'>>): boolean {
  const value = valueOf(line)
  if (partReviews.some((one) => hasHalf(one))) return true
  return value !== undefined && !Number.isInteger(starsOf(value, { halves: 'up', halfStars: true }).stars)
}

/** Without holding the event loop. */
function firstOf(lines: readonly ParsedTitle[]): ParsedTitle[] {
  let entries = 0
  return lines.slice(0, linesPerTitle).filter((line) => (entries += line.entries.length) <= givenEntriesMax)
}

function listItemsOf(items: readonly ParsedListItem[]): ParsedListItem[] {
  const sorted = items.toSorted((a, b) => a.position - b.position || compare(a.note, b.note))
  return [...Map.groupBy(sorted, ({ key }) => key).values()]
    .slice(0, listsMax)
    .map((same) => ({ ...same[0]!, note: same.find(({ note }) => note !== '')?.note ?? '' }))
}

/** Without parts that the member does not import, and without dates in the future. */
function prepared(
  { rating, review, restored, ...title }: ParsedTitle,
  options: ImportOptions,
  past: Past,
): ParsedTitle {
  const { favorites, lists } = options
  const isLeftOut = isTooLong(title, options)
  const reviewed = { rating, review, ...(restored && { restored }) }
  return {
    ...title,
    ...preparedReview(reviewed, options, past, isLeftOut),
    isFavorite: favorites && title.isFavorite,
    favoriteOn: past(title.favoriteOn, 'favorite'),
    listItems: lists ? title.listItems.map((item) => ({ ...item, addedOn: past(item.addedOn, 'list') })) : [],
    entries: title.entries.map((entry) => ({
      ...entry,
      ...(isLeftOut && { text: '' }),
      startedOn: past(dayOf(entry.startedOn), 'started'),
      finishedOn: past(dayOf(entry.finishedOn), 'finished'),
      addedOn: past(entry.addedOn, 'entry'),
      updatedOn: past(entry.updatedOn, 'entry'),
      steps: entry.steps.filter(({ day }) => past(day, 'entry') !== null),
    })),
    notes: title.notes.map((note) =>
      isLeftOut && hasCode(note, 'longText') ? noteOf('longTextSkipped') : note,
    ),
  }
}

function isTooLong({ notes }: Pick<ParsedTitle, 'notes'>, { longTexts }: ImportOptions): boolean {
  return longTexts === 'skip' && notes.some((note) => hasCode(note, 'longText'))
}

type Past = (date: ParsedDate | null, what: string) => ParsedDate | null

function pastBy(latest: string, notes: Set<string>): Past {
  return (date, what) => {
    if (date === null || date.slice(0, 10) <= latest) return date
    notes.add(noteOf('futureDate', what))
    return null
  }
}

function preparedReview(
  { rating, review, restored }: ParsedReview,
  { ratings, reviews }: ImportOptions,
  past: Past,
  isTextLeftOut: boolean,
): ParsedReview {
  const isRestorable = restored && past(restored.createdAt, 'review') && past(restored.updatedAt, 'review')
  return {
    rating: ratings && rating ? { ...rating, on: past(rating.on, 'rating') } : null,
    review: reviews && review && !isTextLeftOut ? { ...review, on: past(review.on, 'review') } : null,
    ...(ratings && isRestorable && { restored }),
  }
}

function lastDayOf({ entries = [] }: Partial<Pick<ParsedTitle, 'entries'>>): string {
  return entries
    .map((entry) => entry.finishedOn ?? entry.startedOn ?? '')
    .reduce((a, b) => (a > b ? a : b), '')
}

/** Compared part by part; of equals the first. Lines without a key are left out. */
function newest<Line>(lines: readonly Line[], keyOf: (line: Line) => string[] | null): Line | undefined {
  // No part has NUL characters, which come before all others.
  const keyed = lines.flatMap((line) => ({ line, key: keyOf(line)?.join('\0') }))
  const sorted = keyed.filter(({ key }) => key !== undefined).sort((a, b) => compare(b.key!, a.key!))
  return sorted[0]?.line
}

function mostCommon<Value>(values: readonly Value[]): Value | undefined {
  const groups = [...Map.groupBy(values, (value) => value)]
  return groups.sort(([, a], [, b]) => b.length - a.length)[0]?.[0]
}

function joinTexts(texts: readonly string[]): string {
  return truncate([...new Set(texts.filter(Boolean))].join('\n\n'), reviewTextMax)
}

const ranks = ['want', 'started', 'paused', 'dropped', 'finished']

/** Drops entries that only repeat others, and makes each valid. */
function entriesOf(given: readonly ParsedEntry[], notes: Set<string>): ParsedEntry[] {
  const byIdentity = new Map<string, ParsedEntry>()
  for (const entry of given) {
    const { origin, status, startedOn, finishedOn, isAgain, pass, text, addedOn } = entry
    const key = origin ?? JSON.stringify([status, startedOn, finishedOn, isAgain, pass, text, addedOn])
    const known = byIdentity.get(key)
    byIdentity.set(key, known ? joinEntries(known, entry) : entry)
  }
  const valid = [...byIdentity.values()].map((entry) => validEntry(entry, notes)).sort(compareAge)

  // Of the entries that only say that the title was finished, one with a text stays, or one if there is no other.
  const isImplied = ({ status, isImplied, text }: ParsedEntry) =>
    status === 'finished' && isImplied === true && text === ''
  const isSaid = valid.some((entry) => entry.status === 'finished' && !isImplied(entry))
  const needed = isSaid ? undefined : valid.filter(isImplied).sort(byPreference)[0]
  const slotOf = ({ status }: ParsedEntry) => (isOver(status) ? null : status === 'want' ? 'want' : 'open')
  const lastOf = new Map(valid.map((entry) => [slotOf(entry), entry]))
  const kept = valid.filter((entry) =>
    isImplied(entry) ? entry === needed : isOver(entry.status) || entry === lastOf.get(slotOf(entry)),
  )
  if (kept.length > entriesMax) notes.add(noteOf('newestEntries', entriesMax))
  const first = kept.find(({ status }) => status === 'finished')
  let room = entryTextsMax
  return kept.slice(-entriesMax).map((entry) => {
    const { isImplied: _, isOfHistory, ...joined } = entry
    room -= entry.text.length
    if (room < 0 && entry.text !== '') notes.add(noteOf('manyTexts'))
    const text = room < 0 ? '' : entry.text
    return { ...joined, text, isAgain: joined.isAgain || (isOfHistory === true && entry !== first) }
  })
}

/** A date is worth more than none; then the origin decides, so that the choice is the same for every file. */
function byPreference(a: ParsedEntry, b: ParsedEntry): number {
  const isDated = ({ finishedOn }: ParsedEntry) => Number(finishedOn !== null)
  return isDated(b) - isDated(a) || compare(b.origin ?? '', a.origin ?? '')
}

function joinEntries(a: ParsedEntry, b: ParsedEntry): ParsedEntry {
  type Key = 'startedOn' | 'finishedOn' | 'ratingGiven' | 'addedOn' | 'updatedOn'
  const sorted = (key: Key) => [a[key] ?? [], b[key] ?? []].flat().sort(compare)
  const lowest = (key: Key) => sorted(key)[0] ?? null
  const highest = (key: Key) => sorted(key).at(-1) ?? null
  return {
    ...a,
    status: ranks.indexOf(a.status) >= ranks.indexOf(b.status) ? a.status : b.status,
    startedOn: lowest('startedOn'),
    finishedOn: highest('finishedOn'),
    isAgain: a.isAgain || b.isAgain,
    ratingGiven: highest('ratingGiven'),
    text: joinTexts([a.text, b.text].sort(compare)),
    addedOn: lowest('addedOn'),
    updatedOn: highest('updatedOn'),
    isImplied: a.isImplied === true && b.isImplied === true,
  }
}

function validEntry(entry: ParsedEntry, notes: Set<string>): ParsedEntry {
  const startedOn = entry.status === 'want' ? null : entry.startedOn
  const finishedOn = isOver(entry.status) ? entry.finishedOn : null
  if (startedOn === null || finishedOn === null || !isBefore(finishedOn, startedOn))
    return { ...entry, startedOn, finishedOn }
  notes.add(noteOf('startAfterEnd'))
  return { ...entry, startedOn: null, finishedOn }
}

function compareAge(a: ParsedEntry, b: ParsedEntry): number {
  return (
    compare(a.finishedOn ?? a.startedOn ?? '', b.finishedOn ?? b.startedOn ?? '') ||
    compare(a.addedOn ?? '', b.addedOn ?? '') ||
    compare(a.origin ?? '', b.origin ?? '') ||
    compare(JSON.stringify(a), JSON.stringify(b))
  )
}
