export function hasValidCheckDigit(isbn13: string): boolean {
  const sum = [...isbn13].reduce(
    (total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3),
    0,
  )
  return sum % 10 === 0
}

/** Null if the check digit is wrong, undefined if it is no ISBN-10 or ISBN-13. */
export function toIsbn13(isbn: string): string | null | undefined {
  if (/^97[89]\d{10}$/.test(isbn)) return hasValidCheckDigit(isbn) ? isbn : null
  if (!/^\d{9}[\dX]$/.test(isbn)) return undefined
  const values = [...isbn].map((digit) => (digit === 'X' ? 10 : Number(digit)))
  if (values.reduce((sum, value, index) => sum + (10 - index) * value, 0) % 11 !== 0) return null
  const start = `978${isbn.slice(0, 9)}`
  return [...'0123456789'].map((digit) => start + digit).find(hasValidCheckDigit)!
}
