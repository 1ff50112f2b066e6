import type { KindFacts } from '#shared/media.ts'
import type { TitleKeys } from '#shared/reviews.ts'

// The kind of a title is known only at run time. The procedures of all kinds have one type; in their outputs, the keys that depend on
// the kind are optional.

/**
 * Returns the router of a kind. `routers` is `trpc` (hooks), `trpc.useUtils()`, the `trpc` of the router context, the `t`
 * of `useQueries`, or the client.
 */
export function kindRouter<Routers extends Record<KindFacts['router'], unknown>>(
  routers: Routers,
  facts: KindFacts,
): Routers[KindFacts['router']] {
  return routers[facts.router]
}

export function favoritesRouter<Routers extends Record<KindFacts['favorites']['router'], unknown>>(
  routers: Routers,
  facts: KindFacts,
): Routers[KindFacts['favorites']['router']] {
  return routers[facts.favorites.router]
}

/** Returns the title in an output that has it under the key of its kind: `{ tvShow: {…}, stats }`. */
export function titleIn<Output extends { [K in KindFacts['kind']]?: unknown }>(
  facts: KindFacts,
  output: Output,
): NonNullable<Output[KindFacts['kind']]> {
  return output[facts.kind]!
}

export function titleName(facts: KindFacts, title: object): string {
  return String(readKey(title, facts.nameKey) ?? '')
}

/** Returns the URL of the poster or cover. */
export function titleImage(facts: KindFacts, title: object): string | null {
  return (readKey(title, facts.imageKey) as string | null | undefined) ?? null
}

/** Returns the path of a title's page: `/movies/12`. */
export function titlePath(facts: KindFacts, id: number): string {
  return `/${facts.path}/${id}`
}

/** Returns the id of a title as input: `{ bookId: 7 }`. */
export function titleIdInput(facts: KindFacts, id: number): TitleKeys {
  return { [facts.idKey]: id }
}

/** Returns the value under a key that depends on the kind. */
export function readKey(value: object, key: string): unknown {
  return (value as Record<string, unknown>)[key]
}
