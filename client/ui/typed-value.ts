import { type RefObject, useLayoutEffect } from 'react'

/**
 * Adopts what was typed into a server-rendered input before it was hydrated. React keeps the text in the DOM then, but
 * the next render of a controlled input would replace it with the state, which does not know of it.
 */
export function useTypedValue(
  input: RefObject<HTMLInputElement | null>,
  value: string | undefined,
  onChange: ((value: string) => void) | undefined,
): void {
  useLayoutEffect(() => {
    const typed = input.current?.value
    if (value !== undefined && typed !== undefined && typed !== value) onChange?.(typed)
    // oxlint-disable-next-line react/exhaustive-deps -- only when the input is mounted
  }, [])
}
