import { pageMax } from '#shared/limits.ts'

/** Reads the page of a search param; undefined for the first page and for invalid ones. */
export function readPage(value: unknown): number | undefined {
  const page = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  return typeof page === 'number' && Number.isInteger(page) && page > 1 && page <= pageMax ? page : undefined
}

/** Reads the id of a path param; null if it is none. */
export function readId(text: string): number | null {
  const id = Number(text)
  return /^[1-9]\d*$/.test(text) && Number.isSafeInteger(id) ? id : null
}
