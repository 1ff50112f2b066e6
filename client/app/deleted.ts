import { createStore } from '#client/ui/store.ts'

/** The REST paths of deleted reviews, comments and lists, including deletions that can still be undone. Ids are never reused. */
const deleted = createStore<ReadonlySet<string>>(new Set())

export const reviewPath = (id: number) => `/reviews/${id}`
export const commentPath = (id: number) => `/comments/${id}`
export const listPath = (id: number) => `/lists/${id}`

export const useDeleted = deleted.useValue
export const getDeleted = deleted.get

export function setDeleted(path: string, isDeleted: boolean): void {
  const next = new Set(deleted.get())
  if (isDeleted) next.add(path)
  else next.delete(path)
  deleted.set(next)
}
