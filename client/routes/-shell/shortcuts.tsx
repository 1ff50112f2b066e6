import { useState } from 'react'
import { late } from '#client/ui/late.ts'
import { useKey } from './keys.ts'

const { Late: ShortcutsDialog, want } = late(
  async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog,
)

/** The keys there are, by `?` and for those who press. */
export function Shortcuts() {
  const [isOpen, setOpen] = useState(false)
  const open = () => {
    want()
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
        onPointerEnter={want}
        onFocus={want}
        onClick={open}
        className="link min-h-6 font-medium [@media(hover:none)]:hidden"
      >
        Keyboard shortcuts
      </button>
      <ShortcutsDialog open={isOpen} onOpenChange={setOpen} />
    </>
  )
}
