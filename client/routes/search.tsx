import { createFileRoute } from '@tanstack/react-router'
import { readSearchParams } from '#client/catalogue/search/params.ts'
import { SearchScreen } from '#client/catalogue/search/search-screen.tsx'

export const Route = createFileRoute('/search')({
  validateSearch: readSearchParams,
  loaderDeps: ({ search: { q } }) => ({ q }),
  loader: ({ context: { trpc }, deps: { q } }) => {
    if (q === undefined) return
    // A browser does not wait: an outside source may take its time, and the tabs fill one by one.
    const asked = Promise.all([
      trpc.sources.searchTmdb.prefetch({ q }),
      trpc.sources.searchBooks.prefetch({ q }),
      trpc.sources.searchGames.prefetch({ q }),
      trpc.social.searchUsers.prefetch({ q }),
    ]).then(() => {})
    return import.meta.env.SSR ? asked : undefined
  },
  head: ({ match }) => ({
    meta: [{ title: match.search.q === undefined ? 'Search' : `“${match.search.q}” – Search` }],
  }),
  component: SearchRoute,
})

function SearchRoute() {
  return <SearchScreen {...Route.useSearch()} />
}
