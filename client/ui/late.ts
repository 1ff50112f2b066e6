import { type ComponentType, createElement, useSyncExternalStore } from 'react'

/**
 * A component that a page can do without at first: `want` loads it, and `Late` shows it once it is there, which
 * `useIsHere` tells. A load that failed is tried again with the next wish.
 */
export function late<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let component: ComponentType<Props> | undefined
  let loading: Promise<void> | undefined
  const listeners = new Set<() => void>()

  function want(): void {
    loading ??= load().then(
      (loaded) => {
        component = loaded
        for (const listener of listeners) listener()
      },
      () => {
        loading = undefined
      },
    )
  }
  function subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  function useIsHere(): boolean {
    return useSyncExternalStore(
      subscribe,
      () => component !== undefined,
      () => false,
    )
  }
  function Late(props: Props) {
    return useIsHere() && component ? createElement(component, props) : null
  }
  return { want, useIsHere, Late }
}

/** Calls `work` once the page has had its time and is idle; answers how to call that off. For effects. */
export function whenIdle(work: () => void): () => void {
  // Safari has no requestIdleCallback.
  const timer = setTimeout(() => (globalThis.requestIdleCallback ?? setTimeout)(work), 2_000)
  return () => clearTimeout(timer)
}
