import type { KindFacts } from '#shared/media.ts'

/** The length of a title as its pill shows it; null where the kind has none or it is not known. */
export function lengthPill(
  facts: KindFacts,
  length: number | null,
): { label?: string; value: string } | null {
  if (facts.length === null || length === null || length <= 0) return null
  return pills[facts.length](length)
}

const pills: Record<
  NonNullable<KindFacts['length']>,
  (length: number) => { label?: string; value: string }
> = {
  runtime: (minutes) => ({ label: 'Runtime', value: `${minutes}m` }),
  pageCount: (pages) => ({ value: pages === 1 ? '1 page' : `${pages} pages` }),
}
