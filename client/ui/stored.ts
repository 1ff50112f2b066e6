import { useSyncExternalStore } from 'react'

/** Null on the server and during hydration. */
export function useStored(key: string): string | null {
  return useSyncExternalStore(
    neverChanges,
    () => readStored(key),
    () => null,
  )
}

const neverChanges = () => () => {}

/** Null also on the server, and without access to storage. */
export function readStored(key: string): string | null {
  if (import.meta.env.SSR) return null
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Null removes it. Does nothing without access to storage, or if it is full. */
export function writeStored(key: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
  } catch {
    // It is forgotten with the page.
  }
}
