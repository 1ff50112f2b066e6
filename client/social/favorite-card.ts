import { readKey, titleImage, titleName } from '#client/kinds.ts'
import type { KindFacts } from '#shared/media.ts'

type Favorite = { id: number }
/** The output of `list` of any kind. */
export type FavoritesOutput = { [Key in KindFacts['favorites']['router']]?: Favorite[] | undefined }
export type FavoriteCard = { id: number; name: string; image: string | null; year: number | null }

/** Returns the favorites in the output of `list`, as poster cards show them. */
export function favoriteCards(facts: KindFacts, output: FavoritesOutput): FavoriteCard[] {
  return output[facts.favorites.router]?.map((favorite) => favoriteCard(facts, favorite)) ?? []
}

export function favoriteCard(facts: KindFacts, favorite: Favorite): FavoriteCard {
  const title = facts.favorites.isNested ? (readKey(favorite, facts.kind) as object) : favorite
  const year = readKey(title, 'releaseYear') ?? readKey(title, 'publishYear') ?? null
  return {
    id: favorite.id,
    name: titleName(facts, title),
    image: titleImage(facts, title),
    year: year as number | null,
  }
}
