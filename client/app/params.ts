import { nameMax, pageMax } from '#shared/domain/limits.ts'

export function readPage(value: unknown): number | undefined {
  return readNumber(value, 2, pageMax)
}

export function readNumber(value: unknown, min = 1, max = Number.MAX_SAFE_INTEGER): number | undefined {
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= min && number <= max
    ? number
    : undefined
}

export function readToken({ token }: Record<string, unknown>): { token?: string | undefined } {
  return { token: typeof token === 'string' ? token : undefined }
}

export function readId(text: string): number | null {
  const id = Number(text)
  return /^[1-9]\d*$/.test(text) && Number.isSafeInteger(id) ? id : null
}

export function readDecade(value: unknown): number | undefined {
  const decade = readNumber(value, 10, 9_990)
  return decade !== undefined && decade % 10 === 0 ? decade : undefined
}

/** A number in the URL is a text too. */
export function readGenre(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' && value.length <= nameMax ? value : undefined
}
