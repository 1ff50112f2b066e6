import type { Kind, KindFacts } from '#shared/media.ts'

// The one module that turns a kind known at run time into types. On the server one factory makes the routers of all four
// kinds: they take the same inputs, and their outputs differ only in the keys that `KindFacts` names. So the router of any
// kind is typed as that of movies, and the keys are read by the functions below.

/** A title of any kind, in any output. */
export type AnyTitle = { id: number }

/**
 * Returns the router of a kind. `routers` is `trpc` (hooks), `trpc.useUtils()`, the `trpc` of the router context, the `t`
 * of `useQueries`, or the client.
 */
export function kindRouter<Routers extends Record<'movies', unknown>>(
  routers: Routers,
  facts: KindFacts,
): Routers['movies'] {
  return (routers as Record<string, unknown>)[facts.router] as Routers['movies']
}

/** Returns the router of a kind's favorites. */
export function favoritesRouter<Routers extends Record<'favoriteMovies', unknown>>(
  routers: Routers,
  facts: KindFacts,
): Routers['favoriteMovies'] {
  return (routers as Record<string, unknown>)[facts.favorites.router] as Routers['favoriteMovies']
}

/** Returns the function of a table that belongs to the kind. */
export function functionOfKind<Result>(
  table: { [K in Kind]: (title: never) => Result },
  kind: Kind,
): (title: AnyTitle) => Result {
  return table[kind] as (title: AnyTitle) => Result
}

/** Returns the title in an output that has it under the key of its kind: `{ tvShow: {…}, stats }`. */
export function titleIn<Title>(facts: KindFacts, output: { movie: Title }): Title {
  return readKey(output, facts.kind) as Title
}

export function titleName(facts: KindFacts, title: AnyTitle): string {
  return String(readKey(title, facts.nameKey) ?? '')
}

/** Returns the URL of the poster or cover. */
export function titleImage(facts: KindFacts, title: AnyTitle): string | null {
  return (readKey(title, facts.imageKey) as string | null | undefined) ?? null
}

/** Returns the path of a title's page: `/movies/12`. */
export function titlePath(facts: KindFacts, id: number): string {
  return `/${facts.path}/${id}`
}

/** Returns the id of a title as input: `{ bookId: 7 }`. */
export function titleIdInput(facts: KindFacts, id: number): { movieId: number } {
  return { [facts.idKey]: id } as { movieId: number }
}

/** Returns the value under a key that depends on the kind. */
export function readKey(value: object, key: string): unknown {
  return (value as Record<string, unknown>)[key]
}
