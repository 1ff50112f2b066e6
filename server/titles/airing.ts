import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { PartRow } from './tables.ts'

/** `today` is the day in the time zone of the reader. */
export type Clock = { now: string; today: string }

const dayFormats = new Map<string, Intl.DateTimeFormat>()
const dayFormatsMax = 100

export function clockIn(timeZone: string, now: Date): Clock {
  let format = dayFormats.get(timeZone)
  if (!format) {
    if (dayFormats.size >= dayFormatsMax) dayFormats.clear()
    // Swedish writes days as ISO 8601 does.
    format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })
    dayFormats.set(timeZone, format)
  }
  return { now: now.toISOString(), today: format.format(now) }
}

type Airing = Pick<PartRow, 'release_date' | 'airs_at'> & { season: number }

export type Aired<Row> = Row & { isAired: boolean }

/** Of all episodes of a show, in the order of season and number. One without a date has aired if a later one has; specials follow only each other. */
export function withAired<Row extends Airing>(episodes: readonly Row[], clock: Clock): Aired<Row>[] {
  const hasLater = { regular: false, special: false }
  const aired: Aired<Row>[] = []
  for (let at = episodes.length - 1; at >= 0; at--) {
    const episode = episodes[at]!
    const kind = episode.season === 0 ? 'special' : 'regular'
    const isUndated = episode.airs_at === null && episode.release_date === null
    const isAired = isUndated ? hasLater[kind] : hasBegun(episode, clock)
    hasLater[kind] ||= isAired
    aired.push({ ...episode, isAired })
  }
  return aired.reverse()
}

function hasBegun({ airs_at, release_date }: Airing, { now, today }: Clock): boolean {
  return airs_at === null ? release_date! <= today : airs_at <= now
}

/** The rule of `withAired` in SQL, for rows of `parts`; `hasLater` says whether a later episode has begun. */
export function airedIn({ now, today }: Clock, hasLater: RawBuilder<SqlBool>) {
  const hasBegun = sql<SqlBool>`(parts.airs_at <= ${now} or parts.airs_at is null and parts.release_date <= ${today})`
  const isUndated = sql<SqlBool>`(parts.airs_at is null and parts.release_date is null)`
  return { hasBegun, isAired: sql<SqlBool>`(${hasBegun} or ${isUndated} and ${hasLater})` }
}

const never = '~'

/**
 * The day from which a regular episode that `isDue` has aired somewhere: what is due before need not be looked at. One without a date waits
 * for a later one.
 */
export function firstDay<Row extends Airing>(
  episodes: readonly Row[],
  isDue: (episode: Row) => boolean,
): string {
  let [first, later] = [never, never]
  for (let at = episodes.length - 1; at >= 0; at--) {
    const episode = episodes[at]!
    if (episode.season === 0) continue
    const dated = episode.airs_at?.slice(0, 10) ?? episode.release_date
    const day = dated ?? later
    if (day < first && isDue(episode)) first = day
    if (dated !== null && dated < later) later = dated
  }
  return first
}
