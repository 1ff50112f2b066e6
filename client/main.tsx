import { hydrate } from '@tanstack/react-router/ssr/client'
import { startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { createAppRouter } from './router.tsx'
import { isOurs } from './routes/-shell/problems.tsx'
import { getSession, onSessionChange } from './session.ts'
import './styles.css'
import { queryClient, trpcClient, trpcUtils } from './trpc.ts'

const router = createAppRouter({ queryClient, trpcUtils })

// What a member saw is not for the next one, and a visitor's answers lack what is the member's own.
let reader = getSession()?.user.id
onSessionChange(() => {
  const next = getSession()?.user.id
  if (next === reader) return
  reader = next
  queryClient.clear()
  void router.invalidate()
})

// The router leaves `ready` to itself, which rejects where the next transition takes over, or in a tab that nobody sees.
const startTransitionOf = document.startViewTransition?.bind(document)
if (startTransitionOf !== undefined)
  document.startViewTransition = (update) => {
    const transition = startTransitionOf(update)
    transition.ready.catch(() => {})
    return transition
  }

// Wakes a sleeping host; the answer does not matter.
fetch('/healthz').catch(() => {})

/** Of calls that failed, the console knows already; a page's boundary shows them. */
const told = {
  onCaughtError(error: unknown) {
    if (isOurs(error)) console.error(error)
  },
}

const root = document.getElementById('root')!
const app = <App router={router} trpcClient={trpcClient} queryClient={queryClient} />
const rendered = window.$_TSR
if (rendered === undefined) {
  // Nothing is there yet: the bars and the shape of the page come at once. Later the page before stays for a while.
  const { defaultPendingMs, defaultPendingMinMs } = router.options
  Object.assign(router.options, { defaultPendingMs: 0, defaultPendingMinMs: 0 })
  const stop = router.subscribe('onResolved', () => {
    Object.assign(router.options, { defaultPendingMs, defaultPendingMinMs })
    stop()
  })
  createRoot(root, told).render(app)
} else {
  // As the server rendered it, for a visitor; what is a member's own comes in once the page lives.
  void hydrate(router).then(() => {
    rendered.h()
    if (reader !== undefined) void queryClient.invalidateQueries({ refetchType: 'none' })
    startTransition(() => void hydrateRoot(root, app, told))
  })
}
