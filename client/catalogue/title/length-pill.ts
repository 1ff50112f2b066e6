import type { KindDefinition } from '#shared/domain/kinds.ts'

/** Null if the kind has no length or it is unknown. */
export function lengthPill(
  definition: KindDefinition,
  length: number | null,
): { label?: string; value: string } | null {
  if (definition.length === null || length === null || length <= 0) return null
  return pills[definition.length](length)
}

const pills: Record<
  NonNullable<KindDefinition['length']>,
  (length: number) => { label?: string; value: string }
> = {
  runtime: (minutes) => ({ label: 'Runtime', value: `${minutes}m` }),
  pageCount: (pages) => ({ value: pages === 1 ? '1 page' : `${pages} pages` }),
}
