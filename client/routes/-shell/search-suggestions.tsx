import { clsx } from 'clsx'
import { Search } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { titlePath } from '#client/kinds.ts'
import { useMyRating } from '#client/my-titles.ts'
import { trpc } from '#client/trpc.ts'
import { KindDot } from '#client/ui/kind.tsx'
import { Picture } from '#client/ui/picture.tsx'
import { ownStarsText } from '#client/ui/poster-marks.tsx'
import { Stars } from '#client/ui/stars.tsx'
import { VisuallyHidden } from '#client/ui/visually-hidden.tsx'
import { imageSrcSet } from '#shared/images.ts'
import { suggestionDelayMs, suggestionsLimit } from '#shared/limits.ts'
import { type Kind, kindOfCategory, kinds } from '#shared/media.ts'

type Suggestion = {
  id: number
  kind: Kind
  name: string
  imageUrl: string | null
  year: number | null
}

type Props = {
  input: RefObject<HTMLInputElement | null>
  text: string
  /** Opens the page of a title. */
  onPick: (path: string) => void
  /** Opens the search page. */
  onSearch: () => void
}

/** The maximum number of titles of other kinds, so that movies come first. */
const othersMax = 4

/**
 * Suggests titles for the text of an input; the last row searches everything. Lazy-loaded: it turns the existing input into a
 * combobox by listeners and attributes. It does not replace the input, so that no typed key is lost. The pattern:
 * https://www.w3.org/WAI/ARIA/apg/patterns/combobox/
 */
export function SearchSuggestions({ input, text, onPick, onSearch }: Props) {
  const listId = useId()
  const box = useRef<HTMLDivElement>(null)
  const [isWanted, setWanted] = useState(() => document.activeElement === input.current && text !== '')
  /** The key of the highlighted row: rows that arrive while it is highlighted must not take its place. */
  const [active, setActive] = useState<string>()
  const q = useDebounced(text.trim(), suggestionDelayMs)
  const { suggestions, isSettled } = useSuggestions(q, isWanted)
  const isOpen = isWanted && text.trim() !== '' && q !== '' && isSettled

  const rows: { key: string; onPress: () => void; content: ReactNode }[] = suggestions.map((title) => ({
    key: String(title.id),
    onPress: () => onPick(titlePath(kinds[title.kind], title.id)),
    content: <TitleRow title={title} />,
  }))
  rows.push({ key: 'everything', onPress: onSearch, content: <EverythingRow q={text.trim()} /> })
  const idOf = (index: number) => `${listId}-${rows[index]?.key}`
  /** The index of the highlighted row, or -1. */
  const highlighted = isOpen ? rows.findIndex(({ key }) => key === active) : -1

  function close() {
    setWanted(false)
    setActive(undefined)
  }
  function press(index: number) {
    close()
    rows[index]!.onPress()
  }
  function onKey(event: KeyboardEvent) {
    // An input method handles the keys while it composes.
    if (event.isComposing) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && text.trim() !== '') {
      event.preventDefault()
      setWanted(true)
      // One position more than there are rows: in the last position, no row is highlighted.
      const positions = rows.length + 1
      if (isOpen) setActive(rows[((highlighted + 1 + step + positions) % positions) - 1]?.key)
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault()
      close()
    } else if (event.key === 'Enter' && highlighted >= 0) {
      event.preventDefault()
      press(highlighted)
    }
  }

  const latestOnKey = useRef(onKey)
  useLayoutEffect(() => {
    latestOnKey.current = onKey
    const element = input.current!
    element.setAttribute('role', 'combobox')
    element.setAttribute('aria-autocomplete', 'list')
    element.setAttribute('aria-expanded', String(isOpen))
    setOrRemove(element, 'aria-controls', isOpen ? listId : undefined)
    setOrRemove(element, 'aria-activedescendant', highlighted >= 0 ? idOf(highlighted) : undefined)
    if (highlighted >= 0)
      box.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  })
  useEffect(() => {
    const element = input.current!
    const listening = new AbortController()
    const { signal } = listening
    element.addEventListener('keydown', (event) => latestOnKey.current(event), { signal })
    element.addEventListener(
      'input',
      () => {
        setWanted(element.value.trim() !== '')
        setActive(undefined)
      },
      { signal },
    )
    element.addEventListener(
      'blur',
      () => {
        setWanted(false)
        setActive(undefined)
      },
      { signal },
    )
    return () => listening.abort()
  }, [input])

  return (
    <>
      <p role="status" className="sr-only">
        {isOpen ? countText(suggestions.length) : null}
      </p>
      {isOpen ? (
        <div
          ref={box}
          role="listbox"
          id={listId}
          aria-label="Suggestions"
          tabIndex={-1}
          // A press must not take the focus from the input: that would close the list before the click.
          onMouseDown={(event) => event.preventDefault()}
          className="popup absolute inset-x-(--gutter) top-full z-50 mt-2 max-h-[min(30rem,calc(100dvh-6rem))] scroll-pb-18 overflow-y-auto overscroll-contain p-1.5 outline-none sm:inset-x-0 sm:min-w-80"
        >
          {rows.map(({ key, content }, index) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the input handles the keys
            <div
              key={key}
              id={idOf(index)}
              role="option"
              tabIndex={-1}
              aria-selected={index === highlighted}
              data-highlighted={index === highlighted ? '' : undefined}
              onPointerMove={() => setActive(key)}
              onClick={() => press(index)}
              className={clsx(
                'flex min-h-14 cursor-pointer items-center gap-3 rounded-item px-2 py-1.5 outline-none select-none data-highlighted:bg-raised',
                key === 'everything' &&
                  index > 0 &&
                  // Always visible, below the suggestions that scroll.
                  'sticky -bottom-1.5 -mx-1.5 -mb-1.5 border-t border-line bg-surface px-3.5 pb-3',
              )}
            >
              {content}
            </div>
          ))}
        </div>
      ) : null}
    </>
  )
}

function TitleRow({ title: { id, name, kind, year, imageUrl } }: { title: Suggestion }) {
  const rating = useMyRating(id)
  return (
    <>
      <span className="block h-12 w-8 shrink-0 overflow-hidden rounded-md bg-raised">
        <Picture src={imageUrl} srcSet={imageSrcSet(imageUrl)} sizes="32px" />
      </span>
      <span className="min-w-0">
        <span className="line-clamp-2 text-label leading-tight wrap-anywhere">{name}</span>
        <span className="flex items-center gap-1.5 text-meta text-muted tabular-nums">
          <VisuallyHidden>, </VisuallyHidden>
          <KindDot kind={kind} />
          {kinds[kind].words.category}
          {year === null ? null : `, ${year}`}
          {typeof rating === 'number' ? (
            <>
              <VisuallyHidden>, </VisuallyHidden>
              <Stars value={rating} label={ownStarsText(rating)} />
            </>
          ) : null}
        </span>
      </span>
    </>
  )
}

function EverythingRow({ q }: { q: string }) {
  return (
    <>
      <span className="grid w-8 shrink-0 place-items-center text-muted">
        <Search aria-hidden className="size-4.5" />
      </span>
      <span className="line-clamp-2 min-w-0 text-label wrap-anywhere">Search everything for “{q}”</span>
    </>
  )
}

/** Returns suggestions of all kinds, movies first. Those of the previous query stay until the new ones are there. */
function useSuggestions(q: string, isWanted: boolean): { suggestions: Suggestion[]; isSettled: boolean } {
  const options = {
    enabled: q !== '' && isWanted,
    placeholderData: <Data,>(before: Data) => before,
    staleTime: 60_000,
  }
  const movies = trpc.movies.search.useQuery({ q }, options)
  const items = trpc.items.search.useQuery({ q, limit: suggestionsLimit }, options)
  const others = (items.data?.results ?? [])
    .map(({ id, name, category, imageUrl, releaseYear }) => ({
      id,
      name,
      imageUrl,
      year: releaseYear,
      kind: kindOfCategory(category)!,
    }))
    .filter(({ kind }) => kind !== 'movie')
    .slice(0, othersMax)
  const first = (movies.data?.results ?? [])
    .slice(0, suggestionsLimit - others.length)
    .map(({ id, name, imageUrl, releaseYear }) => ({
      id,
      name,
      imageUrl,
      year: releaseYear,
      kind: 'movie' as const,
    }))
  return { suggestions: [...first, ...others], isSettled: !movies.isLoading && !items.isLoading }
}

function countText(count: number) {
  if (count === 0) return 'No titles suggested.'
  return count === 1 ? '1 title suggested.' : `${count} titles suggested.`
}

function setOrRemove(element: Element, name: string, value: string | undefined) {
  if (value === undefined) element.removeAttribute(name)
  else element.setAttribute(name, value)
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
