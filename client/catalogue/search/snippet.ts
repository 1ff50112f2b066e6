import { snippetMax } from '#shared/limits.ts'
import { plainText } from '../medium/plain-text.ts'

/** The beginning of a text in whole words, without tags; what is left out shows as “…”. */
export function snippet(text: string | null, max: number = snippetMax): string {
  const plain = plainText(text ?? '').replace(/\s+/g, ' ')
  const letters = Array.from(plain)
  if (letters.length <= max) return plain
  const kept = letters.slice(0, max).join('')
  // A word that would be cut in two goes as a whole; one that is as long as that does not.
  const whole = letters[max] === ' ' ? kept : kept.replace(/ \S{1,20}$/, '')
  return `${whole.replace(/[\s.,;:–-]+$/, '')}…`
}
