import { episodesMax, partsMax } from '#shared/domain/limits.ts'
import { type Kind, kinds, type PartType } from '#shared/domain/kinds.ts'
import type { Db } from '#server/db/open.ts'
import { announceSeason } from './new-seasons.ts'
import * as store from './parts-store.ts'
import type { FoundPart } from './sources/source.ts'
import { rankOf } from './sources/title-row.ts'
import type { PartRow } from './tables.ts'

/**
 * Parts keep their ids: a part is recognized by an id of the source, or else by its number. All parts are from one source, the first in the
 * order of precedence, or from the `isChosen` one; others change nothing, and a source without episodes takes none away from another one. What
 * the source has no longer stays if members have watched, rated or reviewed it or a text of theirs names it, but does not count.
 */
export async function saveParts(
  trx: Db,
  title: { id: number; kind: Kind },
  found: readonly FoundPart[],
  source: string,
  { isChosen = false, now = new Date() } = {},
): Promise<void> {
  const known = await store.listParts(trx, title.id)
  if (!isChosen && known.some((part) => rankOf(part.source) < rankOf(source))) return
  const episodes = known.filter(({ type, is_gone }) => type === 'episode' && is_gone === 0)
  const hasEpisodes = found.some(({ parts = [] }) => parts.length > 0)
  if (!hasEpisodes && episodes.some((part) => part.source !== source)) return
  const ids = await store.listPartIds(trx, title.id)
  const partIds = new Map(ids.map((each) => [`${each.source} ${each.external_id}`, each.part_id]))
  const left = new Map(known.map((part) => [part.id, part]))
  let episodeCount = 0
  // Of all levels first, so that no part takes the row of another one that has moved.
  const byId = new Map<FoundPart, PartRow>()
  recognize(found)
  await store.leavePlaces(trx, title.id)
  await saveLevel(found, null, null)
  await removeLeft()
  const saved = await store.listParts(trx, title.id)
  if (scheduleOf(saved) !== scheduleOf(known)) await store.unsettlePasses(trx, title.id)
  await announceSeason(trx, title.id, { before: known, after: saved }, now)

  function recognize(parts: readonly FoundPart[]): void {
    for (const part of parts) {
      const own = part.ids.map(({ source, external_id }) => partIds.get(`${source} ${external_id}`) ?? 0)
      const row = own.map((id) => left.get(id)).find((one) => one?.type === part.type)
      if (row) byId.set(part, row)
      if (row) left.delete(row.id)
      recognize(part.parts ?? [])
    }
  }

  async function saveLevel(
    parts: readonly FoundPart[],
    parent_id: number | null,
    season: number | null,
  ): Promise<void> {
    const placeOf = ({ type, number }: FoundPart) => store.placeOf({ type, number, parent_id })
    const ofKind = parts.filter(({ type }) => (kinds[title.kind].parts as readonly PartType[]).includes(type))
    const bounded = ofKind.slice(0, season === null ? partsMax : Math.max(0, episodesMax - episodeCount))
    const distinct = [...new Map(bounded.map((part) => [placeOf(part), part])).values()]
    if (season !== null) episodeCount += distinct.length
    // Of two rows with this place, the one that the source had until now.
    const rows = [...left.values()].toSorted((a, b) => b.is_gone - a.is_gone)
    const byPlace = new Map(rows.map((row) => [store.placeOf(row), row]))
    const saved = distinct.map((part) => {
      const row = byId.get(part) ?? byPlace.get(placeOf(part))
      if (row) left.delete(row.id)
      return { part, id: row?.id, values: columnsOf(part, parent_id, season) }
    })
    await store.updateParts(
      trx,
      saved.flatMap(({ id, values }) => (id === undefined ? [] : { id, ...values })),
    )
    const ids = await store.insertParts(
      trx,
      saved.flatMap(({ part, id, values }) =>
        id === undefined ? { media_id: title.id, type: part.type, ...values } : [],
      ),
    )
    for (const one of saved) one.id ??= ids.get(placeOf(one.part))
    await store.insertPartIds(
      trx,
      saved.flatMap(({ part, id }) => part.ids.map((each) => ({ ...each, part_id: id! }))),
    )
    for (const { part, id } of saved)
      await (part.parts ? saveLevel(part.parts, id!, part.number) : keepLevel(id!, part.number))
  }

  /** The source was not asked about the parts within this one. */
  async function keepLevel(parentId: number, season: number): Promise<void> {
    const rows = [...left.values()].filter(({ parent_id }) => parent_id === parentId)
    await store.updateParts(
      trx,
      rows.map((row) => ({ ...row, season })),
    )
    for (const { id } of rows) left.delete(id)
    episodeCount += rows.length
  }

  async function removeLeft(): Promise<void> {
    const used = await store.listUsedParts(trx, [...left.keys()])
    const seasons = new Set(
      [...left.values()].flatMap(({ id, parent_id }) => (used.has(id) ? parent_id : [])),
    )
    const kept = [...left.values()].filter(({ id }) => used.has(id) || seasons.has(id))
    await store.updateParts(
      trx,
      kept.map((row) => ({ ...row, is_gone: 1 })),
    )
    for (const { id } of kept) left.delete(id)
    await store.removeParts(trx, [...left.keys()])
  }

  function columnsOf(
    { number, name, releaseDate, airsAt = null, runtime }: FoundPart,
    parent_id: number | null,
    season: number | null,
  ) {
    const when = { release_date: releaseDate, airs_at: airsAt }
    return { parent_id, season, number, name: name ?? '', ...when, runtime, source, is_gone: 0 }
  }
}

/** What the progress of members depends on. */
function scheduleOf(parts: readonly PartRow[]): string {
  const episodes = parts.filter(({ type, is_gone }) => type === 'episode' && is_gone === 0)
  return JSON.stringify(
    episodes
      .toSorted((a, b) => a.id - b.id)
      .map(({ id, season, number, release_date, airs_at }) => [id, season, number, release_date, airs_at]),
  )
}
