import { dehydrate } from '@tanstack/react-query'
import { createRequestHandler, getSsrStatus } from '@tanstack/react-router/ssr/server'
import { unstable_localLink as localLink } from '@trpc/client'
import type { inferRouterContext } from '@trpc/server'
import { renderToString } from 'react-dom/server'
import { allKinds } from '#shared/domain/kinds.ts'
import type { Site } from '#shared/contracts/site.ts'
import { defaultSite } from '#shared/domain/site-defaults.ts'
import type { AppRouter } from '#server/router.ts'
import { App } from './app.tsx'
import { pageHead } from './page-head.tsx'
import { type DehydratedState, createAppRouter } from './router.tsx'
import { type Session, SessionReader } from './app/session.ts'
import { createClients, isNotFound, isTransient } from './app/trpc.ts'
import { inLanguage, neutral } from './ui/formats.ts'
import type { Reading } from './ui/hydration.ts'
import { takeLoads } from './ui/lazy.ts'

const publicRoutes: ReadonlySet<string> = new Set([
  '/',
  '/search',
  '/lists',
  '/list/$listId',
  '/episodes/$episodeId',
  ...allKinds.map(({ path, idKey }) => `/${path}/$${idKey}`),
])

/** What they do depends on the browser. They start as an app shell, as members' pages do for visitors. */
const browserRoutes = /^\/(\$|login|signup|\w+-email|\w+-password|keep-account|unsubscribe)$/

/** Each render may find calls that the loaders do not make. */
const rendersMax = 3

let routes: ReturnType<typeof createAppRouter> | undefined

function routeOf(url: string) {
  routes ??= createAppRouter({ ...createClients(), site: defaultSite, getSession: () => null })
  return routes.getMatchedRoutes(url.split('?', 1)[0]!)[0].at(-1)
}

/** Other paths redirect to Home. */
export function isPage(url: string): boolean {
  return routeOf(url)?.id !== '/$'
}

export function routeFileOf(url: string): string | undefined {
  const id = routeOf(url)?.id
  return id === undefined ? undefined : fileOf(id)
}

function fileOf(routeId: string): string {
  return `${routeId.slice(1)}${routeId.endsWith('/') ? 'index' : ''}`.replaceAll('/', '.')
}

const noParams = () => ({})

/** Without unknown and invalid search params, the others in a fixed order. The browser hydrates the page at its own URL. */
export function pageUrl(url: string): string {
  const query = url.indexOf('?')
  const route = query === -1 ? undefined : routeOf(url)
  if (route === undefined || !publicRoutes.has(route.id)) return url
  const { parseSearch, stringifySearch } = routes!.options
  const validate = (route.options.validateSearch ?? noParams) as (search: Record<string, unknown>) => object
  return url.slice(0, query) + stringifySearch(validate(parseSearch(url.slice(query))))
}

export type Procedures = { router: AppRouter; createContext: () => Promise<inferRouterContext<AppRouter>> }

/** In `dist/client/.vite/pages.json`, by the name of the route's file: `movies.$movieId`. */
export type PageScripts = {
  /** Each file comes after its imports; the entry is last. */
  files: string[]
  memberFiles: string[]
  isMembers: boolean
}

export type RenderedPage = {
  status: number
  route: string
  owner: number | undefined
  head: string
  body: string
  script: string
  bodyScripts: string[]
}

type Source = {
  url: string
  origin: string
  procedures: Procedures
  site: Site
  readerLocale?: { languages: readonly string[]; timeZone: string } | undefined
}

type Reader = { session: Session; reading: Reading }

/**
 * Undefined for pages that the browser renders. `origin` is the base of absolute URLs. Throws if a query failed, except for NOT_FOUND, so
 * that no incomplete page is cached.
 */
export async function renderPage(source: Source): Promise<RenderedPage | undefined> {
  const { url, procedures, readerLocale } = source
  const routeId = routeOf(url)?.id
  if (routeId === undefined || browserRoutes.test(routeId)) return undefined
  if (readerLocale === undefined && !publicRoutes.has(routeId)) return undefined
  const clients = createClients(localLink(procedures))
  const reader = readerLocale && (await readerOf(clients, readerLocale))
  const rendered = await render(source, clients, reader).catch((error: unknown) => {
    // A call that refuses the member, such as one for a private profile: the app says so.
    if (reader === undefined || isTransient(error)) throw error
  })
  if (rendered === undefined) return undefined
  const { status, preloads, markup, scripts, head, nonce } = rendered
  return {
    status,
    route: fileOf(routeId),
    owner: reader?.session.user.id,
    head: head + preloads,
    body: markup.replaceAll(`<script nonce="${nonce}">`, '<script>'),
    script: scripts.join(';'),
    bodyScripts: [...markup.matchAll(new RegExp(`<script nonce="${nonce}">(.*?)</script>`, 'gs'))].map(
      ([, text]) => text!,
    ),
  }
}

async function readerOf(
  { trpcClient }: ReturnType<typeof createClients>,
  { languages, timeZone }: NonNullable<Source['readerLocale']>,
): Promise<Reader> {
  const { user } = await trpcClient.accounts.me.query()
  const locales = [...inLanguage(languages.length > 0 ? languages : neutral)]
  // The browser has the token; calls in this process need none.
  return { session: { token: '', user }, reading: { locales, timeZone, now: Date.now() } }
}

async function render(
  { url, origin, site }: Source,
  clients: ReturnType<typeof createClients>,
  reader: Reader | undefined,
) {
  const session = reader?.session ?? null
  const router = createAppRouter({ ...clients, site, getSession: () => session })
  // A random nonce distinguishes the router’s scripts from text that a member wrote.
  const nonce = crypto.randomUUID()
  router.update({ ...router.options, ssr: { nonce } })

  type Rendered = Record<'preloads' | 'markup' | 'head' | 'nonce', string> & {
    status: number
    scripts: string[]
  }
  let rendered: Rendered | undefined
  let all = ''
  const queries = () => clients.queryClient.getQueryCache().getAll()
  const toMarkup = () =>
    renderToString(
      <SessionReader value={() => session}>
        <App router={router} {...clients} reading={reader?.reading ?? null} />
      </SessionReader>,
    )
  // Rendered before the loaders’ data is taken, because rendering makes further calls.
  router.options.dehydrate = async (): Promise<DehydratedState> => {
    all = reader ? await renderWhole(queries, toMarkup) : toMarkup()
    return {
      queries: JSON.stringify(dehydrate(clients.queryClient)),
      ...(reader && { member: { ...reader.reading, user: reader.session.user } }),
    }
  }
  const handle = createRequestHandler({
    request: new Request(new URL(pageUrl(url), origin)),
    createRouter: () => router,
  })
  await handle(async () => {
    const failed = queries().find(({ state }) => state.status === 'error' && !isNotFound(state.error))
    const status = getSsrStatus(router)
    if (status === 500 || (status === 200 && failed))
      throw failed?.state.error ?? new Error('The page could not be loaded.')
    // Preloads belong in the head.
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

type Queries = ReturnType<
  ReturnType<ReturnType<typeof createClients>['queryClient']['getQueryCache']>['getAll']
>

/** Renders again until every call has its answer and every lazy part is loaded. */
async function renderWhole(queries: () => Queries, toMarkup: () => string): Promise<string> {
  await Promise.allSettled(queries().map(({ promise }) => promise))
  for (let renders = 1; ;) {
    const markup = toMarkup()
    const found = queries().filter(({ state, options }) => {
      const isEnabled = !('enabled' in options) || options.enabled !== false
      return state.status === 'pending' && state.fetchStatus === 'idle' && isEnabled
    })
    const loads = takeLoads()
    if (loads.length === 0 && (found.length === 0 || renders >= rendersMax)) return markup
    // Parts are loaded once, and found calls again in the next render.
    if (loads.length === 0) renders++
    await Promise.allSettled(loads.length > 0 ? loads : found.map((query) => query.fetch()))
    // Both renders together would hold the event loop for too long: on SQLite, calls do not let it turn.
    await new Promise((resolve) => setTimeout(resolve))
  }
}
