import { reviewTextMax } from '#shared/limits.ts'
import type { ImportOptions, ImportPart, ImportTitleState, PartVerdict } from '#shared/imports.ts'
import { problemOf } from '#server/diary/rules.ts'
import type { EntryRow, ReviewRow } from '#server/db/tables.ts'
import type { ReadingEntry, TitlePlan } from './formats/reading.ts'

/** The columns of a review that an import compares. */
export type ReviewImage = Pick<ReviewRow, 'rating' | 'rating_given' | 'text' | 'has_spoilers'>
type StoredReview = ReviewImage & Pick<ReviewRow, 'created_at' | 'updated_at' | 'rated_at'>
/** The columns of a diary entry that an import writes. */
export type EntryImage = Pick<
  EntryRow,
  'status' | 'started_on' | 'finished_on' | 'is_again' | 'rating_given' | 'text' | 'origin'
>

/** What the member has of a title. */
export type Here = {
  review: (StoredReview & { id: number }) | undefined
  entries: readonly (EntryImage & { id: number })[]
  isFavorite: boolean
}
/** What imports of the member last wrote of the title, by the id of the row. */
export type Journal = {
  review: Partial<ReviewImage> | undefined
  entries: ReadonlyMap<number, EntryImage>
  hasFavorite: boolean
}
/** Which version wins in a conflict: see `ImportDecision`. */
export type Choice = 'mine' | 'file' | 'both'

export type Adds = { ratings: number; reviews: number; entries: number; favorites: number; titles: number }
export const addsNothing: Adds = { ratings: 0, reviews: 0, entries: 0, favorites: 0, titles: 0 }

export type Writes = {
  review: StoredReview | undefined
  entries: { id: number | null; values: EntryImage; createdAt: string; updatedAt: string }[]
  favoriteSince: string | undefined
}
export type Judgement = {
  verdicts: Partial<Record<ImportPart, PartVerdict>>
  writes: Writes
  adds: Adds
}

/** The time of ratings without a date: outside of all spans of days, so that an import does not make a title popular. */
const unknownTime = '1970-01-01T00:00:00.000Z'

const severity: readonly PartVerdict[] = ['same', 'new', 'newer', 'conflict']

/** Returns the worse of two verdicts. */
function worse(a: PartVerdict | undefined, b: PartVerdict): PartVerdict {
  return a === undefined || severity.indexOf(b) > severity.indexOf(a) ? b : a
}

/** Returns the state of a title from the verdicts of its parts. */
export function stateOf(verdicts: Judgement['verdicts']): ImportTitleState {
  const worst = Object.values(verdicts).reduce<PartVerdict | undefined>(worse, undefined)
  return worst ?? 'notKept'
}

/**
 * Compares a plan with what is here and with what earlier imports wrote, part by part, and returns what to write: what is
 * missing, what an earlier import wrote and nobody changed since, and conflicts that the file wins.
 */
export function judge(
  plan: TitlePlan,
  {
    here,
    journal,
    options,
    choice,
    now,
  }: { here: Here; journal: Journal; options: ImportOptions; choice: Choice | undefined; now: Date },
): Judgement {
  const fileWins = choice === undefined ? options.conflicts === 'file' : choice === 'file'
  const verdicts: Judgement['verdicts'] = {}
  const adds = { ...addsNothing }

  const planned = options.entries ? plan.entries.map((entry) => imageOf(entry, now)) : []
  const review = judgeReview()
  const entries = judgeEntries(planned.map(({ image }) => image))
  if (choice === 'both') addToDiary()
  const favoriteSince = judgeFavorite()
  adds.entries = entries.length
  return { verdicts, adds, writes: { review, entries, favoriteSince } }

  function judgeReview(): StoredReview | undefined {
    const rating = options.ratings ? plan.rating : null
    const written = options.reviews && plan.review && !plan.isTextWithoutRating ? plan.review : null
    const before = here.review
    const viewedAt = lastViewing(plan, now)
    const ratedAt = pastTime(rating?.ratedAt, now) ?? viewedAt
    const writtenAt = pastTime(written?.writtenAt, now)
    if (!before) {
      if (!rating) return undefined
      // The member deleted what an earlier import wrote.
      const verdict = journal.review ? 'conflict' : 'new'
      verdicts.rating = verdict
      if (written) verdicts.review = verdict
      if (verdict === 'conflict' && !fileWins) return undefined
      adds.ratings = 1
      if (written) adds.reviews = 1
      const { restored } = plan
      const createdAt = restored?.createdAt ?? writtenAt ?? ratedAt ?? now.toISOString()
      return {
        rating: rating.stars,
        rating_given: restored ? restored.ratingGiven : rating.given,
        text: cut(written?.text ?? ''),
        has_spoilers: Number(written?.hasSpoilers ?? restored?.hasSpoilers ?? false),
        created_at: createdAt,
        updated_at: restored?.updatedAt ?? createdAt,
        rated_at: ratedAt ?? unknownTime,
      }
    }
    const after = { ...before }
    if (rating) {
      verdicts.rating = judgeRating(before, rating)
      if (verdicts.rating === 'newer' || (verdicts.rating === 'conflict' && fileWins)) {
        after.rating = rating.stars
        after.rating_given = plan.restored ? plan.restored.ratingGiven : rating.given
        if (rating.stars !== before.rating) after.rated_at = ratedAt ?? unknownTime
        adds.ratings = 1
      }
    }
    if (written) {
      verdicts.review = judgeText(before, cut(written.text))
      if (verdicts.review !== 'same' && (verdicts.review !== 'conflict' || fileWins)) {
        after.text = cut(written.text)
        after.has_spoilers = Number(written.hasSpoilers)
        adds.reviews = 1
      }
    }
    if (adds.ratings + adds.reviews === 0) return undefined
    const changedAt = writtenAt ?? ratedAt
    if (changedAt && changedAt > before.updated_at) after.updated_at = changedAt
    return after
  }

  function judgeRating(
    before: StoredReview,
    { stars, given }: NonNullable<TitlePlan['rating']>,
  ): PartVerdict {
    if (before.rating === stars && (before.rating_given === null || before.rating_given === given))
      return 'same'
    const isUntouched =
      journal.review?.rating === before.rating && journal.review.rating_given === before.rating_given
    return isUntouched ? 'newer' : 'conflict'
  }

  function judgeText(before: StoredReview, text: string): PartVerdict {
    if (before.text === text) return 'same'
    if (journal.review?.text === before.text) return before.text === '' ? 'new' : 'newer'
    return before.text === '' && !journal.review?.text ? 'new' : 'conflict'
  }

  function judgeEntries(images: readonly EntryImage[]): Writes['entries'] {
    const writes: Writes['entries'] = []
    const free = new Map(here.entries.map((entry) => [entry.id, entry]))
    const isUntouched = (entry: EntryImage & { id: number }) => {
      const written = journal.entries.get(entry.id)
      return written !== undefined && isSameEntry(written, entry)
    }
    const rule = (verdict: PartVerdict, values: EntryImage, at: number, id: number | null = null) => {
      verdicts.entries = worse(verdicts.entries, verdict)
      if (id !== null) free.delete(id)
      if (verdict !== 'same' && (verdict !== 'conflict' || fileWins)) {
        const { createdAt, updatedAt } = planned[at]!
        writes.push({ id, values, createdAt, updatedAt })
      }
    }
    /** Adds the text and the rating of the file to an entry of the member that has none. */
    const ruleFilled = (known: EntryImage & { id: number }, image: EntryImage, at: number) => {
      const { id, ...before } = known
      const filled = {
        ...before,
        text: before.text || image.text,
        rating_given: before.rating_given ?? image.rating_given,
      }
      if (!isSameEntry(before, filled)) rule('new', filled, at, id)
      else rule(image.text === '' || image.text === before.text ? 'same' : 'conflict', image, at, id)
    }
    const left: [EntryImage, number][] = []
    for (const [at, given] of images.entries()) {
      const rows = [...free.values()]
      const image = comparable(given)
      const known =
        rows.find((row) => image.origin !== null && row.origin === image.origin) ??
        rows.find((row) => row.status === image.status && hasSameDates(row, image))
      if (known) {
        const isSame = isSameEntry(known, { ...image, is_again: known.is_again, origin: known.origin })
        if (isSame) rule('same', image, at, known.id)
        else if (isUntouched(known))
          rule('newer', { ...image, origin: known.origin ?? image.origin }, at, known.id)
        else if (known.status === image.status && hasSameDates(known, image)) ruleFilled(known, image, at)
        else rule('conflict', image, at, known.id)
      } else left.push([image, at])
    }
    for (const [image, at] of left) {
      const isUndated = image.started_on === null && image.finished_on === null
      if (
        image.status === 'finished' &&
        isUndated &&
        here.entries.some(({ status }) => status === 'finished')
      ) {
        const isKnown = image.text === '' || here.entries.some(({ text }) => text === image.text)
        const blank = [...free.values()].find(({ status, text }) => status === 'finished' && text === '')
        if (isKnown) verdicts.entries = worse(verdicts.entries, 'same')
        else if (blank) ruleFilled(blank, image, at)
        else rule(wasWritten(image), image, at)
        continue
      }
      const replaced = [...free.values()].find(
        (row) =>
          isUntouched(row) &&
          isReplacedBy(row, image) &&
          !here.entries.some((other) => other.id !== row.id && excludes(other, image)),
      )
      if (replaced) rule('newer', image, at, replaced.id)
      else if (isOpen(image)) {
        const open = [...free.values()].find(isOpen)
        if (open) rule('conflict', image, at, open.id)
        else
          rule(
            here.entries.some((row) => isOver(row) && endsAfter(row, image)) ? 'conflict' : wasWritten(image),
            image,
            at,
          )
      } else rule(wasWritten(image), image, at)
    }
    return writes

    /**
     * An origin may name the same entry in a later state, as the first of several reads of a book. It never takes back that a
     * title was finished, nor a date that is known, and never makes a second entry of those that exclude each other.
     */
    function comparable(image: EntryImage): EntryImage {
      const row = here.entries.find(({ origin }) => origin !== null && origin === image.origin)
      if (!row) return image
      const isExcluded = here.entries.some((other) => other.id !== row.id && excludes(other, image))
      if (isExcluded || (isOver(row) && !isOver(image))) return { ...image, origin: null }
      const { started_on, finished_on } = row
      return isOver(row) && image.started_on === null && image.finished_on === null
        ? { ...image, started_on, finished_on }
        : image
    }

    /** An entry that an earlier import wrote, and that is not here any more, was changed or deleted by the member. */
    function wasWritten(image: EntryImage): PartVerdict {
      for (const written of journal.entries.values())
        if (written.status === image.status && hasSameDates(written, image)) {
          if (written.origin === image.origin) return 'conflict'
        }
      return 'new'
    }
  }

  /** Adds the rating and the text that lost against the member’s own to the diary. */
  function addToDiary(): void {
    const isRatingLost = verdicts.rating === 'conflict'
    const isTextLost = verdicts.review === 'conflict'
    if (!isRatingLost && !isTextLost) return
    const text = isTextLost ? cut(plan.review?.text ?? '') : ''
    const given = plan.rating?.given ?? null
    if (here.entries.some((entry) => entry.text === text && entry.rating_given === given)) return
    const entry = entries.findLast(({ values }) => isOver(values))
    if (entry) {
      if (text !== '') entry.values.text = text
      entry.values.rating_given ??= given
    } else
      entries.push({
        id: null,
        values: {
          status: 'finished',
          started_on: null,
          finished_on: null,
          is_again: 0,
          rating_given: given,
          text,
          origin: null,
        },
        createdAt: lastViewing(plan, now) ?? now.toISOString(),
        updatedAt: now.toISOString(),
      })
  }

  function judgeFavorite(): string | undefined {
    if (!options.favorites || !plan.isFavorite) return undefined
    verdicts.favorite = here.isFavorite ? 'same' : journal.hasFavorite ? 'conflict' : 'new'
    if (verdicts.favorite === 'same' || (verdicts.favorite === 'conflict' && !fileWins)) return undefined
    adds.favorites = 1
    return pastTime(plan.favoriteOn, now) ?? now.toISOString()
  }
}

const isOpen = ({ status }: Pick<EntryRow, 'status'>) => status === 'started' || status === 'paused'
const isOver = ({ status }: Pick<EntryRow, 'status'>) => status === 'finished' || status === 'dropped'

/** Whether a title can have only one of two entries. */
function excludes(a: Pick<EntryRow, 'status'>, b: Pick<EntryRow, 'status'>): boolean {
  return (isOpen(a) && isOpen(b)) || (a.status === 'want' && b.status === 'want')
}

type Dates = Pick<EntryRow, 'started_on' | 'finished_on'>

function hasSameDates(a: Dates, b: Dates): boolean {
  return a.started_on === b.started_on && a.finished_on === b.finished_on
}

/** Whether an entry that is over may have ended after one that is open began. */
function endsAfter(over: Dates, open: Dates): boolean {
  const end = over.finished_on ?? over.started_on
  return open.started_on === null || end === null || end >= open.started_on
}

/** Whether a new entry continues an older one: a title that was wanted or begun is over, or a date became known. */
function isReplacedBy(row: EntryImage, image: EntryImage): boolean {
  if (row.status === 'want') return image.status !== 'want'
  if (isOpen(row)) return isOver(image)
  const isUndated = row.started_on === null && row.finished_on === null
  return row.status === 'finished' && image.status === 'finished' && isUndated && !hasSameDates(row, image)
}

/** Whether two entries say the same. */
function isSameEntry(a: EntryImage, b: EntryImage): boolean {
  return (
    a.status === b.status &&
    hasSameDates(a, b) &&
    a.is_again === b.is_again &&
    a.rating_given === b.rating_given &&
    a.text === b.text
  )
}

/** Converts an entry of a file to columns, without dates that an entry of its status cannot have. */
function imageOf(
  entry: ReadingEntry,
  now: Date,
): { image: EntryImage; createdAt: string; updatedAt: string } {
  const { status } = entry
  const finished = isOver({ status }) ? civil(entry.finishedOn) : null
  const image: EntryImage = {
    status,
    started_on: status === 'want' ? null : civil(entry.startedOn),
    finished_on: finished,
    is_again: Number(entry.isAgain),
    rating_given: entry.ratingGiven,
    text: cut(entry.text),
    origin: entry.origin,
  }
  if (problemOf(image, now)) image.started_on = null
  if (problemOf(image, now)) image.finished_on = null
  const createdAt =
    pastTime(timeOf(entry.addedOn), now) ??
    pastTime(timeOf(image.finished_on ?? image.started_on), now) ??
    now.toISOString()
  const updatedAt = pastTime(entry.updatedOn, now) ?? now.toISOString()
  return { image, createdAt, updatedAt }
}

function civil(date: string | null): string | null {
  return date === null ? null : date.slice(0, 10)
}

/** Returns noon of a calendar date, which is the same day in nearly all time zones; instants are returned unchanged. */
export function timeOf(date: string | null): string | null {
  if (date === null || date.includes('T')) return date
  return `${`${date}-01-01`.slice(0, 10)}T12:00:00.000Z`
}

function pastTime(time: string | null | undefined, now: Date): string | null {
  return time && time <= now.toISOString() ? time : null
}

/** Returns the time of the last dated entry that is over. */
function lastViewing(plan: TitlePlan, now: Date): string | null {
  const times = plan.entries.flatMap((entry) => pastTime(timeOf(civil(entry.finishedOn)), now) ?? [])
  return times.sort().at(-1) ?? null
}

/** Formats ask about longer texts; this bounds what a file can store in any case. */
function cut(text: string): string {
  const letters = Array.from(text)
  return letters.length <= reviewTextMax ? text : `${letters.slice(0, reviewTextMax - 1).join('')}…`
}
