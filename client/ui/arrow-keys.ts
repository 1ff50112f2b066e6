import type { KeyboardEvent } from 'react'

/**
 * Arrow keys move through the buttons below a field and back, Enter in the field presses the first. Call it in `onKeyDown` around both.
 * Returns whether it was such a key.
 */
export function moveByArrows(event: KeyboardEvent<HTMLElement>, isCurrent = true): boolean {
  if (event.nativeEvent.isComposing) return false
  const box = event.currentTarget
  const field = box.querySelector('input')
  // Without `:scope`, the <li> could be one around the box.
  const buttons = [...box.querySelectorAll<HTMLElement>(':scope li button')]
  const at = buttons.indexOf(document.activeElement as HTMLElement)
  if (event.key === 'Enter' && event.target === field) {
    event.preventDefault()
    if (isCurrent) buttons[0]?.click()
    return true
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return false
  event.preventDefault()
  if (at + step < 0) field?.focus()
  else buttons[Math.min(at + step, buttons.length - 1)]?.focus()
  return true
}
