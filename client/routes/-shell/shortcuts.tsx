import { useState } from 'react'
import { lazyComponent } from '#client/ui/lazy.ts'
import { useKey } from './keys.ts'

const { Component: ShortcutsDialog, load } = lazyComponent(
  async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog,
)

/** Opens the list of keyboard shortcuts, with `?` or its button. */
export function Shortcuts() {
  const [isOpen, setOpen] = useState(false)
  const open = () => {
    load()
    setOpen(true)
  }
  useKey('?', open)
  return (
    <>
      {/* Of no use where there is no keyboard. */}
      <button
        type="button"
        aria-keyshortcuts="?"
        aria-haspopup="dialog"
        onPointerEnter={load}
        onFocus={load}
        onClick={open}
        className="link min-h-6 font-medium [@media(hover:none)]:hidden"
      >
        Keyboard shortcuts
      </button>
      <ShortcutsDialog open={isOpen} onOpenChange={setOpen} />
    </>
  )
}
