import { readKey, titleImage, titleName } from '#client/kinds.ts'
import type { KindDefinition } from '#shared/media.ts'

type Favorite = { id: number }
/** The output of `list` of any kind. */
export type FavoritesOutput = { [Key in KindDefinition['favorites']['router']]?: Favorite[] | undefined }
export type FavoriteCard = { id: number; name: string; image: string | null; year: number | null }

/** Returns the favorites in the output of `list`, as poster cards show them. */
export function favoriteCards(definition: KindDefinition, output: FavoritesOutput): FavoriteCard[] {
  return output[definition.favorites.router]?.map((favorite) => favoriteCard(definition, favorite)) ?? []
}

export function favoriteCard(definition: KindDefinition, favorite: Favorite): FavoriteCard {
  const title = definition.favorites.isNested ? (readKey(favorite, definition.kind) as object) : favorite
  const year = readKey(title, 'releaseYear') ?? readKey(title, 'publishYear') ?? null
  return {
    id: favorite.id,
    name: titleName(definition, title),
    image: titleImage(definition, title),
    year: year as number | null,
  }
}
