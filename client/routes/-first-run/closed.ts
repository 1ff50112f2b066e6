import type { SessionUser } from '#client/app/session.ts'
import { readStored, writeStored } from '#client/ui/stored.ts'

export const firstRatings = 10
export const firstFollows = 3

const storageKey = 'first steps closed'

export function hasFirstSteps({ id, reviewCount, followingCount }: SessionUser): boolean {
  const isDone = reviewCount >= firstRatings && followingCount >= firstFollows
  return !isDone && readStored(storageKey) !== String(id)
}

export function closeFirstSteps({ id }: SessionUser): void {
  writeStored(storageKey, String(id))
}
