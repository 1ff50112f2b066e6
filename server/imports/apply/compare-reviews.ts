import type { PartDiff } from '#shared/contracts/imports.ts'
import { isRatingAt } from '#shared/domain/export-formats.ts'
import { toTenths } from '#shared/domain/ratings.ts'
import { toFlagColumns, toFlags } from '#server/reviews/rules.ts'
import { flagColumns, type ReviewRow, safeColumns, type SafeRow } from '#server/reviews/tables.ts'
import { pause } from '#server/db/slices.ts'
import type { ParsedSafe } from '#server/imports/read/formats/records.ts'
import type { ReviewRecord, TitleRecord } from '#server/imports/match/join.ts'
import { isSameText, worse } from './compare-entries.ts'
import type { FoundParts } from './find-parts.ts'

/** For the rating, and for the text. Each list changes together. */
export const reviewFields = [
  ['rating', 'rating_given'],
  ['text', ...flagColumns, ...safeColumns],
] as const
export type ReviewValues = Pick<ReviewRow, (typeof reviewFields)[number][number]>
export const reviewColumns = reviewFields.flat()
type StoredReview = ReviewValues & Pick<ReviewRow, 'created_at' | 'updated_at' | 'rated_at'>
export type OwnReview = StoredReview & { id: number }
/** What is written of the rating and the text; the rest is as it was. */
type Compared = StoredReview & Record<'hasRating' | 'hasText' | 'isHalf', boolean>
/** `part_id`: null for the title. */
export type ReviewWrite = Compared & { part_id: number | null }

/** For ratings without a date: outside of all spans of days, so that an import does not make a title popular. */
const unknownTime = '1970-01-01T00:00:00.000Z'

/** Spans of days begin in 1970. */
const knownTime = (time: string | null) => (time !== null && time > unknownTime ? time : unknownTime)

const noSafe: SafeRow = { safe_episode_id: null, safe_page: null, safe_percent: null }

type Own = { before: StoredReview | undefined; journal: Partial<ReviewValues> | undefined }
type Reviewing = {
  service: string
  isWritten: (part: PartDiff) => boolean
  /** When the title was last viewed: the time of a rating without one. */
  viewedAt: string | null
  findEpisode: FoundParts['find']
  /** Of a text about a part, which is withheld from those who have not seen it. */
  safeEpisode?: number | null
  now: Date
}

/** Of a title, a season or an episode. */
function compareReview(
  { rating, review, restored }: ReviewRecord,
  { before, journal }: Own,
  { service, isWritten, viewedAt, findEpisode, safeEpisode = null, now }: Reviewing,
): { rating?: PartDiff; review?: PartDiff; write?: Compared } {
  const isAsItWas = restored !== undefined && restored.rating === rating?.stars
  const ratedAt = rating?.ratedAt ?? viewedAt
  const changedAt = review?.writtenAt ?? ratedAt
  const after = before ? { ...before } : newReview()
  const verdicts = {
    ...(rating && { rating: compareRating(rating) }),
    ...(review && { review: compareText(review.text, before?.text, journal && (journal.text ?? '')) }),
  }
  const hasRating = verdicts.rating !== undefined && isWritten(verdicts.rating)
  const hasText = verdicts.review !== undefined && isWritten(verdicts.review)
  if (rating && hasRating) {
    after.rated_at = before?.rating === toTenths(rating.stars) ? before.rated_at : knownTime(ratedAt)
    after.rating = toTenths(rating.stars)
    after.rating_given = isAsItWas ? restored.ratingGiven : rating.given
  }
  if (review && hasText)
    Object.assign(after, { text: review.text }, marksOf({ ...toFlags(after), ...review, ...restored }))
  if (!hasRating && !hasText) return verdicts
  if (before && changedAt && changedAt > before.updated_at) after.updated_at = changedAt
  const isHalf = hasRating && !Number.isInteger(rating!.stars)
  return { ...verdicts, write: { ...after, hasRating, hasText, isHalf } }

  /** Without a rating, it is not written. */
  function newReview(): StoredReview {
    const created_at = restored?.createdAt ?? changedAt ?? now.toISOString()
    const times = { created_at, updated_at: restored?.updatedAt ?? created_at, rated_at: unknownTime }
    return { rating: 0, rating_given: null, text: '', ...noSafe, ...marksOf(restored ?? {}), ...times }
  }

  function marksOf(flags: Parameters<typeof toFlagColumns>[0]) {
    const isFree = safeColumns.every((column) => (before?.[column] ?? null) === null)
    if (!restored)
      return { ...toFlagColumns(flags), ...(review && isFree && { safe_episode_id: safeEpisode }) }
    const safe = safeRowOf(restored.safeUpTo)
    // An episode that is not known here: the text is still not for everybody.
    return { ...toFlagColumns(safe ? flags : { ...flags, hasSpoilers: true }), ...(safe ?? noSafe) }
  }

  function safeRowOf(safe: ParsedSafe | undefined): SafeRow | undefined {
    if (safe === undefined) return noSafe
    if ('page' in safe) return { ...noSafe, safe_page: safe.page }
    if ('percent' in safe) return { ...noSafe, safe_percent: safe.percent }
    const episode = findEpisode({ ...safe, id: null })
    return episode === undefined ? undefined : { ...noSafe, safe_episode_id: episode }
  }

  function compareRating({ stars, given }: NonNullable<ReviewRecord['rating']>): PartDiff {
    // With a journal, the member deleted what an earlier import wrote.
    if (!before) return journal ? 'conflict' : 'new'
    const { rating, rating_given } = before
    if (rating === toTenths(stars) && (rating_given === null || rating_given === given)) return 'same'
    if (isRatingAt(service, before, given)) return 'same'
    return journal?.rating === rating && journal.rating_given === rating_given ? 'newer' : 'conflict'
  }
}

type OwnReviews = {
  current: { reviews: ReadonlyMap<number | null, OwnReview> }
  journal: { reviews: ReadonlyMap<number | null, Partial<ReviewValues>> }
}
type ComparedReviews = {
  parts: { [Part in 'rating' | 'review' | 'partReviews']?: PartDiff }
  writes: ReviewWrite[]
}

/** Of the title, and of its seasons and episodes. */
export async function compareReviews(
  record: TitleRecord,
  { current, journal }: OwnReviews,
  found: FoundParts,
  { viewedAt, ...reviewing }: Omit<Reviewing, 'findEpisode'>,
): Promise<ComparedReviews> {
  const writes: ReviewWrite[] = []
  const compare = (
    part_id: number | null,
    said: ReviewRecord,
    of: Pick<Reviewing, 'viewedAt' | 'safeEpisode'>,
  ) => {
    const own = { before: current.reviews.get(part_id), journal: journal.reviews.get(part_id) }
    const { write, ...verdicts } = compareReview(said, own, { ...reviewing, ...of, findEpisode: found.find })
    if (write) writes.push({ ...write, part_id })
    return verdicts
  }
  const ofTitle = { ...record, review: record.isTextWithoutRating ? null : record.review }
  const parts: ComparedReviews['parts'] = compare(null, ofTitle, { viewedAt })
  for (const review of record.partReviews) {
    await pause()
    const part_id = found.find(review)
    if (part_id === undefined) continue
    const verdicts = compare(part_id, review, { viewedAt: null, safeEpisode: found.lastEpisodeOf(review) })
    for (const verdict of Object.values(verdicts)) parts.partReviews = worse(parts.partReviews, verdict)
  }
  return { parts, writes }
}

/** Compares the file, the member and an earlier import; undefined if there is none. An empty text is filled, unless the member has emptied it. */
export function compareValue<Value>(
  file: Value,
  own: Value | undefined,
  written: Value | undefined,
): PartDiff {
  if (own === undefined) return written === undefined ? 'new' : 'conflict'
  if (own === file) return 'same'
  if (own === '' && !written) return 'new'
  return own === written ? 'newer' : 'conflict'
}

function compareText(file: string, own: string | undefined, written: string | undefined): PartDiff {
  return own !== undefined && isSameText(file, own) ? 'same' : compareValue(file, own, written)
}
