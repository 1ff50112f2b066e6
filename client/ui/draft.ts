import { useState } from 'react'
import { draftPrefix } from './forget-drafts.ts'

/**
 * A text that survives a reload and a closed tab: it is kept in localStorage until `clear` if it differs from `saved`.
 * `name` is its key, and must contain the user's id.
 */
export function useDraft(name: string, saved: string) {
  const key = draftPrefix + name
  const [draft, setDraft] = useState(() => read(key))
  function keep(next: string | null) {
    setDraft(next)
    write(key, next)
  }
  return {
    text: draft ?? saved,
    isKept: draft !== null,
    set: (next: string) => keep(next === saved ? null : next),
    clear: () => keep(null),
  }
}

function read(key: string): string | null {
  if (import.meta.env.SSR) return null
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function write(key: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
  } catch {
    // No access to storage, or it is full: the draft lasts as long as the page.
  }
}
