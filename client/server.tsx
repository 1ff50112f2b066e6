import { dehydrate } from '@tanstack/react-query'
import { createRequestHandler, getSsrStatus } from '@tanstack/react-router/ssr/server'
import { unstable_localLink as localLink } from '@trpc/client'
import type { inferRouterContext } from '@trpc/server'
import { renderToString } from 'react-dom/server'
import type { AppRouter } from '#server/router.ts'
import { App } from './app.tsx'
import { pageHead } from './page-head.tsx'
import { type Brought, createAppRouter } from './router.tsx'
import { createClients } from './trpc.ts'

/** Rendered on the server for a first visit; all else the browser makes from the plain page. */
const publicRoutes: ReadonlySet<string> = new Set([
  '/',
  '/search',
  '/movies/$movieId',
  '/tv-shows/$tvShowId',
  '/books/$bookId',
  '/games/$gameId',
])

/** The procedures as a visitor reaches them: called here, without HTTP. */
export type Procedures = { router: AppRouter; createContext: () => Promise<inferRouterContext<AppRouter>> }

/** The parts of a page, each for its place in index.html. */
export type RenderedPage = {
  /** 200, or 404 where there is no such title. */
  status: number
  /** The route that shows, as the file of its module is named. */
  route: string
  head: string
  body: string
  /** What brings the page to life in the browser: the text of an inline script. */
  script: string
  /** The texts of the inline scripts that the router put into `body`. Nothing else there may run. */
  bodyScripts: string[]
}

/**
 * Renders the page of an address (path and query) as a visitor sees it; undefined where the address is none of the public
 * pages. `origin` begins absolute addresses. Throws where anything that the page shows
 * failed: half a page would be taken for a whole one.
 */
export async function renderPage({
  url,
  origin,
  procedures,
}: {
  url: string
  origin: string
  procedures: Procedures
}): Promise<RenderedPage | undefined> {
  const clients = createClients(localLink(procedures))
  const router = createAppRouter(clients)
  router.options.dehydrate = (): Brought => ({ queries: JSON.stringify(dehydrate(clients.queryClient)) })
  const routeId = router.getMatchedRoutes(url.split('?', 1)[0]!)[0].at(-1)?.id
  if (routeId === undefined || !publicRoutes.has(routeId)) return undefined

  // What the router writes bears a mark that no text of a member can know.
  const mark = crypto.randomUUID()
  router.update({ ...router.options, ssr: { nonce: mark } })

  let page: RenderedPage | undefined
  const handle = createRequestHandler({
    request: new Request(new URL(url, origin)),
    createRouter: () => router,
  })
  await handle(() => {
    const failed = clients.queryClient
      .getQueryCache()
      .getAll()
      .find(({ state }) => state.status === 'error')
    const status = getSsrStatus(router)
    if (status === 500 || (status === 200 && failed))
      throw failed?.state.error ?? new Error('The page could not be loaded.')
    const markup = renderToString(<App router={router} {...clients} />)
    // React puts what should load early (the first pictures) before the page: its place is the head.
    const [early] = /^(<link [^>]*>)*/.exec(markup)!
    const scripts = router.serverSsr?.takeInitialHydrationScriptTags()?.before ?? []
    page = {
      status,
      route: routeId.slice(1).replaceAll('/', '.') || 'index',
      head: pageHead(router, clients.trpcUtils, origin) + early,
      body: markup.slice(early.length).replaceAll(`<script nonce="${mark}">`, '<script>'),
      script: scripts.map(({ children }) => children).join(';'),
      bodyScripts: [...markup.matchAll(new RegExp(`<script nonce="${mark}">(.*?)</script>`, 'gs'))].map(
        ([, text]) => text!,
      ),
    }
    return new Response(null)
  })
  return page
}
