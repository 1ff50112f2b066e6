import { createContext, useContext, useLayoutEffect, useRef } from 'react'

export type TextKeeper = {
  /** Restores the kept text; calls `set` again if the member discards it. */
  mount: (field: string, value: string, set: (text: string) => void) => () => void
  keep: (field: string, text: string, before: string) => void
}
export const TextKeeperContext = createContext<TextKeeper | null>(null)

export function useKeptText(
  field: string | undefined,
  value: string | undefined,
  onChange: ((text: string) => void) | undefined,
): (text: string) => void {
  const keeper = useContext(TextKeeperContext)
  const latest = useRef(onChange)
  latest.current = onChange
  useLayoutEffect(() => {
    if (field === undefined || value === undefined) return undefined
    return keeper?.mount(field, value, (text) => latest.current?.(text))
    // oxlint-disable-next-line react/exhaustive-deps -- only when the field is mounted
  }, [keeper])
  return (text) => {
    if (field !== undefined && value !== undefined) keeper?.keep(field, text, value)
    onChange?.(text)
  }
}
