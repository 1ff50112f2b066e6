import type { sources } from './kinds.ts'

/** Of the environment: what the server needs for each source. Not in `sources`, which all pages load. */
export const sourceVariables: Record<keyof typeof sources, string> = {
  tmdb: 'TMDB_TOKEN',
  openlibrary: 'OPEN_LIBRARY_URL',
  igdb: 'IGDB_CLIENT_ID and IGDB_CLIENT_SECRET',
}
