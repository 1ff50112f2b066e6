import { useState } from 'react'

const prefix = 'draft '

/**
 * Text that outlives an accidental leave, a reload and a closed tab: what differs from `saved` is kept in this browser
 * until `clear`. `name` tells whose it is and what it is about.
 */
export function useDraft(name: string, saved: string) {
  const key = prefix + name
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

/** For logging out: whoever comes next at this browser finds nothing of it. */
export function forgetDrafts(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key)
  } catch {
    // Storage is closed: then nothing was kept.
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
