/**
 * Ends at a word if one ends in the second half, and with “…”. Has at most `max` UTF-16 units, or one more if `isEllipsisExtra`.
 */
export function truncate(text: string, max: number, isEllipsisExtra = false): string {
  if (text.length <= max) return text
  const end = isEllipsisExtra ? max : max - 1
  const start = text.slice(0, end).replace(/[\ud800-\udbff]$/, '')
  const lastSpace = /\s/.test(text[end]!) ? -1 : start.search(/\s\S*$/)
  return `${(lastSpace > max / 2 ? start.slice(0, lastSpace) : start).replace(/[\s.,;:–-]+$/, '')}…`
}
