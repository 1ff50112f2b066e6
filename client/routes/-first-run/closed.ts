import type { SessionUser } from '#client/session.ts'

/** How many ratings and follows the first steps ask for. */
export const firstRatings = 10
export const firstFollows = 3

const storageKey = 'first steps closed'

/** Returns whether a member has steps left, and has not closed them in this browser. */
export function hasFirstSteps({ id, reviewCount, followingCount }: SessionUser): boolean {
  if (reviewCount >= firstRatings && followingCount >= firstFollows) return false
  try {
    return localStorage.getItem(storageKey) !== String(id)
  } catch {
    return true
  }
}

export function closeFirstSteps({ id }: SessionUser): void {
  try {
    localStorage.setItem(storageKey, String(id))
  } catch {
    // No access to storage: closed until the page is reloaded.
  }
}
