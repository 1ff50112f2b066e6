import { createRouter, parseSearchWith, stringifySearchWith } from '@tanstack/react-router'
import { routeTree } from './route-tree.gen.ts'
import { getSession } from './session.ts'
import { queryClient, trpcUtils } from './trpc.ts'

export const router = createRouter({
  routeTree,
  context: { queryClient, trpc: trpcUtils, getSession },
  defaultPreload: 'intent',
  // React Query decides what is fresh.
  defaultPreloadStaleTime: 0,
  defaultViewTransition: true,
  scrollRestoration: true,
  // Plain text: a search for 1984 is `?q=1984`, not a number, and no value is JSON.
  parseSearch: parseSearchWith((text) => text),
  stringifySearch: stringifySearchWith(String),
})

export type RouterContext = {
  queryClient: typeof queryClient
  trpc: typeof trpcUtils
  getSession: typeof getSession
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
