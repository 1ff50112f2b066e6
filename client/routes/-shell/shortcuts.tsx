import { lazyComponent } from '#client/ui/lazy.ts'
import { createStore } from '#client/ui/store.ts'
import { useKey } from './keys.ts'

const {
  Component: ShortcutsDialog,
  load,
  opens,
} = lazyComponent(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog)

const isOpen = createStore(false)

function open(): void {
  load()
  isOpen.set(true)
}

/** Apart from its button, because the footer is hydrated after the page. */
export function Shortcuts() {
  useKey('?', open)
  return <ShortcutsDialog open={isOpen.useValue()} onOpenChange={isOpen.set} />
}

export function ShortcutsButton() {
  return (
    <button
      type="button"
      aria-keyshortcuts="?"
      aria-haspopup="dialog"
      {...opens(() => isOpen.set(true))}
      className="link min-h-6 font-medium [@media(hover:none)]:hidden"
    >
      Keyboard shortcuts
    </button>
  )
}
