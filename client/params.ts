import { pageMax } from '#shared/limits.ts'

/** Reads the page of a search param; undefined for the first page and for invalid ones. */
export function readPage(value: unknown): number | undefined {
  const page = readNumber(value)
  return page !== undefined && page > 1 && page <= pageMax ? page : undefined
}

/** Reads a positive integer of a search param. */
export function readNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : undefined
}

/** Reads the id of a path param; null if it is none. */
export function readId(text: string): number | null {
  const id = Number(text)
  return /^[1-9]\d*$/.test(text) && Number.isSafeInteger(id) ? id : null
}
