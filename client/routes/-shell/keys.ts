import { useEffect, useRef } from 'react'

/** Handles a shortcut of one key, such as `/`, unless an input has the focus or a dialog is open. */
export function useKey(key: string, onPress: () => void): void {
  const latest = useRef(onPress)
  useEffect(() => {
    latest.current = onPress
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented)
        return
      const at = event.target as HTMLElement
      if (at.isContentEditable || at.closest('input, textarea, select, [role=dialog], [role=alertdialog]'))
        return
      event.preventDefault()
      latest.current()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [key])
}
