import { useSyncExternalStore } from 'react'

/**
 * The REST paths of reviews, comments and lists that are deleted, or will be unless the member undoes it. Ids are never reused, so the set
 * only grows.
 */
let deleted: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()

export const reviewPath = (id: number) => `/reviews/${id}`
export const commentPath = (id: number) => `/comments/${id}`
export const listPath = (id: number) => `/lists/${id}`

/** Returns the REST paths of what to hide, because they are deleted or are about to be. */
export function useDeleted(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, getDeleted, getDeleted)
}

export function getDeleted(): ReadonlySet<string> {
  return deleted
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function setDeleted(path: string, isDeleted: boolean): void {
  const next = new Set(deleted)
  if (isDeleted) next.add(path)
  else next.delete(path)
  deleted = next
  for (const listener of listeners) listener()
}
