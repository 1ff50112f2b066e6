import { X } from 'lucide-react'
import { type ComponentProps, useEffect } from 'react'
import { createPortal } from 'react-dom'
import { lazyComponent } from '#client/ui/lazy.ts'
import { SearchSuggestions } from './search-suggestions.tsx'

const { Component: Palette, load } = lazyComponent(async () => (await import('./palette.tsx')).Palette)

export function SearchParts({
  isPaletteOpen,
  onPaletteChange,
  onClear,
  ...props
}: ComponentProps<typeof SearchSuggestions> & {
  isPaletteOpen: boolean
  onPaletteChange: (isOpen: boolean) => void
  onClear: () => void
}) {
  useEffect(() => {
    if (isPaletteOpen) load()
  }, [isPaletteOpen])
  const { input, text } = props
  const form = input.current?.form
  return (
    <>
      {form && text !== ''
        ? createPortal(
            <button
              type="button"
              aria-label="Clear the text"
              onClick={() => {
                onClear()
                input.current?.focus()
              }}
              className="absolute inset-y-0 inset-e-0 grid w-11 place-items-center rounded-full text-muted hover:text-ink"
            >
              <X aria-hidden className="size-4.5" />
            </button>,
            form,
          )
        : null}
      <SearchSuggestions {...props} />
      <Palette open={isPaletteOpen} onOpenChange={onPaletteChange} />
    </>
  )
}
