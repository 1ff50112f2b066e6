import { snippetMax } from '#shared/domain/limits.ts'
import { plainText } from '../title/plain-text.ts'
import { truncate } from '#shared/texts/truncate.ts'

/** Cut at letters, not at UTF-16 units. */
export function snippet(text: string | null, max: number = snippetMax): string {
  const plain = plainText(text ?? '').replace(/\s+/g, ' ')
  return truncate(plain, Array.from(plain).slice(0, max).join('').length, true)
}
