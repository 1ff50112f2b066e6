import { readDecade, readGenre, readPage } from '#client/app/params.ts'
import { type Kind, kindNames } from '#shared/domain/kinds.ts'

export const itemSorts = ['popularity', 'title', 'rating', 'added', 'release'] as const
type ItemSort = (typeof itemSorts)[number]

export type ItemsParams = {
  page?: number | undefined
  category?: Kind | undefined
  sort?: ItemSort | undefined
  genre?: string | undefined
  decade?: number | undefined
  unrated?: 'yes' | undefined
  network?: 'yes' | undefined
  view?: 'posters' | undefined
}

export function readItemsParams(search: Record<string, unknown>): ItemsParams {
  const sort = itemSorts.slice(1).find((name) => name === search['sort'])
  return {
    page: readPage(search['page']),
    category: kindNames.find((kind) => kind === search['category']),
    sort,
    genre: readGenre(search['genre']),
    decade: readDecade(search['decade']),
    unrated: search['unrated'] === 'yes' ? 'yes' : undefined,
    network: search['network'] === 'yes' ? 'yes' : undefined,
    view: search['view'] === 'posters' ? 'posters' : undefined,
  }
}

export function itemsInput(params: ItemsParams) {
  const { page = 1, category, sort = itemSorts[0], genre, decade, unrated, network } = params
  return { page, category, sort, genre, decade, unrated: unrated && true, network: network && true }
}
