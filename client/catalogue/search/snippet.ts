import { snippetMax } from '#shared/limits.ts'
import { plainText } from '../medium/plain-text.ts'

/** The beginning of a text, without tags; what is left out shows as “…”. */
export function snippet(text: string | null, max: number = snippetMax): string {
  const plain = plainText(text ?? '').replace(/\s+/g, ' ')
  const letters = Array.from(plain)
  return letters.length <= max ? plain : `${letters.slice(0, max).join('').trimEnd()}…`
}
