import type { Db } from '#server/db/open.ts'
import { listEpisodes } from '#server/progress/episodes-store.ts'
import { saveParts } from '#server/titles/parts.ts'
import type { FoundPart } from '#server/titles/sources/source.ts'

/** The day of each episode, from the first; null is unknown. A blank text leaves the number out. */
export type Days = Record<number, readonly (string | null)[]>

/** The external ids are unique per `key`. */
function aSeason(key: string, number: number, days: readonly (string | null)[]): FoundPart {
  return {
    type: 'season',
    number,
    name: number === 0 ? 'Specials' : `Season ${number}`,
    releaseDate: days[0] || null,
    runtime: null,
    ids: [{ source: 'tmdb-season', external_id: `${key}.${number}` }],
    parts: days.flatMap((day, at) =>
      day === ''
        ? []
        : {
            type: 'episode' as const,
            number: at + 1,
            name: `Part ${at + 1}`,
            releaseDate: day,
            runtime: 42,
            ids: [{ source: 'tmdb-episode' as const, external_id: `${key}.${number}.${at + 1}` }],
          },
    ),
  }
}

/** Saves the seasons of a show as its source has them now. Returns the ids of the episodes in their order, with the specials first. */
export async function saveSeasons(
  db: Db,
  titleId: number,
  seasons: Days,
  now = new Date(),
): Promise<number[]> {
  const found = Object.entries(seasons).map(([number, days]) =>
    aSeason(String(titleId), Number(number), days),
  )
  const title = { id: titleId, kind: 'tvShow' } as const
  await db.transaction().execute((trx) => saveParts(trx, title, found, 'tmdb', { now }))
  return (await listEpisodes(db, titleId)).map(({ id }) => id)
}

/** Two seasons of three episodes that have aired, and a special. */
export function someEpisodes(db: Db, titleId: number): Promise<number[]> {
  const days = (year: number) => [1, 2, 3].map((month) => `${year}-0${month}-01`)
  return saveSeasons(db, titleId, { 0: [null], 1: days(2020), 2: days(2021) })
}
