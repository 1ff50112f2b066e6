import { useSyncExternalStore } from 'react'

/** Returns a text of localStorage when a component is rendered; null on the server and during hydration. */
export function useStored(key: string): string | null {
  return useSyncExternalStore(
    neverChanges,
    () => readStored(key),
    () => null,
  )
}

const neverChanges = () => () => {}

/** Returns a text of localStorage; null if there is none, on the server, and without access to storage. */
export function readStored(key: string): string | null {
  if (import.meta.env.SSR) return null
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Stores a text in localStorage; null removes it. Without access to storage, or if it is full, the text is not stored. */
export function writeStored(key: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
  } catch {
    // It is forgotten with the page.
  }
}
