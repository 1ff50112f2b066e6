import { useDeferredValue, useEffect } from 'react'
import { useSession } from './session.ts'

/** Enough to fill a screen. */
const renderedAtFirst = 16

let isFirst = true

/**
 * The first list of a member has sixteen entries on the server and during hydration; the others follow in a render of their own, so that no
 * task gets long.
 */
export function useRendered<Entry>(entries: readonly Entry[]): readonly Entry[] {
  const isForMember = useSession() !== null
  const rendersAll = useDeferredValue(true, !(isFirst && isForMember))
  useEffect(() => {
    isFirst = false
  }, [])
  return rendersAll ? entries : entries.slice(0, renderedAtFirst)
}
