import { dayMs, plusDays } from '#shared/domain/days.ts'
import { titleColumns } from '#server/db/fold.ts'
import type { Db } from '#server/db/open.ts'
import { listEpisodes } from '#server/progress/episodes-store.ts'
import { markEpisodes } from '#server/progress/marks.ts'
import { clockIn, withAired } from '#server/titles/airing.ts'
import { saveParts } from '#server/titles/parts.ts'
import type { FoundPart } from '#server/titles/sources/source.ts'
import { insertTitle } from '#server/titles/store.ts'

/**
 * The catalogue has no show with episodes to come, and none are invented for a real one: this show is made up as a whole, and says so. Of
 * each season, the weeks from now until its first episode, and how many follow each other week by week.
 */
const seasons = [
  { fromWeek: -22, count: 10 },
  { fromWeek: -5, count: 30 },
] as const
const name = 'Made Up: The Series'
const overview =
  'This show does not exist. The demo community made it up so that its calendar always has something to show: an episode airs every week.'
/** Of the second season, the others wait in Up next. */
const watched = 3
/** An episode aired so many days ago. */
const airedDaysAgo = 3
const watchedDaysAgo = 12

/** The member watches it, and has added it to the catalogue, so that it is removed with them. */
export async function fillShow(trx: Db, userId: number, now: Date): Promise<void> {
  const titleId = await insertTitle(trx, {
    kind: 'tvShow',
    name,
    ...titleColumns(name),
    overview,
    details: JSON.stringify({ genres: ['Comedy'], creators: [], platforms: [], rating: null }),
    created_by: userId,
    created_at: now.toISOString(),
  })
  await saveEpisodes(trx, titleId, now)
  const clock = clockIn('UTC', new Date(now.getTime() - watchedDaysAgo * dayMs))
  const episodes = withAired(await listEpisodes(trx, titleId), clock)
  const viewing = { userId, titleId, clock, episodes }
  const seen = episodes.filter(({ season, number }) => season === 1 || number <= watched)
  await markEpisodes(trx, viewing, seen, 1, { watchedOn: 'airDate', watchedAt: null })
}

/** Its episodes air in the weeks around the new day. */
export async function moveShow(trx: Db, userId: number, now: Date): Promise<void> {
  const show = await trx
    .selectFrom('media')
    .select('id')
    .where('created_by', '=', userId)
    .where('name', '=', name)
    .executeTakeFirst()
  if (show) await saveEpisodes(trx, show.id, now)
}

async function saveEpisodes(trx: Db, id: number, now: Date): Promise<void> {
  const today = now.toISOString().slice(0, 10)
  const parts = seasons.map(({ fromWeek, count }, at): FoundPart => {
    const days = Array.from({ length: count }, (_, week) =>
      plusDays(today, 7 * (fromWeek + week) - airedDaysAgo),
    )
    return {
      type: 'season',
      number: at + 1,
      name: null,
      releaseDate: days[0]!,
      runtime: null,
      ids: [],
      parts: days.map((day, episode) => ({
        type: 'episode',
        number: episode + 1,
        name: null,
        releaseDate: day,
        airsAt: `${day}T20:00:00.000Z`,
        runtime: 30,
        ids: [],
      })),
    }
  })
  await saveParts(trx, { id, kind: 'tvShow' }, parts, 'starter', { now })
  await trx
    .updateTable('media')
    .set({ release_date: parts[0]!.releaseDate, release_year: Number(parts[0]!.releaseDate!.slice(0, 4)) })
    .where('id', '=', id)
    .execute()
}
