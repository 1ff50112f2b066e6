import { createFileRoute } from '@tanstack/react-router'
import { readSearchParams } from '#client/catalogue/search/params.ts'
import { SearchScreen } from '#client/catalogue/search/search-screen.tsx'

export const Route = createFileRoute('/search')({
  validateSearch: readSearchParams,
  loaderDeps: ({ search: { q } }) => ({ q }),
  loader: ({ context: { trpc }, deps: { q } }) => {
    if (q === undefined) return
    // Only the server waits: external sources may be slow, and each tab shows its own progress.
    const results = Promise.all([
      trpc.sources.searchTmdb.prefetch({ q }),
      trpc.sources.searchBooks.prefetch({ q }),
      trpc.sources.searchGames.prefetch({ q }),
      trpc.social.searchUsers.prefetch({ q }),
    ]).then(() => {})
    return import.meta.env.SSR ? results : undefined
  },
  head: ({ match }) => ({
    meta: [{ title: match.search.q === undefined ? 'Search' : `“${match.search.q}” – Search` }],
  }),
  component: SearchRoute,
})

function SearchRoute() {
  return <SearchScreen {...Route.useSearch()} />
}
