import { type RefObject, useLayoutEffect } from 'react'

/** React keeps a text that was typed before hydration in the DOM, but the next render of a controlled input would replace it with the state. */
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
