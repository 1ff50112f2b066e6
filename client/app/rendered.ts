import { useDeferredValue, useEffect } from 'react'
import { useSession } from './session.ts'

/** The number of entries of a list that are rendered at first. They fill a screen. */
const renderedAtFirst = 16

/** Whether no list has been rendered since the page was opened. */
let isFirst = true

/**
 * Returns the entries of a list to render. The first list of a member has sixteen at first, on the server and during hydration; the
 * others follow in a render of their own, so that no task gets long.
 */
export function useRendered<Entry>(entries: readonly Entry[]): readonly Entry[] {
  const isForMember = useSession() !== null
  const rendersAll = useDeferredValue(true, !(isFirst && isForMember))
  useEffect(() => {
    isFirst = false
  }, [])
  return rendersAll ? entries : entries.slice(0, renderedAtFirst)
}
