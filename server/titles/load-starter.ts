import type { Kind } from '#shared/domain/kinds.ts'
import { detailsOf } from '#server/titles/rules.ts'
import { saveStarterNames } from '#server/titles/names.ts'
import { insertExternalIds, listByExternalIds } from '#server/titles/external-ids-store.ts'
import { insertStoryTitles, insertTitle, listTitles, updateTitle } from '#server/titles/store.ts'
import { lockKeys } from '#server/db/dialect.ts'
import { titleColumns } from '#server/db/fold.ts'
import type { Db } from '#server/db/open.ts'
import { seasonsOf } from '#server/starter/episodes.ts'
import { listWithEpisodes } from './parts-store.ts'
import { saveParts } from './parts.ts'
import type { TitleDetails, TitlePageRow } from './tables.ts'
import type { StarterTitle } from '#server/starter/schema.ts'
import {
  externalIdsOf,
  namesOf,
  pictureOf,
  starterId,
  starterStories,
  starterTitles,
} from '#server/starter/titles.ts'

/** Returns how many. Titles that were synced from an external source are not changed. */
export async function loadStarter(db: Db, now: Date): Promise<number> {
  return db.transaction().execute(async (trx) => {
    // Of several processes on one Postgres, only the first inserts.
    await lockKeys(trx, ['starter'])
    let added = 0
    for (const [kind, titles] of Object.entries(starterTitles) as [Kind, StarterTitle[]][]) {
      const ids = titles.map((title) => starterId(kind, title.slug))
      const known = await listByExternalIds(trx, 'starter', ids)
      const titleIds = new Map(known.map((row) => [row.external_id, row.media_id]))
      const rows = await listTitles(trx, [...titleIds.values()])
      const rowOf = new Map(rows.map((row) => [row.id, row]))
      for (const title of titles) {
        const titleId = titleIds.get(starterId(kind, title.slug))
        if (titleId !== undefined) await addLaterFacts(trx, rowOf.get(titleId), title)
        else if (await addTitle(trx, kind, title, now)) added++
      }
      const loaded = await listByExternalIds(trx, 'starter', ids)
      const bySlug = new Map(titles.map((title) => [starterId(kind, title.slug), title]))
      await saveStarterNames(
        trx,
        loaded.map(({ external_id, media_id }) => ({
          titleId: media_id,
          names: namesOf(bySlug.get(external_id)!),
        })),
      )
    }
    await addStories(trx)
    await addSeasons(trx)
    return added
  })
}

async function addStories(trx: Db): Promise<void> {
  for (const [story, ids] of starterStories) {
    const titles = await listByExternalIds(trx, 'starter', ids)
    await insertStoryTitles(
      trx,
      titles.map(({ media_id }) => ({ story, media_id })),
    )
  }
}

/** For shows without episodes, because an earlier version loaded none. */
async function addSeasons(trx: Db): Promise<void> {
  const slugs = new Map(starterTitles.tvShow.map(({ slug }) => [starterId('tvShow', slug), slug]))
  const shows = await listByExternalIds(trx, 'starter', [...slugs.keys()])
  const known = await listWithEpisodes(
    trx,
    shows.map(({ media_id }) => media_id),
  )
  for (const { external_id, media_id: id } of shows) {
    const seasons = known.has(id) ? undefined : seasonsOf(slugs.get(external_id)!)
    if (seasons) await saveParts(trx, { id, kind: 'tvShow' }, seasons, 'starter')
  }
}

const laterFacts = ['otherNames', 'lastAirYear', 'seasonCount', 'series'] as const

/** An earlier version loaded the title without them. `row` is undefined if the title is not shown. */
async function addLaterFacts(trx: Db, row: TitlePageRow | undefined, title: StarterTitle): Promise<void> {
  if (!row) return
  const before = detailsOf(row)
  const missing = laterFacts.filter((fact) => title[fact] !== undefined && !before[fact])
  if (missing.length === 0) return
  const details: TitleDetails = {
    ...before,
    ...Object.fromEntries(missing.map((fact) => [fact, title[fact]])),
  }
  await updateTitle(trx, row.id, {
    details: JSON.stringify(details),
    ...titleColumns(row.name, [...details.creators, ...(details.otherNames ?? [])]),
  })
}

/** Returns false if the title exists already, synced from an external source. */
async function addTitle(trx: Db, kind: Kind, title: StarterTitle, now: Date): Promise<boolean> {
  const ids = externalIdsOf(kind, title)
  for (const { source, external_id } of ids) {
    const [known] = await listByExternalIds(trx, source, [external_id])
    if (!known) continue
    await insertExternalIds(trx, [
      { source: 'starter', external_id: starterId(kind, title.slug), media_id: known.media_id },
    ])
    return false
  }
  const id = await insertTitle(trx, {
    kind,
    name: title.name,
    ...titleColumns(title.name, [...title.creators, ...(title.otherNames ?? [])]),
    overview: title.overview,
    tagline: title.tagline,
    image: pictureOf(kind, title, 'poster'),
    backdrop: pictureOf(kind, title, 'backdrop'),
    release_date: title.releaseDate,
    release_year: Number(title.releaseDate.slice(0, 4)),
    runtime: title.runtime ?? null,
    page_count: title.pageCount ?? null,
    details: JSON.stringify({
      genres: title.genres,
      creators: title.creators,
      platforms: title.platforms ?? [],
      rating: null,
      ...Object.fromEntries(laterFacts.map((fact) => [fact, title[fact]])),
    } satisfies TitleDetails),
    source: 'starter',
    created_at: now.toISOString(),
    popularity: title.fame,
  })
  await insertExternalIds(
    trx,
    ids.map((externalId) => ({ ...externalId, media_id: id })),
  )
  return true
}
