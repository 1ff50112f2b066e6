import { useEffect, useRef } from 'react'

/** One key, such as `/`, works unless an input has the focus; with Ctrl or ⌘ (`mod+k`) always, but not while a dialog is open. */
export function useKey(key: string, onPress: () => void): void {
  const latest = useRef(onPress)
  useEffect(() => {
    latest.current = onPress
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isMod = event.ctrlKey || event.metaKey
      if (`${isMod ? 'mod+' : ''}${event.key}` !== key || event.altKey || event.defaultPrevented) return
      const at = event.target as HTMLElement
      const fields = isMod ? '' : 'input:not([type=radio]), textarea, select, '
      if (at.closest(`${fields}[role=dialog], [role=alertdialog]`)) return
      event.preventDefault()
      latest.current()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [key])
}
