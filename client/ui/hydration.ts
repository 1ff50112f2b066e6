import {
  createContext,
  createElement,
  type ReactNode,
  startTransition,
  Suspense,
  useDeferredValue,
  useSyncExternalStore,
} from 'react'

/** What the server knows of the reader of a member's page. */
export type Reading = {
  locales: readonly string[]
  timeZone: string
  /** When the page was rendered (ms). */
  now: number
}

/** The reader of the page, on the server and while the browser hydrates it; null on visitors' pages and on pages of the browser. */
export const MembersPage = createContext<Reading | null>(null)

/** Returns true in the render that hydrates a server-rendered component, and on the server. Does not rerender afterwards. */
export function useIsHydrating(): boolean {
  let isHydrating = false
  // oxlint-disable-next-line react/immutability -- React calls it while it renders, and only on the server and during hydration
  useSyncExternalStore(neverChanges, nothing, () => {
    // oxlint-disable-next-line react/immutability -- see above
    isHydrating = true
  })
  return isHydrating
}

const neverChanges = () => nothing
const nothing = () => undefined

const waiting = new Set<() => void>()

/**
 * Calls `update` in a transition when the page is idle, together with all other waiting updates. Returns a function that cancels it.
 * For effects.
 */
export function afterHydration(update: () => void): () => void {
  // Safari has no requestIdleCallback.
  if (waiting.size === 0)
    (globalThis.requestIdleCallback ?? ((run) => setTimeout(run, 100)))(updateAll, { timeout: 1_000 })
  waiting.add(update)
  return () => waiting.delete(update)
}

function updateAll(): void {
  const updates = [...waiting]
  waiting.clear()
  startTransition(() => {
    for (const update of updates) update()
  })
}

/**
 * A part of a page that is rendered after the content around it, so that no task gets long: it is hydrated and committed separately, and
 * its later updates are rendered in slices, between which the browser responds to presses. A press on it hydrates it first.
 */
export function RenderedLater({ children }: { children: ReactNode }) {
  return useDeferredValue(createElement(Suspense, null, children))
}
