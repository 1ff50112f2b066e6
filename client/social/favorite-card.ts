import { cardOf, type CardTitle, readKey } from '#client/app/kinds.ts'
import type { KindDefinition } from '#shared/domain/kinds.ts'

type Favorite = { id: number }
export type FavoritesOutput = { [Key in KindDefinition['favorites']['router']]?: Favorite[] | undefined }

export function favoriteCards(definition: KindDefinition, output: FavoritesOutput): CardTitle[] {
  return output[definition.favorites.router]?.map((favorite) => favoriteCard(definition, favorite)) ?? []
}

export function favoriteCard(definition: KindDefinition, favorite: Favorite): CardTitle {
  const { kind, favorites } = definition
  return cardOf(definition, favorites.isNested ? (readKey(favorite, kind) as Favorite) : favorite)
}
