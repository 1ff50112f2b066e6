import { hydrate as hydrateQueries } from '@tanstack/react-query'
import { hydrate } from '@tanstack/react-router/ssr/client'
import { startTransition } from 'react'
import { App } from './app.tsx'
import { reactDom } from './app/react-dom.ts'
import { createAppRouter, type DehydratedState } from './router.tsx'
import { procedurePath } from './app/query-keys.ts'
import { allKinds } from '#shared/domain/kinds.ts'
import { isPageError } from './routes/-shell/problems.tsx'
import { forgetReaderLocale, storeReaderLocale } from './app/reader-locale.ts'
import { getSession, hydrateSession, onSessionChange, pageOwner } from './app/session.ts'
import { readSite } from './app/site.ts'
import { queryClient, trpcClient, trpcUtils } from './app/trpc.ts'
import type { Reading } from './ui/hydration.ts'
import { whenIdle } from './ui/lazy.ts'

const router = createAppRouter({ queryClient, trpcUtils, site: readSite(), getSession })

// The cache holds the data of one member, or of a visitor.
let userId = getSession()?.user.id
onSessionChange(() => {
  const next = getSession()?.user.id
  if (next === userId) return
  userId = next
  if (next === undefined) forgetReaderLocale()
  else storeReaderLocale()
  queryClient.clear()
  void router.invalidate()
})

// The router does not handle the promise of a view transition that is skipped: another one has started, or the tab is hidden.
addEventListener('unhandledrejection', (event) => {
  const { reason } = event
  if (reason instanceof DOMException && /transition/i.test(reason.message)) event.preventDefault()
})

// Wakes up a host that sleeps without traffic.
whenIdle(() => void fetch('/healthz', { method: 'HEAD', credentials: 'omit' }).catch(() => {}))

/** Failed calls are logged by trpc.ts and shown by an error boundary; other errors are bugs. */
const rootOptions = {
  onCaughtError(error: unknown) {
    if (isPageError(error)) console.error(error)
  },
}

/** Whether members and visitors get the same from a procedure. */
function isForEverybody(path: string | undefined): boolean {
  return allKinds.some(({ router: name }) => path?.startsWith(`${name}.`))
}

const skeletonMs = 200

/** A page that was rendered for a visitor can be hydrated for anybody. */
const isOwnPage = pageOwner === undefined || pageOwner === String(userId)

// The cookie that opens a member's pages is older than the login, or the login is older than the cookie.
const { openPages, closePages } = trpcClient.accounts
if (pageOwner !== (userId === undefined ? undefined : String(userId)))
  void (userId === undefined ? closePages : openPages).mutate().catch(() => {})
if (userId !== undefined) whenIdle(storeReaderLocale)

const root = document.getElementById('root')!
const rendered = isOwnPage ? window.$_TSR : undefined
const app = (reading: Reading | null) => (
  <App router={router} trpcClient={trpcClient} queryClient={queryClient} reading={reading} />
)
if (rendered === undefined) {
  // The document has the app shell, or the page of another member. Skeletons appear without a transition, which would intercept clicks.
  if (!isOwnPage) {
    root.replaceChildren()
    document.documentElement.hidden = false
    delete window.$_TSR
  }
  const { defaultPendingMs, defaultPendingMinMs, defaultViewTransition } = router.options
  Object.assign(router.options, { defaultPendingMs: 0, defaultPendingMinMs: 0, defaultViewTransition: false })
  const stop = router.subscribe('onResolved', () => {
    Object.assign(router.options, { defaultPendingMs, defaultPendingMinMs, defaultViewTransition })
    stop()
  })
  // The first calls have usually been answered: React then renders the page in slices, instead of a skeleton and the page in one task.
  const loaded = router.load().catch(() => {})
  void Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, skeletonMs))]).then(() =>
    startTransition(() => reactDom.createRoot(root, rootOptions).render(app(null))),
  )
} else {
  let member: DehydratedState['member']
  router.options.hydrate = (dehydrated) => {
    const state = dehydrated as DehydratedState
    hydrateQueries(queryClient, JSON.parse(state.queries))
    member = state.member
    if (member) hydrateSession(member.user)
  }
  // A separate task, because evaluating the modules already makes this one long.
  setTimeout(async () => {
    await hydrate(router)
    rendered.h()
    router.shouldViewTransition = false
    if (userId !== undefined && !member)
      void queryClient.invalidateQueries({
        refetchType: 'none',
        predicate: ({ queryKey }) => !isForEverybody(procedurePath(queryKey)),
      })
    startTransition(() => void reactDom.hydrateRoot(root, app(member ?? null), rootOptions))
  })
}
