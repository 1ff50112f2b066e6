import { dehydrate } from '@tanstack/react-query'
import { createRequestHandler, getSsrStatus } from '@tanstack/react-router/ssr/server'
import { unstable_localLink as localLink } from '@trpc/client'
import type { inferRouterContext } from '@trpc/server'
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { allKinds } from '#shared/domain/media.ts'
import type { Site } from '#shared/contracts/site.ts'
import { defaultSite } from '#shared/domain/site-defaults.ts'
import type { AppRouter } from '#server/router.ts'
import { App } from './app.tsx'
import { pageHead } from './page-head.tsx'
import { pageStart, slotOf, slots } from './app/page-start.ts'
import { type DehydratedState, createAppRouter } from './router.tsx'
import { MemberHome } from './routes/-member-home.tsx'
import { type Session, SessionReader } from './app/session.ts'
import { createClients, isNotFound, isTransient } from './app/trpc.ts'

/** Rendered for visitors. All other pages start as an app shell. */
const publicRoutes: ReadonlySet<string> = new Set([
  '/',
  '/search',
  '/lists',
  '/list/$listId',
  ...allKinds.map(({ path, idKey }) => `/${path}/$${idKey}`),
])

let routes: ReturnType<typeof createAppRouter> | undefined

/** Returns the route of a URL (path and query). */
function routeOf(url: string) {
  routes ??= createAppRouter({ ...createClients(), site: defaultSite, getSession: () => null })
  return routes.getMatchedRoutes(url.split('?', 1)[0]!)[0].at(-1)
}

/** Returns whether a URL (path and query) is a page of the web app. Other paths redirect to Home. */
export function isPage(url: string): boolean {
  return routeOf(url)?.id !== '/$'
}

/** Returns what the first response of a URL (path and query) contains, and the file of its route: `movies.$movieId`. */
export function startOf(url: string): Partial<ReturnType<typeof pageStart>> & { route?: string } {
  const id = routeOf(url)?.id
  return id === undefined ? {} : { route: fileOf(id), ...pageStart(id, url.includes('?')) }
}

function fileOf(routeId: string): string {
  return `${routeId.slice(1)}${routeId.endsWith('/') ? 'index' : ''}`.replaceAll('/', '.')
}

/**
 * Returns the canonical URL (path and query) of a rendered page: without unknown and invalid search params, the others in a fixed
 * order. The browser hydrates the page at its own URL.
 */
export function pageUrl(url: string): string {
  const query = url.indexOf('?')
  const route = query === -1 ? undefined : routeOf(url)
  if (route === undefined || !publicRoutes.has(route.id)) return url
  const { parseSearch, stringifySearch } = routes!.options
  const validate = route.options.validateSearch as (search: Record<string, unknown>) => object
  return url.slice(0, query) + stringifySearch(validate(parseSearch(url.slice(query))))
}

/** The procedures, called in this process, without HTTP. */
export type Procedures = { router: AppRouter; createContext: () => Promise<inferRouterContext<AppRouter>> }

/** The scripts of a page, which `dist/client/.vite/pages.json` contains by the name of the route's file: `movies.$movieId`. */
export type PageScripts = {
  /** What everybody loads first. Each file comes after its imports, and the entry is last. */
  files: string[]
  /** What members load at once besides, as far as it is not loaded anyway. */
  memberFiles: string[]
  /** Whether the page is for members only. */
  isMembers: boolean
}

/** The parts of a rendered page, for the placeholders of index.html. */
export type RenderedPage = {
  /** 200, or 404 for an unknown title. */
  status: number
  /** The matched route, by the name of its file: `movies.$movieId`. */
  route: string
  head: string
  body: string
  /** The hydration data, as the text of an inline script. */
  script: string
  /** The texts of the router's inline scripts in `body`, to be allowed by the content security policy. */
  bodyScripts: string[]
}

type Source = { url: string; origin: string; procedures: Procedures; site: Site }

/**
 * Renders the page of a URL (path and query) for a visitor. Returns undefined if it is not one of the public routes.
 * `origin` is the base of absolute URLs. Throws if a query failed, except for NOT_FOUND, so that no incomplete page is cached.
 */
export async function renderPage(source: Source): Promise<RenderedPage | undefined> {
  const routeId = routeOf(source.url)?.id
  if (routeId === undefined || !publicRoutes.has(routeId)) return undefined
  const clients = createClients(localLink(source.procedures))
  const rendered = await render(source, clients, null)
  if (rendered === undefined) return undefined
  const { status, preloads, markup, scripts, head, nonce } = rendered
  return {
    status,
    route: fileOf(routeId),
    head: head + preloads,
    body: markup.replaceAll(`<script nonce="${nonce}">`, '<script>'),
    script: scripts.join(';'),
    bodyScripts: [...markup.matchAll(new RegExp(`<script nonce="${nonce}">(.*?)</script>`, 'gs'))].map(
      ([, text]) => text!,
    ),
  }
}

/**
 * Renders the markup that index.html shows to a member until the browser has rendered it: a member’s page, or the part of Home that only
 * members see. `procedures` are called as the member. Returns undefined for other pages and unknown ones, and if a call refuses the member.
 * Throws if a query failed.
 */
export async function renderForMember(source: Source): Promise<string | undefined> {
  const slot = slotOf(routeOf(source.url)?.id)
  if (slot === undefined) return undefined
  const part = slot === slots.part ? <MemberHome part="above" /> : undefined
  const clients = createClients(localLink(source.procedures))
  try {
    const { user } = await clients.trpcClient.accounts.me.query()
    const rendered = await render(source, clients, { token: '', user }, part)
    if (rendered?.status !== 200) return undefined
    return rendered.markup.replaceAll(new RegExp(`<script nonce="${rendered.nonce}">.*?</script>`, 'gs'), '')
  } catch (error) {
    // A call that refuses the member, such as a call about a private profile, is no fault: the app says so.
    if (isTransient(error)) throw error
    return undefined
  }
}

async function render(
  { url, origin, site }: Source,
  clients: ReturnType<typeof createClients>,
  session: Session | null,
  part?: ReactNode,
) {
  const router = createAppRouter({ ...clients, site, getSession: () => session })
  // What a member sees is not hydrated.
  if (session === null)
    router.options.dehydrate = (): DehydratedState => ({
      queries: JSON.stringify(dehydrate(clients.queryClient)),
    })

  // A random nonce distinguishes the router’s scripts from text that a member wrote.
  const nonce = crypto.randomUUID()
  router.update({ ...router.options, ssr: { nonce } })

  type Rendered = Record<'preloads' | 'markup' | 'head' | 'nonce', string> & {
    status: number
    scripts: string[]
  }
  let rendered: Rendered | undefined
  const handle = createRequestHandler({
    request: new Request(new URL(pageUrl(url), origin)),
    createRouter: () => router,
  })
  await handle(async () => {
    const queries = () => clients.queryClient.getQueryCache().getAll()
    const toMarkup = () =>
      renderToString(
        <SessionReader value={() => session}>
          <App router={router} {...clients} part={part} />
        </SessionReader>,
      )
    // Visitors’ pages only need what their loaders wait for.
    if (session !== null) {
      // Rendering finds the calls that components make.
      toMarkup()
      await Promise.allSettled(
        queries().map(async (query) => {
          const { state, options } = query
          const isWaiting = state.status === 'pending' && state.fetchStatus === 'idle'
          const isEnabled = !('enabled' in options) || options.enabled !== false
          await (isWaiting && isEnabled ? query.fetch() : query.promise)
        }),
      )
    }
    const failed = queries().find(({ state }) => state.status === 'error' && !isNotFound(state.error))
    const status = getSsrStatus(router)
    if (status === 500 || (status === 200 && failed))
      throw failed?.state.error ?? new Error('The page could not be loaded.')
    const all = toMarkup()
    // React renders its preloads before the page; they belong in the head.
    const [preloads] = /^(<link [^>]*>)*/.exec(all)!
    const scripts = router.serverSsr?.takeInitialHydrationScriptTags()?.before ?? []
    rendered = {
      status,
      preloads,
      markup: all.slice(preloads.length),
      head: pageHead(router, clients.trpcUtils, origin),
      scripts: scripts.map(({ children }) => children ?? ''),
      nonce,
    }
    return new Response(null)
  })
  return rendered
}
