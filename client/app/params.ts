import { nameMax, pageMax } from '#shared/domain/limits.ts'

/** Reads the page of a search param; undefined for the first page and for invalid ones. */
export function readPage(value: unknown): number | undefined {
  return readNumber(value, 2, pageMax)
}

/** Reads an integer of a search param; undefined if it is not within the bounds. */
export function readNumber(value: unknown, min = 1, max = Number.MAX_SAFE_INTEGER): number | undefined {
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= min && number <= max
    ? number
    : undefined
}

/** Reads the token of a link in an email. */
export function readToken({ token }: Record<string, unknown>): { token?: string | undefined } {
  return { token: typeof token === 'string' ? token : undefined }
}

/** Reads the id of a path param; null if it is none. */
export function readId(text: string): number | null {
  const id = Number(text)
  return /^[1-9]\d*$/.test(text) && Number.isSafeInteger(id) ? id : null
}

/** Reads the first year of a decade. */
export function readDecade(value: unknown): number | undefined {
  const decade = readNumber(value, 10, 9_990)
  return decade !== undefined && decade % 10 === 0 ? decade : undefined
}

/** Reads the genre of a search param. A number in the URL is a text too. */
export function readGenre(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' && value.length <= nameMax ? value : undefined
}
