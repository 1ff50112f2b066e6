import { hydrate } from '@tanstack/react-router/ssr/client'
import { startTransition } from 'react'
import { App } from './app.tsx'
import { reactDom } from './app/react-dom.ts'
import { createAppRouter } from './router.tsx'
import { procedurePath } from './app/query-keys.ts'
import { allKinds } from '#shared/domain/media.ts'
import { isPageError } from './routes/-shell/problems.tsx'
import { getSession, onSessionChange } from './app/session.ts'
import { readSite } from './app/site.ts'
import { adoptFirstAnswers, queryClient, trpcClient, trpcUtils } from './app/trpc.ts'
import { whenIdle } from './ui/lazy.ts'

const router = createAppRouter({ queryClient, trpcUtils, site: readSite(), getSession })

// Clears the query cache when the member changes: it holds the data of one member, or of a visitor.
let userId = getSession()?.user.id
onSessionChange(() => {
  const next = getSession()?.user.id
  if (next === userId) return
  userId = next
  queryClient.clear()
  void router.invalidate()
})

// The router does not handle the promise of a view transition that does not run: another one has started, or the tab is hidden.
addEventListener('unhandledrejection', (event) => {
  const { reason } = event
  if (reason instanceof DOMException && /transition/i.test(reason.message)) event.preventDefault()
})

// Wakes up a host that sleeps while there is no traffic. The response is ignored.
whenIdle(() => void fetch('/healthz').catch(() => {}))

/** Failed calls are logged by trpc.ts and shown by an error boundary; other errors are bugs. */
const rootOptions = {
  onCaughtError(error: unknown) {
    if (isPageError(error)) console.error(error)
  },
}

/** Whether members get the same from a procedure as visitors do: what the catalogue says of titles. */
function isForEverybody(path: string | undefined): boolean {
  return allKinds.some(({ router: name }) => path?.startsWith(`${name}.`))
}

const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Waits until the page is shown with skeletons: longer if the document shows the page instead of the app shell. */
async function skeletonTime(): Promise<void> {
  await delay(200)
  if (!document.getElementById('shell')) await delay(1_000)
}

const root = document.getElementById('root')!
const app = <App router={router} trpcClient={trpcClient} queryClient={queryClient} />
const rendered = window.$_TSR
if (rendered === undefined) {
  // The document has the app shell. What loads slowly gets a skeleton immediately, without a transition, because a transition would
  // intercept clicks. Later navigations keep showing the previous page.
  const { defaultPendingMs, defaultPendingMinMs, defaultViewTransition } = router.options
  Object.assign(router.options, { defaultPendingMs: 0, defaultPendingMinMs: 0, defaultViewTransition: false })
  const stop = router.subscribe('onResolved', () => {
    Object.assign(router.options, { defaultPendingMs, defaultPendingMinMs, defaultViewTransition })
    stop()
  })
  // The first calls have usually been answered. React then renders the page in slices between which it responds to presses, instead of
  // a skeleton and, in one task, the page.
  const loaded = router.load().then(adoptFirstAnswers, () => {})
  void Promise.race([loaded, skeletonTime()]).then(() =>
    startTransition(() => reactDom.createRoot(root, rootOptions).render(app)),
  )
} else {
  // The server rendered the page for a visitor; a member's own data is fetched after hydration. In a separate task, because
  // evaluating the modules and creating the router makes this one long.
  setTimeout(async () => {
    await hydrate(router)
    rendered.h()
    // The page is there already.
    router.shouldViewTransition = false
    if (userId !== undefined)
      void queryClient.invalidateQueries({
        refetchType: 'none',
        predicate: ({ queryKey }) => !isForEverybody(procedurePath(queryKey)),
      })
    startTransition(() => void reactDom.hydrateRoot(root, app, rootOptions))
  })
}
