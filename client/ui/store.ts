import { useSyncExternalStore } from 'react'

/** The server renders `initial`. `useValue` rerenders only if what it selects differs. */
export function createStore<Value>(initial: Value) {
  let value = initial
  const listeners = new Set<() => void>()
  function subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const get = () => value
  function set(next: Value): void {
    value = next
    for (const listener of listeners) listener()
  }
  function useValue(): Value
  function useValue<Selected>(select: (value: Value) => Selected): Selected
  function useValue(select: (value: Value) => unknown = (all) => all) {
    return useSyncExternalStore(
      subscribe,
      () => select(value),
      () => select(initial),
    )
  }
  return { get, set, useValue }
}
