import { useState } from 'react'
import { draftPrefix } from './forget-drafts.ts'

/**
 * Text that outlives an accidental leave, a reload and a closed tab: what differs from `saved` is kept in this browser
 * until `clear`. `name` tells whose it is and what it is about.
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
    // Storage is closed or full: the draft lasts as long as the page.
  }
}
