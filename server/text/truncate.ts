/** At a word if one ends in the second half. */
export function truncate(plain: string, max: number): string {
  if (plain.length <= max) return plain
  const start = plain.slice(0, max - 1)
  const lastSpace = start.search(/\s\S*$/)
  return `${(lastSpace > max / 2 ? start.slice(0, lastSpace) : start).trimEnd().replace(/[\ud800-\udbff]$/, '')}…`
}
