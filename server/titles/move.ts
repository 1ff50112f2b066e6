import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '#server/db/open.ts'
import { removeRows } from '#server/db/rows.ts'
import type { Feature } from '#server/feature.ts'
import { lockTitle } from './store.ts'

export type TitleFeatures = readonly Pick<Feature, 'titles'>[]

/**
 * Rows of members, imports and sources, to a title of the same kind. The title stays, with nothing left. On Postgres, the lock keeps others
 * from adding rows meanwhile.
 */
export async function moveTitle(features: TitleFeatures, trx: Db, from: number, to: number): Promise<void> {
  const locked = []
  // So that two moves do not deadlock.
  for (const id of [from, to].sort((a, b) => a - b)) locked.push(await lockTitle(trx, id))
  const [one, other] = locked
  if (from === to || !one || !other || one.kind !== other.kind)
    throw new Error('Rows move between two titles of one kind.')
  for (const { titles } of features) await titles?.move(trx, from, to)
}

export function isTitleUsed(features: TitleFeatures, exceptUserId = 0): RawBuilder<SqlBool> {
  const conditions = features.flatMap(({ titles }) => titles?.isUsed?.(exceptUserId) ?? [])
  return sql`(${sql.join(conditions, sql` or `)})`
}

/** The counters of members and lists stay exact. */
export async function removeTitle(features: TitleFeatures, trx: Db, id: number): Promise<void> {
  await lockTitle(trx, id)
  for (const { titles } of features) await titles?.remove(trx, id)
  await removeRows(trx, 'media', { id })
}
