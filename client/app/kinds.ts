import { type Kind, type KindDefinition, kinds } from '#shared/domain/kinds.ts'
import type { TitleKeys } from '#shared/contracts/reviews.ts'

// The kind is known only at run time. The procedures of all kinds have one type, with optional keys for the keys of a kind.

/** `routers` is `trpc` (hooks), `trpc.useUtils()`, the `trpc` of the router context, the `t` of `useQueries`, or the client. */
export function kindRouter<Routers extends Record<KindDefinition['router'], unknown>>(
  routers: Routers,
  definition: KindDefinition,
): Routers[KindDefinition['router']] {
  return routers[definition.router]
}

export function favoritesRouter<Routers extends Record<KindDefinition['favorites']['router'], unknown>>(
  routers: Routers,
  definition: KindDefinition,
): Routers[KindDefinition['favorites']['router']] {
  return routers[definition.favorites.router]
}

/** Returns the title in `{ tvShow: {…}, stats }`. */
export function titleIn<Output extends { [K in KindDefinition['kind']]?: unknown }>(
  definition: KindDefinition,
  output: Output,
): NonNullable<Output[KindDefinition['kind']]> {
  return output[definition.kind]!
}

export function titleName(definition: KindDefinition, title: object): string {
  return String(readKey(title, definition.nameKey) ?? '')
}

export type TitleRef = { kind: Kind; id: number }
export type NamedTitle = TitleRef & { name: string }
export type CardTitle = NamedTitle & { imageUrl: string | null; releaseYear: number | null }

export function cardOf(definition: KindDefinition, title: { id: number }): CardTitle {
  const { kind, imageKey } = definition
  return {
    id: title.id,
    kind,
    name: titleName(definition, title),
    imageUrl: (readKey(title, imageKey) ?? null) as string | null,
    releaseYear: (readKey(title, 'releaseYear') ?? readKey(title, 'publishYear') ?? null) as number | null,
  }
}

export function titlePath(definition: KindDefinition, id: number): string {
  return `/${definition.path}/${id}`
}

export function titleKey({ kind, id }: TitleRef): TitleKeys {
  return { [kinds[kind].idKey]: id }
}

export function readKey(value: object, key: string): unknown {
  return (value as Record<string, unknown>)[key]
}
