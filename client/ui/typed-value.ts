import { type RefObject, useLayoutEffect } from 'react'

/**
 * Updates the state with the text that was typed into a server-rendered input before hydration. React keeps that text in the DOM, but
 * the next render of a controlled input would replace it with the state.
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
