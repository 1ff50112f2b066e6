import {
  type ComponentType,
  createElement,
  useContext,
  useDeferredValue,
  useEffect,
  useSyncExternalStore,
} from 'react'
import { MembersPage } from './hydration.ts'

const loads = new Set<Promise<void>>()

/** The loads that rendering on the server has found; they are done for all later pages. */
export function takeLoads(): Promise<void>[] {
  const found = [...loads]
  loads.clear()
  return found
}

/**
 * Unlike with React.lazy, rendering `Component` neither starts the load nor suspends. A failed load is tried again with the next call. With
 * `isInPage`, the server renders it for members, and the browser hydrates it once it is loaded.
 */
export function lazyComponent<Props extends object>(
  importComponent: () => Promise<ComponentType<Props>>,
  { isInPage = false } = {},
) {
  let component: ComponentType<Props> | undefined
  let loading: Promise<void> | undefined
  let hasFailed = false
  const listeners = new Set<() => void>()

  function start(): Promise<void> {
    loading ??= importComponent().then(
      (loaded) => {
        component = loaded
        for (const listener of listeners) listener()
      },
      () => {
        hasFailed = true
        loading = undefined
      },
    )
    return loading
  }
  const load = (): void => void start()
  /** The load starts with the first sign of a press. */
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
    const isRendered = useContext(MembersPage) !== null && isInPage
    let isHydrating = false
    const isLoaded = useSyncExternalStore(
      subscribe,
      () => component !== undefined,
      () => {
        // oxlint-disable-next-line react/immutability -- React calls it while it renders, and only on the server and during hydration
        isHydrating = true
        return isRendered && component !== undefined
      },
    )
    if (isHydrating && isRendered && component === undefined) {
      if (import.meta.env.SSR) loads.add(start())
      // Suspends. Not with `use`, after which React cannot call further hooks of a component that it hydrates (#467).
      // oxlint-disable-next-line no-throw-literal -- see above
      else if (!hasFailed) throw start()
    }
    // Every card of a page can render a load: React pauses for what is more urgent.
    return useDeferredValue(isLoaded)
  }
  function Component(props: Props) {
    return useIsLoaded() && component ? createElement(component, props) : null
  }
  /** Starts loading with its first render. */
  function AutoLoaded(props: Props) {
    useEffect(load, [])
    return createElement(Component, props)
  }
  return { load, opens, useIsLoaded, Component, AutoLoaded }
}

/** After two seconds at the earliest. Returns a function that cancels it. */
export function whenIdle(work: () => void): () => void {
  // Safari has no requestIdleCallback.
  const timer = setTimeout(() => (globalThis.requestIdleCallback ?? setTimeout)(work), 2_000)
  return () => clearTimeout(timer)
}
