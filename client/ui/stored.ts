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
