import { Autocomplete } from '@base-ui/react/autocomplete'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { titlePath } from '#client/kinds.ts'
import { trpc, type RouterOutputs } from '#client/trpc.ts'
import { useMyRating } from '#client/my-ratings.ts'
import { Picture } from '#client/ui/picture.tsx'
import { ownStarsText } from '#client/ui/poster-marks.tsx'
import { Stars } from '#client/ui/stars.tsx'
import { VisuallyHidden } from '#client/ui/visually-hidden.tsx'
import { imageSrcSet } from '#shared/images.ts'
import { suggestionDelayMs } from '#shared/limits.ts'
import { kinds } from '#shared/media.ts'
import { searchInput, type SearchComboboxProps } from './search-input.ts'

type Suggestion = RouterOutputs['movies']['search']['results'][number]

const none: Suggestion[] = []

/** Suggests movies for the typed text. Submitting the form around it searches everything. */
export function SearchCombobox({ text, onText, onPick, takeSelection, inputRef }: SearchComboboxProps) {
  const box = useRef<HTMLDivElement>(null)
  const [isWanted, setWanted] = useState(false)
  const q = useDebounced(text.trim(), suggestionDelayMs)
  const { data, isFetching } = trpc.movies.search.useQuery(
    { q },
    { enabled: q !== '' && isWanted, placeholderData: (before) => before, staleTime: 60_000 },
  )
  const found = q === '' || text.trim() === '' ? none : (data?.results ?? none)
  const isOpen = isWanted && found.length > 0

  useLayoutEffect(() => {
    const selection = takeSelection()
    if (selection === undefined) return
    inputRef.current?.focus()
    inputRef.current?.setSelectionRange(...selection)
    setWanted(inputRef.current?.value.trim() !== '')
  }, [takeSelection, inputRef])

  return (
    <Autocomplete.Root
      items={found}
      itemToStringValue={(movie: Suggestion) => movie.name}
      filter={null}
      mode="none"
      value={text}
      onValueChange={(next, { reason }) => {
        // Picking a suggestion opens its page; its name must not become the search text.
        if (reason !== 'item-press') onText(next)
        if (reason === 'input-change') setWanted(next.trim() !== '')
      }}
      open={isOpen}
      onOpenChange={(open, { reason }) => {
        if (!open || reason === 'list-navigation') setWanted(open)
      }}
    >
      <Autocomplete.Input
        {...searchInput}
        ref={inputRef}
        onBlur={(event) => {
          if (!box.current?.contains(event.relatedTarget)) setWanted(false)
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' && !isOpen && text.trim() !== '') setWanted(true)
        }}
      />
      <Autocomplete.Status className="sr-only">
        {isWanted && q !== '' && !isFetching && data ? countText(found.length) : null}
      </Autocomplete.Status>
      <div ref={box} />
      {/* Beside the input, and without Popup: that hides the page from assistive technology while it stays tabbable.
          Popup would also take the portal away on closing; so this does. */}
      {isOpen ? (
        <Autocomplete.Portal container={box}>
          <Autocomplete.Positioner
            sideOffset={8}
            align="start"
            className="z-50 w-(--anchor-width) min-w-72 outline-none"
          >
            <div className="popup max-h-[min(28rem,var(--available-height))] overflow-y-auto overscroll-contain p-1.5">
              <Autocomplete.List aria-label="Movies">
                {(movie: Suggestion) => (
                  <Autocomplete.Item
                    key={movie.id}
                    value={movie}
                    onClick={() => onPick(titlePath(kinds.movie, movie.id))}
                    className="flex min-h-14 cursor-pointer items-center gap-3 rounded-lg px-2 py-1.5 outline-none select-none data-highlighted:bg-raised"
                  >
                    <span className="block h-12 w-8 shrink-0 overflow-hidden rounded-md bg-raised">
                      <Picture
                        src={movie.imageUrl}
                        srcSet={movie.imageUrl ? imageSrcSet(movie.imageUrl) : undefined}
                        sizes="32px"
                      />
                    </span>
                    <span className="min-w-0">
                      <span className="line-clamp-2 text-label leading-tight">{movie.name}</span>
                      {movie.releaseYear === null ? null : (
                        <span className="text-meta text-muted tabular-nums">
                          <VisuallyHidden>, </VisuallyHidden>
                          {movie.releaseYear}
                        </span>
                      )}
                      <OwnStars id={movie.id} />
                    </span>
                  </Autocomplete.Item>
                )}
              </Autocomplete.List>
            </div>
          </Autocomplete.Positioner>
        </Autocomplete.Portal>
      ) : null}
    </Autocomplete.Root>
  )
}

function OwnStars({ id }: { id: number }) {
  const rating = useMyRating(id)
  return typeof rating === 'number' ? (
    <span className="ml-2 text-meta">
      <VisuallyHidden>, </VisuallyHidden>
      <Stars value={rating} label={ownStarsText(rating)} />
    </span>
  ) : null
}

function countText(count: number) {
  if (count === 0) return 'No movies suggested.'
  return count === 1 ? '1 movie suggested.' : `${count} movies suggested.`
}

/** Debounces a value; an empty one applies immediately. */
function useDebounced(value: string, delayMs: number) {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), value === '' ? 0 : delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return settled
}
