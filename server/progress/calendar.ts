import type { CalendarEntry, CalendarFilters } from '#shared/contracts/progress.ts'
import { compare } from '#shared/domain/compare.ts'
import { plusDays } from '#shared/domain/days.ts'
import { calendarMax } from '#shared/domain/limits.ts'
import type { Db } from '#server/db/open.ts'
import { clockIn } from '#server/titles/airing.ts'
import { toTitleCard } from '#server/titles/rules.ts'
import { listCards } from '#server/titles/store.ts'
import { listAirings, listReleases } from './calendar-store.ts'
import { toEpisode } from './rules.ts'

type Viewer = { userId: number; timeZone: string }

/** What airs and is released for a member on these days, both included. */
export async function readCalendar(
  db: Db,
  { userId, timeZone }: Viewer,
  { from, to }: { from: string; to: string },
  filters: CalendarFilters,
): Promise<CalendarEntry[]> {
  // An exact time can be on the day before or after in the time zone of the member.
  const [before, after] = [plusDays(from, -1), plusDays(to, 1)]
  const { kind = 'tvShow', status = null } = filters
  const rows = kind === 'tvShow' ? await listAirings(db, userId, before, after, status) : []
  const airings = rows.map((row) => ({
    date: row.airs_at === null ? row.release_date! : clockIn(timeZone, new Date(row.airs_at)).today,
    titleId: row.media_id,
    airsAt: row.airs_at,
    episode: toEpisode(row),
    isPlayed: row.is_played === 1,
    status: row.status,
  }))
  const releases = (await listReleases(db, { userId, from, to }, filters)).map((row) => ({
    date: row.release_date,
    titleId: row.media_id,
    airsAt: null,
    episode: null,
    isPlayed: false,
    status: 'want' as const,
  }))
  const found = [...airings, ...releases]
    .filter(({ date }) => date >= from && date <= to)
    .toSorted((a, b) => compare(a.date, b.date))
    .slice(0, calendarMax)
  const ids = [...new Set(found.map(({ titleId }) => titleId))]
  const cards = new Map((await listCards(db, ids)).map((card) => [card.id, toTitleCard(card)]))
  return found.flatMap(({ titleId, ...entry }) => {
    const title = cards.get(titleId)
    return title ? { ...entry, title } : []
  })
}
