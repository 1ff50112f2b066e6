import { hydrate } from '@tanstack/react-query'
import { createRouter, parseSearchWith, stringifySearchWith } from '@tanstack/react-router'
import { routeTree } from './route-tree.gen.ts'
import { getSession } from './session.ts'
import type { createClients } from './trpc.ts'

export type RouterContext = Pick<ReturnType<typeof createClients>, 'queryClient'> & {
  trpc: ReturnType<typeof createClients>['trpcUtils']
  getSession: typeof getSession
}

/** The answers, as JSON. */
export type Brought = { queries: string }

/** A browser has one router; each page that the server renders has its own. */
export function createAppRouter({
  queryClient,
  trpcUtils,
}: Pick<ReturnType<typeof createClients>, 'queryClient' | 'trpcUtils'>) {
  const context: RouterContext = { queryClient, trpc: trpcUtils, getSession }
  return createRouter({
    routeTree,
    context,
    defaultPreload: 'intent',
    // React Query decides what is fresh.
    defaultPreloadStaleTime: 0,
    defaultViewTransition: true,
    scrollRestoration: true,
    // Plain text: a search for 1984 is `?q=1984`, not a number, and no value is JSON.
    parseSearch: parseSearchWith((text) => text),
    stringifySearch: stringifySearchWith(String),
    // What the server asked for, a page that it rendered brings along.
    hydrate: ({ queries }: Brought) => hydrate(queryClient, JSON.parse(queries)),
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
