import { dayMs } from '#shared/domain/days.ts'
import type { Db } from '#server/db/open.ts'
import { listEpisodes } from '#server/progress/episodes-store.ts'
import { markEpisodes } from '#server/progress/marks.ts'
import { settlePasses, type Viewing } from '#server/progress/passes.ts'
import { listEntriesOf } from '#server/progress/passes-store.ts'
import type { Aired } from '#server/progress/rules.ts'
import { editPass } from '#server/progress/statements.ts'
import { readData } from '#server/starter/schema.ts'
import { clockIn, withAired } from '#server/titles/airing.ts'

type Ids = { user: (name: string) => number; titleIds: ReadonlyMap<string, number> }

/**
 * The episodes that members have watched, each marked at its own time. Returns the members with their shows, as `<username> <starter id>`:
 * the plays are their entries of the diary. A show whose episodes are not known gets none.
 */
export async function fillPlays(trx: Db, { user, titleIds }: Ids, now: Date): Promise<Set<string>> {
  const filled = new Set<string>()
  for (const { by, title, marks, stated } of readData('plays', 'plays.json').plays) {
    const ids = { userId: user(by), titleId: titleIds.get(title)! }
    const rows = await listEpisodes(trx, ids.titleId)
    const viewingAt = (daysAgo: number) => {
      const clock = clockIn('UTC', new Date(now.getTime() - daysAgo * dayMs))
      return { ...ids, clock, episodes: withAired(rows, clock) } satisfies Viewing
    }
    for (const { daysAgo, upTo, pass = 1, watchedOn = 'now' } of marks) {
      const viewing = viewingAt(daysAgo)
      const episodes = viewing.episodes.filter((one) => one.isAired && isUpTo(upTo, one))
      const watchedAt = watchedOn === 'now' ? viewing.clock.now : null
      if (await markEpisodes(trx, viewing, episodes, pass, { watchedOn, watchedAt }))
        filled.add(`${by} ${title}`)
    }
    if (stated) {
      const entry = (await listEntriesOf(trx, ids.userId, ids.titleId)).at(-1)
      if (entry) await editPass(trx, entry, { status: stated.status }, viewingAt(stated.daysAgo).clock)
    }
    // A season may have begun since.
    await settlePasses(trx, viewingAt(0))
  }
  return filled
}

/** `2x3` is the third episode of the second season, `2` its last one. */
function isUpTo(last: string, { season, number }: Pick<Aired, 'season' | 'number'>): boolean {
  const [lastSeason, lastNumber = Infinity] = last.split('x').map(Number) as [number, number?]
  return season > 0 && (season < lastSeason || (season === lastSeason && number <= lastNumber))
}
