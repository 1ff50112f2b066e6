import { Dialog } from '@base-ui/react/dialog'
import { useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useRef, useState } from 'react'
import type { DialogControl } from '#client/ui/dialog.tsx'
import { queryMax } from '#shared/domain/limits.ts'
import { SearchSuggestions } from './search-suggestions.tsx'

/** Use `SearchParts`, which lazy-loads this. */
export function Palette(control: DialogControl) {
  return (
    <Dialog.Root {...control}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 min-h-dvh bg-backdrop transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Viewport className="fixed inset-0 z-50 grid content-start justify-items-center p-3 pt-[min(16vh,8rem)]">
          <Dialog.Popup className="popup w-full max-w-160 overflow-hidden rounded-card">
            <Dialog.Title className="sr-only">Search and commands</Dialog.Title>
            <Box onClose={() => control.onOpenChange(false)} />
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Box({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  function search() {
    const q = text.trim()
    if (q === '') return
    onClose()
    void navigate({ to: '/search', search: { q } })
  }
  return (
    <search>
      <form
        className="relative"
        onSubmit={(event) => {
          event.preventDefault()
          search()
        }}
      >
        <Search aria-hidden className="pointer-events-none absolute top-4 inset-s-4.5 size-5 text-muted" />
        <input
          ref={input}
          type="search"
          aria-label="Search titles, people and pages, or type a command"
          placeholder="Search, or “log dune yesterday 4”"
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="search"
          maxLength={queryMax}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="h-13 w-full [unicode-bidi:plaintext] bg-transparent pe-4 ps-12 text-body text-ink outline-none focus-visible:outline-none"
        />
      </form>
      <SearchSuggestions
        input={input}
        text={text}
        isPalette
        onPress={onClose}
        onSearch={search}
        onPick={(path) => void navigate({ to: path })}
      />
    </search>
  )
}
