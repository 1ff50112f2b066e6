import type { z } from 'zod'
import type * as schema from '#shared/contracts/diary.ts'
import type { DiaryWritten, DiaryYear, EntryProgress } from '#shared/contracts/diary.ts'
import { compare } from '#shared/domain/compare.ts'
import { latestDay } from '#shared/domain/days.ts'
import { yearTitlesMax } from '#shared/domain/limits.ts'
import {
  type DiaryStatus,
  isOver,
  type Kind,
  kinds,
  perKind,
  type ProgressUnit,
} from '#shared/domain/kinds.ts'
import { countRatings, toStars } from '#shared/domain/ratings.ts'
import { messages } from '#shared/texts/messages.ts'
import type { TitleDetails, TitleRow } from '#server/titles/tables.ts'
import type { EntryRow, LastStep, ShownEntryRow, WrittenEntryRow, YearEntryRow } from './tables.ts'

type OwnEntry = z.infer<typeof schema.myDiary.output>['entries'][number]
type DiaryEntry = z.infer<typeof schema.userDiary.output>['entries'][number]

/** Fields that are not sent keep their values. Dates that the new status cannot have are dropped; if they are sent, `problemOf` refuses them. */
export function applyWritten(
  sent: DiaryWritten,
  before: Omit<WrittenEntryRow, 'status'> & { status?: DiaryStatus },
): WrittenEntryRow {
  const status = sent.status ?? before.status!
  const kept = {
    started_on: status === 'want' ? null : before.started_on,
    finished_on: isOver(status) ? before.finished_on : null,
  }
  return {
    status,
    started_on: sent.startedOn === undefined ? kept.started_on : sent.startedOn,
    finished_on: sent.finishedOn === undefined ? kept.finished_on : sent.finishedOn,
    is_again: sent.isAgain === undefined ? before.is_again : Number(sent.isAgain),
    text: sent.text ?? before.text,
  }
}

/** The message about the dates; undefined if they are valid. */
export function problemOf(
  { status, started_on, finished_on }: Pick<WrittenEntryRow, 'status' | 'started_on' | 'finished_on'>,
  now: Date,
): string | undefined {
  if (status === 'want' && (started_on !== null || finished_on !== null)) return messages.wantHasDates
  if (finished_on !== null && !isOver(status)) return messages.openHasEnd
  const latest = latestDay(now)
  if ([started_on, finished_on].some((date) => date !== null && date > latest)) return messages.dateInFuture
  if (started_on !== null && finished_on !== null && isBefore(finished_on, started_on))
    return messages.endBeforeStart
  return undefined
}

/** Certainly; either date may lack the day, or the day and the month. */
export function isBefore(date: string, other: string): boolean {
  const length = Math.min(date.length, other.length)
  return date.slice(0, length) < other.slice(0, length)
}

const isCurrent = ({ status }: Pick<EntryRow, 'status'>) => status === 'started' || status === 'paused'

/** Two of one title on the want list, or two under way. */
export function exclude(one: Pick<EntryRow, 'status'>, other: Pick<EntryRow, 'status'>): boolean {
  return (one.status === 'want' && other.status === 'want') || (isCurrent(one) && isCurrent(other))
}

/** The older one of the want list, or the one under way that was changed last. */
export function joinEntries(from: EntryRow, to: EntryRow): EntryRow {
  const isFirst = isCurrent(from) ? from.updated_at > to.updated_at : from.created_at < to.created_at
  const [kept, other] = isFirst ? [from, to] : [to, from]
  const starts = [kept.started_on, other.started_on].filter((day) => day !== null).sort()
  const texts = new Set([kept.text, other.text].filter(Boolean))
  return {
    ...kept,
    started_on: starts[0] ?? null,
    rating_given: kept.rating_given ?? other.rating_given,
    text: [...texts].join('\n\n'),
  }
}

/** In the order of `listEntryIdsOf`. */
export function currentStatus(entries: readonly Pick<EntryRow, 'status'>[]): DiaryStatus | null {
  return entries[0]?.status ?? null
}

type TitleColumns = Pick<YearEntryRow, 'media_id' | 'kind' | 'name' | 'image' | 'release_year'>

function toTitle({ media_id, kind, name, image, release_year }: TitleColumns) {
  return { id: media_id, kind, name, imageUrl: image, releaseYear: release_year }
}

export type Lengths = Pick<TitleRow, 'runtime' | 'page_count'>

/** Of the whole title, in the unit; null if it is not known. */
export function totalOf(unit: ProgressUnit, kind: Kind, { runtime, page_count }: Lengths): number | null {
  if (unit === 'percent') return 100
  const { length } = kinds[kind]
  if (length === null) return null
  return (length === 'pageCount' ? page_count : runtime) || null
}

/** Null without a step. A title may have become shorter since. */
export function progressOf({
  step_unit: unit,
  step_hundredths: hundredths,
  kind,
  ...lengths
}: LastStep & Lengths & { kind: Kind }): EntryProgress | null {
  if (unit === null || hundredths === null) return null
  const total = totalOf(unit, kind, lengths)
  const percent = total === null ? null : Math.min(100, Math.floor(hundredths / total))
  return { unit, value: hundredths / 100, total, percent }
}

export function toEntry(row: ShownEntryRow): DiaryEntry {
  return {
    id: row.id,
    status: row.status,
    startedOn: row.started_on,
    finishedOn: row.finished_on,
    isAgain: row.is_again === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    title: toTitle(row),
    runtime: row.runtime,
    pageCount: row.page_count,
    rating: row.rating === null ? null : toStars(row.rating),
    progress: progressOf(row),
  }
}

export function toOwnEntry(row: ShownEntryRow): OwnEntry {
  return { ...toEntry(row), text: row.text, ratingGiven: row.rating_given }
}

const rankedMax = 5

type CountedRow = Omit<YearEntryRow, 'details' | 'rating_count'> & Pick<TitleDetails, 'genres'>

/** Finished entries, sorted by day. Ratings, genres and decades count each title once. */
export function summarizeYear(
  year: number,
  rows: readonly CountedRow[],
  around: { before: string | undefined; after: string | undefined },
): DiaryYear {
  const none = () => perKind(() => 0)
  const kinds = none()
  let [minutes, pages] = [0, 0]
  const months = Array.from({ length: 12 }, (_, index) => ({ month: index + 1, ...none() }))
  const days = new Map<string, number>()
  for (const { kind, day, runtime, page_count } of rows) {
    kinds[kind] += 1
    // The runtime of a TV show is an episode’s.
    if (kind === 'movie') minutes += runtime ?? 0
    pages += page_count ?? 0
    if (day.length >= 7) months[Number(day.slice(5, 7)) - 1]![kind] += 1
    if (day.length === 10) days.set(day, (days.get(day) ?? 0) + 1)
  }

  const titles = [...new Map(rows.map((row) => [row.media_id, row])).values()]
  const { counts: ratings, halfCounts: halfRatings } = countRatings(
    titles.flatMap(({ rating }) => (rating === null ? [] : { rating })),
  )
  const dated = rows.filter(({ day }) => day.length === 10)
  const datedTitle = (row: CountedRow | undefined) => row && { date: row.day, title: toTitle(row) }
  const yearOf = (day: string | undefined) => (day ? Number(day.slice(0, 4)) : null)
  return {
    year,
    total: rows.length,
    kinds,
    months,
    days: [...days].map(([date, count]) => ({ date, count })),
    minutes,
    pages,
    titles: shownTitles(titles).map(toTitle),
    ratings,
    halfRatings,
    highestRated: titles
      .filter(({ rating }) => rating !== null)
      .sort((a, b) => b.rating! - a.rating! || compare(b.day, a.day) || b.id - a.id)
      .slice(0, rankedMax)
      .map((row) => ({ title: toTitle(row), rating: toStars(row.rating!) })),
    genres: mostCommon(titles.flatMap(({ genres }) => [...new Set(genres)])).map(([name, count]) => ({
      name,
      count,
    })),
    decades: mostCommon(
      titles.flatMap(({ release_year }) => (release_year === null ? [] : Math.floor(release_year / 10) * 10)),
    ).map(([decade, count]) => ({ decade, count })),
    first: datedTitle(dated[0]) ?? null,
    last: datedTitle(dated.at(-1)) ?? null,
    previousYear: yearOf(around.before),
    nextYear: yearOf(around.after),
  }
}

function shownTitles(titles: readonly CountedRow[]): readonly CountedRow[] {
  if (titles.length <= yearTitlesMax) return titles
  return titles.filter(({ image }) => image !== null).slice(0, yearTitlesMax)
}

const twinCommonMin = 3
const twinTitlesMax = 5

export function findTwin(
  rows: readonly { user_id: number; media_id: number }[],
): { userId: number; commonCount: number; titleIds: number[] } | undefined {
  const [best] = [...Map.groupBy(rows, ({ user_id }) => user_id)]
    .filter(([, common]) => common.length >= twinCommonMin)
    .sort(([id, common], [otherId, others]) => others.length - common.length || id - otherId)
  if (!best) return undefined
  const [userId, common] = best
  const titleIds = common.slice(0, twinTitlesMax).map(({ media_id }) => media_id)
  return { userId, commonCount: common.length, titleIds }
}

/** Equal seeds return the same element of lists of the same length. */
export function pickOne<One>(list: readonly One[], seed: number): One | undefined {
  return list[(Math.imul(seed + 1, 0x9e3779b1) >>> 0) % Math.max(1, list.length)]
}

function mostCommon<Value extends string | number>(values: readonly Value[]): [Value, number][] {
  const counts = new Map<Value, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1] || compare(a[0], b[0])).slice(0, rankedMax)
}
