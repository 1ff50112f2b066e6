import { pageMax } from '#shared/limits.ts'

/** The page that an address names; undefined for the first, and for whatever is none. */
export function readPage(value: unknown): number | undefined {
  const page = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  return typeof page === 'number' && Number.isInteger(page) && page > 1 && page <= pageMax ? page : undefined
}
