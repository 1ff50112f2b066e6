import { sourceNames, sources } from './kinds.ts'
import { tvmaze } from './tvmaze.ts'

/** What the server asks: the sources of titles, and of episodes only. Not in `sources`, which all pages load. */
export const outsideNames = [...sourceNames, 'tvmaze'] as const
export type OutsideName = (typeof outsideNames)[number]

export const outsideSources = { ...sources, tvmaze } satisfies Record<OutsideName, { name: string }>

/** Of the environment: what the server needs for each source. */
export const sourceVariables: Record<OutsideName, string> = {
  tmdb: 'TMDB_TOKEN',
  openlibrary: 'OPEN_LIBRARY_URL',
  igdb: 'IGDB_CLIENT_ID and IGDB_CLIENT_SECRET',
  tvmaze: 'TVMAZE_URL',
}
