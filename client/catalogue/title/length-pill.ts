import type { KindDefinition } from '#shared/domain/kinds.ts'
import { plural, t } from '#shared/domain/message.ts'

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
  runtime: (minutes) => ({ label: t`Runtime`, value: t`${minutes}m` }),
  pageCount: (pages) => ({ value: plural(pages, { one: '# page', other: '# pages' }) }),
}
