import { type ComponentProps, useEffect } from 'react'
import { lazyComponent } from '#client/ui/lazy.ts'
import { SearchSuggestions } from './search-suggestions.tsx'

const { Component: Palette, load } = lazyComponent(async () => (await import('./palette.tsx')).Palette)

/** What the search box of the top bar shows: suggestions, and the palette. Lazy-loaded. */
export function SearchParts({
  isPaletteOpen,
  onPaletteChange,
  ...props
}: ComponentProps<typeof SearchSuggestions> & {
  isPaletteOpen: boolean
  onPaletteChange: (isOpen: boolean) => void
}) {
  useEffect(() => {
    if (isPaletteOpen) load()
  }, [isPaletteOpen])
  return (
    <>
      <SearchSuggestions {...props} />
      <Palette open={isPaletteOpen} onOpenChange={onPaletteChange} />
    </>
  )
}
