import type { Change } from '#shared/contracts/changes.ts'
import type { Db } from '#server/db/open.ts'
import type { ChangeRow } from './tables.ts'
import type { Feature, FindChanged } from '#server/feature.ts'
import { presentChange } from './rules.ts'

type Logged = Pick<ChangeRow, 'area' | 'action' | 'thing_id' | 'media_id' | 'at'>

export async function withResources(
  db: Db,
  features: readonly Feature[],
  userId: number,
  rows: readonly Logged[],
): Promise<Change[]> {
  const finders = Object.entries(Object.assign({}, ...features.map(({ changes }) => changes))) as [
    Change['area'],
    FindChanged,
  ][]
  const resources = {} as Record<Change['area'], ReadonlyMap<number, Partial<Change>>>
  for (const [area, find] of finders) {
    const existing = rows.filter((row) => row.area === area && row.action !== 'deleted')
    const ids = new Set(existing.map((row) => row.thing_id))
    resources[area] = new Map(ids.size === 0 ? [] : await find(db, userId, [...ids]))
  }
  return rows.map((row) => presentChange(row, resources))
}
