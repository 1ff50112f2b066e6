import { createStore } from '#client/ui/store.ts'

/**
 * The REST paths of reviews, comments and lists that are deleted, or will be unless the member undoes it. Ids are never reused, so the set
 * only grows.
 */
const deleted = createStore<ReadonlySet<string>>(new Set())

export const reviewPath = (id: number) => `/reviews/${id}`
export const commentPath = (id: number) => `/comments/${id}`
export const listPath = (id: number) => `/lists/${id}`

/** Returns the REST paths of what to hide, because it is deleted or is about to be. */
export const useDeleted = deleted.useValue
export const getDeleted = deleted.get

export function setDeleted(path: string, isDeleted: boolean): void {
  const next = new Set(deleted.get())
  if (isDeleted) next.add(path)
  else next.delete(path)
  deleted.set(next)
}
