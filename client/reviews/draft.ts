import { useState } from 'react'

/**
 * Text that outlives an accidental leave: what differs from `saved` is kept in this tab until `clear`. A draft belongs
 * to a member and a title, which `name` tells.
 */
export function useDraft(name: string, saved: string) {
  const key = `draft ${name}`
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
    return sessionStorage.getItem(key)
  } catch {
    return null
  }
}

function write(key: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, text)
  } catch {
    // Storage is closed or full: the draft lasts as long as the page.
  }
}
