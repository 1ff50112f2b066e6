import { createRouter, parseSearchWith, stringifySearchWith } from '@tanstack/react-router'
import { routeTree } from './route-tree.gen.ts'
import type { RouterContext } from './app/loader-context.ts'
import type { SessionUser } from './app/session.ts'
import type { createClients } from './app/trpc.ts'
import type { Reading } from './ui/hydration.ts'

/** The dehydrated query cache as JSON, and whose page it is, if not a visitor's. */
export type DehydratedState = { queries: string; member?: Reading & { user: SessionUser } }

export function createAppRouter({
  queryClient,
  trpcUtils,
  site,
  getSession,
}: Pick<ReturnType<typeof createClients>, 'queryClient' | 'trpcUtils'> &
  Pick<RouterContext, 'getSession' | 'site'>) {
  const context: RouterContext = { queryClient, trpc: trpcUtils, getSession, site }
  return createRouter({
    routeTree,
    context,
    defaultPreload: 'intent',
    // React Query decides which data is fresh.
    defaultPreloadStaleTime: 0,
    defaultViewTransition: true,
    scrollRestoration: true,
    // Plain text, not JSON: `?q=1984` is a search for the text 1984.
    parseSearch: parseSearchWith((text) => text),
    stringifySearch: stringifySearchWith(String),
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
