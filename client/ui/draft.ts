import { useState } from 'react'
import { draftPrefix } from './forget-drafts.ts'
import { useStored, writeStored } from './stored.ts'

/** Kept in localStorage until `clear` if the text differs from `saved`. `name` must contain the user's id. */
export function useDraft(name: string, saved: string) {
  const key = draftPrefix + name
  const stored = useStored(key)
  const [written, setDraft] = useState<string | null>()
  const draft = written === undefined ? stored : written
  function keep(next: string | null) {
    setDraft(next)
    writeStored(key, next)
  }
  return {
    text: draft ?? saved,
    isKept: draft !== null,
    set: (next: string) => keep(next === saved ? null : next),
    clear: () => keep(null),
  }
}
