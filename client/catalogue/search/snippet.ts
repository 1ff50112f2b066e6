import { snippetMax } from '#shared/domain/limits.ts'
import { plainText } from '../title/plain-text.ts'

/** Cuts at a word boundary, ends with “…”. */
export function snippet(text: string | null, max: number = snippetMax): string {
  const plain = plainText(text ?? '').replace(/\s+/g, ' ')
  const letters = Array.from(plain)
  if (letters.length <= max) return plain
  const kept = letters.slice(0, max).join('')
  // Drops a word that would be cut, unless it is very long.
  const whole = letters[max] === ' ' ? kept : kept.replace(/ \S{1,20}$/, '')
  return `${whole.replace(/[\s.,;:–-]+$/, '')}…`
}
