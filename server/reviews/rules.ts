import type { z } from 'zod'
import { allKinds, type Kind, kinds, type PartType, perKind } from '#shared/domain/kinds.ts'
import { messages } from '#shared/texts/messages.ts'
import {
  byFlag,
  type FlagColumn,
  flagNames,
  type ReviewFlags,
  reviewFlags,
} from '#shared/domain/review-flags.ts'
import {
  barOf,
  countRatings,
  meanRating,
  type RatingStep,
  toStars,
  toTenths,
} from '#shared/domain/ratings.ts'
import type {
  comment,
  Edited,
  LiveEvent,
  reaction,
  review,
  ReviewSnapshot,
  SafeUpTo,
  ShownSafeUpTo,
  SortBy,
  SubjectKeys,
  TitleKeys,
  Written,
} from '#shared/contracts/reviews.ts'
import type { titleCard } from '#shared/contracts/scalars.ts'
import { dayOf, spanLengths, spanStart } from '#server/db/spans.ts'
import type { RatingsRow } from '#server/titles/tables.ts'
import type {
  ReviewedPart,
  ReviewRow,
  SafeRow,
  ShownCommentRow,
  ShownReviewRow,
  ShownSafeRow,
  WrittenRow,
} from './tables.ts'

/** If `kind` is present, the title must be of that kind. */
export type TitleRef = { id: number; kind?: Kind; notFound: string }

/** The schema has checked that exactly one of the keys is present. */
export function titleRefOf(input: TitleKeys): TitleRef {
  for (const { kind, idKey, words } of allKinds) {
    const id = input[idKey]
    if (id !== undefined) return { id, kind, notFound: words.notFound }
  }
  return { id: input.itemId!, notFound: messages.itemNotFound }
}

/** With `part`, the id is the id of a part of this type. */
export type SubjectRef = TitleRef & { part?: PartType }

export function subjectRefOf({ seasonId, episodeId, ...title }: SubjectKeys): SubjectRef {
  if (seasonId !== undefined) return { id: seasonId, part: 'season', notFound: messages.seasonNotFound }
  if (episodeId !== undefined) return { id: episodeId, part: 'episode', notFound: messages.episodeNotFound }
  return titleRefOf(title)
}

type Counted = Pick<ReviewRow, 'rating' | 'text' | 'is_public'>

/** Of a title's counters. `before` is undefined for a new review, `after` for a deleted one. */
export function countsBetween(before: Counted | undefined, after: Counted | undefined) {
  const counts = {
    rating_count: 0,
    rating_sum: 0,
    stars_1: 0,
    stars_2: 0,
    stars_3: 0,
    stars_4: 0,
    stars_5: 0,
    halves_1: 0,
    halves_2: 0,
    halves_3: 0,
    halves_4: 0,
    text_count: 0,
    public_text_count: 0,
  }
  const count = (review: Counted, by: 1 | -1) => {
    counts.rating_count += by
    counts.rating_sum += by * review.rating
    const stars = toStars(review.rating)
    const bar = barOf(stars)
    counts[`stars_${bar}`] += by
    if (stars < bar) counts[`halves_${(bar - 1) as 1 | 2 | 3 | 4}`] += by
    if (review.text === '') return
    counts.text_count += by
    counts.public_text_count += by * review.is_public
  }
  if (before) count(before, -1)
  if (after) count(after, 1)
  return counts
}

/** Undefined keeps the value. */
export function toSafeColumns(sent: SafeUpTo | null | undefined): SafeRow | undefined {
  if (sent === undefined) return undefined
  const { episodeId = null, page = null, percent = null } = sent ?? {}
  return { safe_episode_id: episodeId, safe_page: page, safe_percent: percent }
}

function toWithholding({ text, ...row }: ShownSafeRow & { text: string | null }) {
  const safeUpTo = toSafeUpTo(row)
  return { ...(safeUpTo && { safeUpTo }), ...(text === null && { isWithheld: true as const }) }
}

export function toSafeUpTo(row: SafeRow & Partial<ShownSafeRow>): ShownSafeUpTo | undefined {
  if (row.safe_page !== null) return { page: row.safe_page }
  if (row.safe_percent !== null) return { percent: row.safe_percent }
  if (row.safe_episode_id === null) return undefined
  const { safe_season: season = null, safe_number: number = null } = row
  return {
    episodeId: row.safe_episode_id,
    ...(season !== null && { season }),
    ...(number !== null && { number }),
  }
}

function writtenOf(sent: Edited, before: WrittenRow): WrittenRow & SafeRow {
  return {
    rating: sent.rating === undefined ? before.rating : toTenths(sent.rating),
    text: sent.text ?? before.text,
    ...toFlagColumns(byFlag((_flag, name) => sent[name] ?? toFlags(before)[name])),
    ...(toSafeColumns(sent.safeUpTo) ?? pickSafe(before)),
  }
}

const pickSafe = ({ safe_episode_id = null, safe_page = null, safe_percent = null }: Partial<SafeRow>) => ({
  safe_episode_id,
  safe_page,
  safe_percent,
})

export function toFlags(row: Pick<WrittenRow, FlagColumn>): ReviewFlags {
  return byFlag(({ column }) => row[column] === 1)
}

export function toFlagColumns(flags: Partial<ReviewFlags>): Record<FlagColumn, number> {
  const columns = flagNames.map((name) => [reviewFlags[name].column, Number(flags[name] ?? false)])
  return Object.fromEntries(columns) as Record<FlagColumn, number>
}

/** Decisions about the review hide some columns. */
export function withDecisions<Values extends WrittenRow>(
  before: Pick<ReviewRow, 'removed_text' | 'own_has_spoilers'>,
  values: Values,
) {
  return {
    ...values,
    ...(before.removed_text !== null && { text: '', removed_text: values.text || before.removed_text }),
    ...(before.own_has_spoilers !== null && { has_spoilers: 1, own_has_spoilers: values.has_spoilers }),
  }
}

type Pair = Pick<ReviewRow, 'text' | 'removed_text' | 'updated_at'>

/** If two titles turn out to be one: the one with a text, or else the newer one, or else the second one. */
export function pairOf<Review extends Pair>(from: Review, to: Review): { kept: Review; other: Review } {
  const [own, their] = [textOf(from), textOf(to)].map((text) => text !== '')
  const isFirst = own === their ? from.updated_at > to.updated_at : own
  return isFirst ? { kept: from, other: to } : { kept: to, other: from }
}

export function textOf({ text, removed_text }: Pick<ReviewRow, 'text' | 'removed_text'>): string {
  return removed_text ?? text
}

export function newReview(sent: Written, now: string) {
  const written = writtenOf(sent, { rating: toTenths(sent.rating), text: '', ...toFlagColumns({}) })
  return { ...written, created_at: now, updated_at: now, rated_at: now }
}

type Rated = { rating: number; rated_at: string }

export function ratingCountsBetween(before: Rated | undefined, after: Rated | undefined) {
  const gains = new Map<string, { days: number; start: number; count: number; sum: number }>()
  const count = ({ rating, rated_at }: Rated, by: 1 | -1) => {
    for (const days of spanLengths) {
      const start = spanStart(dayOf(Date.parse(rated_at)), days)
      const key = `${days} ${start}`
      const gain = gains.get(key) ?? { days, start, count: 0, sum: 0 }
      gains.set(key, { ...gain, count: gain.count + by, sum: gain.sum + by * rating })
    }
  }
  if (before) count(before, -1)
  if (after) count(after, 1)
  return [...gains.values()].filter((gain) => gain.count !== 0 || gain.sum !== 0)
}

type OwnRow = WrittenRow & { rating_given: string | null; rated_at: string; updated_at: string }

/** `rated_at` changes only with the rating, which also clears `rating_given`. */
export function applyEdit(before: OwnRow, sent: Edited, now: string) {
  const written = writtenOf(sent, before)
  const isNew = (Object.keys(written) as (keyof WrittenRow)[]).some((key) => written[key] !== before[key])
  return {
    ...written,
    updated_at: isNew ? now : before.updated_at,
    rated_at: written.rating === before.rating ? before.rated_at : now,
    rating_given: written.rating === before.rating ? before.rating_given : null,
  }
}

/** The times of a restored review are never later than those it had. */
export function restored(before: OwnRow, sent: ReviewSnapshot) {
  const earlier = (sentTime: string, other: string) => {
    const time = new Date(sentTime).toISOString()
    return time < other ? time : other
  }
  return {
    ...writtenOf(sent, before),
    updated_at: earlier(sent.updatedAt, before.updated_at),
    rated_at: earlier(sent.ratedAt, before.rated_at),
    rating_given: sent.ratingGiven,
  }
}

export function snapshotOf(row: OwnRow & { id: number }): ReviewSnapshot {
  return {
    id: row.id,
    rating: toStars(row.rating),
    text: row.text,
    ...toFlags(row),
    safeUpTo: toSafeUpTo(pickSafe(row)) ?? null,
    ratingGiven: row.rating_given,
    updatedAt: row.updated_at,
    ratedAt: row.rated_at,
  }
}

/** `review` is set if it entered or left the list of the title, or of the part. */
export type Change = { subject: Subject; review?: LiveEvent['reviews'][number] }
export type Subject = Pick<ReviewRow, 'media_id' | 'part_id'>

/** Undefined if only the text changed. `before` and `after` as in `countsBetween`. */
export function changeBetween(
  { id, media_id, part_id, user_id }: Pick<ReviewRow, 'id' | 'media_id' | 'part_id' | 'user_id'>,
  before: Counted | undefined,
  after: Counted | undefined,
): Change | undefined {
  const wasListed = Boolean(before?.text)
  const isListed = Boolean(after?.text)
  const subject = { media_id, part_id }
  if (wasListed !== isListed) return { subject, review: { id, userId: user_id, isListed } }
  return before?.rating === after?.rating ? undefined : { subject }
}

type Reaction = z.infer<typeof reaction>

export function reactionsBetween(before: Reaction, after: Reaction) {
  const gain = (one: Reaction) => Number(after === one) - Number(before === one)
  return { like_count: gain('like'), dislike_count: gain('dislike') }
}

export function toReview(row: ShownReviewRow): z.infer<typeof review> {
  return {
    id: row.id,
    userId: row.user_id,
    itemId: row.media_id,
    [kinds[row.kind].idKey]: row.media_id,
    about: aboutOf(row.part),
    rating: toStars(row.rating),
    // Of a removed review, only its author gets the row.
    text: row.removed_text ?? row.text ?? '',
    ...(row.removed_text !== null && { isRemoved: true as const }),
    ...toFlags(row),
    ...toWithholding(row),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    likeCount: row.like_count,
    dislikeCount: row.dislike_count,
    userReaction: row.reaction ?? 'none',
    commentCount: row.comment_count,
    user: { id: row.user_id, username: row.username, profilePicture: row.picture },
  }
}

export function toComment(row: ShownCommentRow): z.infer<typeof comment> {
  return {
    id: row.id,
    text: row.text ?? '',
    hasSpoilers: row.has_spoilers === 1,
    ...toWithholding(row),
    createdAt: row.created_at,
    author: { id: row.user_id, username: row.username, profilePicture: row.picture },
  }
}

/** How responses and files name a part: an episode by the number of its season and its own, a season by its own. */
export function numbersOf({ type, season, number }: Pick<ReviewedPart, 'type' | 'season' | 'number'>) {
  return type === 'episode' ? { season: season!, number } : { season: number, number: null }
}

/** `outside_id` is its id at a source. */
export function exportedPart({
  outside_id: partId,
  ...part
}: Parameters<typeof numbersOf>[0] & { outside_id: string | null }) {
  const { season, number: episode } = numbersOf(part)
  return { season, episode, partId }
}

export function aboutOf(part: ReviewedPart | null | undefined): z.infer<typeof review>['about'] {
  if (!part) return null
  const isEpisode = part.type === 'episode'
  return {
    seasonId: isEpisode ? part.parent_id! : part.id,
    episodeId: isEpisode ? part.id : null,
    ...numbersOf(part),
    name: part.name,
  }
}

type SortKey = { id: number; rating: number; like_count: number; created_at: string }
type Sorting = { sortBy: SortBy; order: 'asc' | 'desc' }

/** In the order of `listReviewsPage`, which the indexes have. */
export function sortReviews<Row extends SortKey>(rows: readonly Row[], { sortBy, order }: Sorting): Row[] {
  const direction = order === 'asc' ? 1 : -1
  const column = sortBy === 'createdAt' ? undefined : sortBy === 'rating' ? 'rating' : 'like_count'
  return rows.toSorted((a, b) => {
    if (column !== undefined && a[column] !== b[column]) return direction * (a[column] - b[column])
    if (a.created_at !== b.created_at) return a.created_at < b.created_at ? -direction : direction
    return direction * (a.id - b.id)
  })
}

export function histogramOf(row: RatingsRow) {
  return {
    counts: { 1: row.stars_1, 2: row.stars_2, 3: row.stars_3, 4: row.stars_4, 5: row.stars_5 },
    halfCounts: {
      1: row.stars_1,
      1.5: row.halves_1,
      2: row.stars_2 - row.halves_1,
      2.5: row.halves_2,
      3: row.stars_3 - row.halves_2,
      3.5: row.halves_3,
      4: row.stars_4 - row.halves_3,
      4.5: row.halves_4,
      5: row.stars_5 - row.halves_4,
    } satisfies Record<RatingStep, number>,
    total: row.rating_count,
    avg: meanRating(row.rating_sum, row.rating_count),
  }
}

export function histogramOfRatings(rows: readonly { rating: number; count: number }[]) {
  const { sum, ...counted } = countRatings(rows)
  return { ...counted, avg: meanRating(sum, counted.total) }
}

export function histogramsOf(rows: readonly { kind: Kind; rating: number; count: number }[]) {
  const histogram = (ofKind: (kind: Kind) => boolean) =>
    histogramOfRatings(rows.filter(({ kind }) => ofKind(kind)))
  return {
    all: histogram(() => true),
    ...perKind(({ kind: one }) => histogram((kind) => kind === one)),
  }
}

const shownRaters = 3

/** Summarizes ratings by title. `raters` are the ids of members, the highest rating first, of those in `shown`. */
export function summarizeNetwork(
  rows: readonly { media_id: number; user_id: number; rating: number }[],
  shown?: { has: (userId: number) => boolean },
): { titleId: number; count: number; average: number; raters: number[] }[] {
  return [...Map.groupBy(rows, ({ media_id }) => media_id)].map(([titleId, ratings]) => ({
    titleId,
    count: ratings.length,
    average: meanRating(countRatings(ratings).sum, ratings.length)!,
    raters: ratings
      .filter(({ user_id }) => shown?.has(user_id) ?? true)
      .toSorted((a, b) => b.rating - a.rating || a.user_id - b.user_id)
      .slice(0, shownRaters)
      .map(({ user_id }) => user_id),
  }))
}

/** Without reviews whose title was deleted meanwhile. */
export function withTitles(rows: readonly ShownReviewRow[], cards: readonly z.infer<typeof titleCard>[]) {
  const titles = new Map(cards.map((card) => [card.id, card]))
  return rows.flatMap((row) => {
    const title = titles.get(row.media_id)
    return title ? [{ ...toReview(row), title }] : []
  })
}
