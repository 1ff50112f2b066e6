import { createFileRoute } from '@tanstack/react-router'
import { readSearchParams } from '#client/catalogue/search/params.ts'
import { SearchScreen } from '#client/catalogue/search/search-screen.tsx'

export const Route = createFileRoute('/search')({
  validateSearch: readSearchParams,
  loaderDeps: ({ search: { q } }) => ({ q }),
  loader: ({ context: { trpc }, deps: { q } }) => {
    if (q === undefined) return
    // Not waited for: an outside source may take its time, and the tabs fill one by one.
    void trpc.sources.searchTmdb.prefetch({ q })
    void trpc.sources.searchBooks.prefetch({ q })
    void trpc.sources.searchGames.prefetch({ q })
    void trpc.social.searchUsers.prefetch({ q })
  },
  head: ({ match }) => ({
    meta: [{ title: match.search.q === undefined ? 'Search' : `“${match.search.q}” – Search` }],
  }),
  component: SearchRoute,
})

function SearchRoute() {
  return <SearchScreen {...Route.useSearch()} />
}
