import {
  createContext,
  createElement,
  type ReactNode,
  startTransition,
  Suspense,
  useDeferredValue,
  useSyncExternalStore,
} from 'react'

export type Reading = {
  locales: readonly string[]
  timeZone: string
  now: number
}

/** On the server and during hydration; null on visitors' pages and on pages of the browser. */
export const MembersPage = createContext<Reading | null>(null)

/** True in the render that hydrates a component, and on the server. Does not rerender afterwards. */
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

/** In one transition with all other waiting updates, when the page is idle. Returns a function that cancels it. */
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

/** Hydrated after the content around it, so that no task gets long; later updates are rendered in slices. A press hydrates it first. */
export function RenderedLater({ children }: { children: ReactNode }) {
  return useDeferredValue(createElement(Suspense, null, children))
}
