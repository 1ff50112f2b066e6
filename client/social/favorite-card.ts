import { type AnyTitle, readKey, titleImage, titleName } from '#client/kinds.ts'
import type { RouterOutputs } from '#client/trpc.ts'
import type { KindFacts } from '#shared/media.ts'

type FavoriteCard = { id: number; name: string; image: string | null; year: number | null }

/** Returns the favorites in the output of `list`, as poster cards show them. */
export function favoriteCards(
  facts: KindFacts,
  output: RouterOutputs['favoriteMovies']['list'],
): FavoriteCard[] {
  const favorites = readKey(output, facts.favorites.router) as AnyTitle[] | undefined
  return favorites?.map((favorite) => favoriteCard(facts, favorite)) ?? []
}

export function favoriteCard(facts: KindFacts, favorite: AnyTitle): FavoriteCard {
  const title = (facts.favorites.isNested ? readKey(favorite, facts.kind) : favorite) as AnyTitle
  const year = readKey(title, 'releaseYear') ?? readKey(title, 'publishYear') ?? null
  return {
    id: favorite.id,
    name: titleName(facts, title),
    image: titleImage(facts, title),
    year: year as number | null,
  }
}
