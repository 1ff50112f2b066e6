import { type ComponentType, createElement, useDeferredValue, useEffect, useSyncExternalStore } from 'react'

/**
 * Makes a lazy-loaded component: `load` starts loading it, and `Component` renders nothing until it is loaded. A failed
 * load is tried again with the next call. Unlike React.lazy, rendering it does not start the load, and nothing suspends.
 */
export function lazyComponent<Props extends object>(importComponent: () => Promise<ComponentType<Props>>) {
  let component: ComponentType<Props> | undefined
  let loading: Promise<void> | undefined
  const listeners = new Set<() => void>()

  function load(): void {
    loading ??= importComponent().then(
      (loaded) => {
        component = loaded
        for (const listener of listeners) listener()
      },
      () => {
        loading = undefined
      },
    )
  }
  /** Returns the handlers of a button that opens the component: it starts loading with the first sign of a press. */
  function opens(open: () => void) {
    return {
      onPointerEnter: load,
      onFocus: load,
      onClick() {
        load()
        open()
      },
    }
  }
  function subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  function useIsLoaded(): boolean {
    const isLoaded = useSyncExternalStore(
      subscribe,
      () => component !== undefined,
      () => false,
    )
    // A load can render on every card of a page: React then pauses for what is more urgent.
    return useDeferredValue(isLoaded)
  }
  function Component(props: Props) {
    return useIsLoaded() && component ? createElement(component, props) : null
  }
  /** Renders as `Component`, and starts loading when it is rendered for the first time. */
  function AutoLoaded(props: Props) {
    useEffect(load, [])
    return createElement(Component, props)
  }
  return { load, opens, useIsLoaded, Component, AutoLoaded }
}

/** Calls `work` when the page is idle, after two seconds at the earliest. Returns a function that cancels it. For effects. */
export function whenIdle(work: () => void): () => void {
  // Safari has no requestIdleCallback.
  const timer = setTimeout(() => (globalThis.requestIdleCallback ?? setTimeout)(work), 2_000)
  return () => clearTimeout(timer)
}
