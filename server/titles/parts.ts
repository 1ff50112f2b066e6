import { partsMax } from '#shared/domain/limits.ts'
import { type Kind, kinds, type PartType } from '#shared/domain/kinds.ts'
import type { Db } from '#server/db/open.ts'
import * as store from './parts-store.ts'
import type { FoundPart } from './sources/source.ts'
import { rankOf } from './sources/title-row.ts'
import type { PartRow } from './tables.ts'

/**
 * Parts keep their ids: a part is recognized by an id of the source, or else by its number. All parts are from one source, the first in the
 * order of precedence; others change nothing.
 */
export async function saveParts(
  trx: Db,
  title: { id: number; kind: Kind },
  found: readonly FoundPart[],
  source: string,
): Promise<void> {
  const known = await store.listParts(trx, title.id)
  if (known.some((part) => rankOf(part.source) < rankOf(source))) return
  const ids = await store.listPartIds(trx, title.id)
  const partIds = new Map(ids.map((each) => [`${each.source} ${each.external_id}`, each.part_id]))
  const left = new Map(known.map((part) => [part.id, part]))
  // Of all levels first, so that no part takes the row of another one that has moved.
  const byId = new Map<FoundPart, PartRow>()
  recognize(found)
  await store.leavePlaces(trx, title.id)
  await saveLevel(found, null)
  await store.removeParts(trx, [...left.keys()])

  function recognize(parts: readonly FoundPart[]): void {
    for (const part of parts) {
      const own = part.ids.map(({ source, external_id }) => partIds.get(`${source} ${external_id}`) ?? 0)
      const row = own.map((id) => left.get(id)).find((one) => one?.type === part.type)
      if (row) byId.set(part, row)
      if (row) left.delete(row.id)
      recognize(part.parts ?? [])
    }
  }

  async function saveLevel(parts: readonly FoundPart[], parent_id: number | null): Promise<void> {
    const placeOf = ({ type, number }: FoundPart) => store.placeOf({ type, number, parent_id })
    const ofKind = parts.filter(({ type }) => (kinds[title.kind].parts as readonly PartType[]).includes(type))
    const distinct = [...new Map(ofKind.slice(0, partsMax).map((part) => [placeOf(part), part])).values()]
    const byPlace = new Map([...left.values()].map((row) => [store.placeOf(row), row]))
    const saved = distinct.map((part) => {
      const row = byId.get(part) ?? byPlace.get(placeOf(part))
      if (row) left.delete(row.id)
      return { part, id: row?.id, values: columnsOf(part, parent_id) }
    })
    await store.updateParts(
      trx,
      saved.flatMap(({ id, values }) => (id === undefined ? [] : { id, ...values })),
    )
    for (const one of saved)
      one.id ??= await store.insertPart(trx, { media_id: title.id, type: one.part.type, ...one.values })
    await store.insertPartIds(
      trx,
      saved.flatMap(({ part, id }) => part.ids.map((each) => ({ ...each, part_id: id! }))),
    )
    for (const { part, id } of saved) await (part.parts ? saveLevel(part.parts, id!) : keepLevel(id!))
  }

  /** The source was not asked about the parts within this one. */
  async function keepLevel(parentId: number): Promise<void> {
    const rows = [...left.values()].filter(({ parent_id }) => parent_id === parentId)
    if (rows.length === 0) return
    await store.updateParts(trx, rows)
    for (const { id } of rows) left.delete(id)
    for (const { id } of rows) await keepLevel(id)
  }

  function columnsOf({ number, name, releaseDate, runtime }: FoundPart, parent_id: number | null) {
    return { parent_id, number, name: name ?? '', release_date: releaseDate, runtime, source }
  }
}
