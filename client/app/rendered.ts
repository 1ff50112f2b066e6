import { startTransition, useEffect, useState } from 'react'
import { useSession } from './session.ts'

/** Enough to fill a screen. */
const renderedAtFirst = 16

let isFirst = true

/**
 * The first list of a member has sixteen entries on the server and during hydration. Each later render has twice as many, so that no task gets
 * long.
 */
export function useRendered<Entry>(entries: readonly Entry[]): readonly Entry[] {
  const isForMember = useSession() !== null
  const [count, setCount] = useState(isFirst && isForMember ? renderedAtFirst : Infinity)
  const isWhole = count >= entries.length
  useEffect(() => {
    isFirst = false
    startTransition(() => setCount(isWhole ? Infinity : 2 * count))
  }, [count, isWhole])
  return isWhole ? entries : entries.slice(0, count)
}
