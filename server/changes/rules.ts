import { changeDays } from '#shared/domain/limits.ts'
import type { Change } from '#shared/contracts/changes.ts'
import { dayMs } from '#shared/domain/days.ts'
import type { ChangeRow } from './tables.ts'

export const retentionMs = changeDays * dayMs

/** Changes may have been removed. */
export function isExpired(readAtMs: number, now: Date): boolean {
  return now.getTime() - readAtMs > retentionMs
}

export type Resources = Record<Change['area'], ReadonlyMap<number, Partial<Change>>>

/** Without a current resource, the action is `deleted`. */
export function presentChange(
  {
    area,
    action,
    thing_id,
    media_id,
    at,
  }: Pick<ChangeRow, 'area' | 'action' | 'thing_id' | 'media_id' | 'at'>,
  resources: Resources,
): Change {
  const resource = action === 'deleted' ? undefined : resources[area].get(thing_id)
  return {
    area,
    action: resource ? action : 'deleted',
    id: thing_id,
    at,
    ...(media_id !== null && { itemId: media_id }),
    ...resource,
  }
}
