import { clsx } from 'clsx'
import { Search } from 'lucide-react'
import { type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { PlainRow, useSearchRows } from './search-rows.tsx'
import { plural, t } from '#shared/domain/message.ts'

type Props = {
  input: RefObject<HTMLInputElement | null>
  text: string
  onPick: (path: string) => void
  onSearch: () => void
  onPress?: (() => void) | undefined
  isPalette?: boolean | undefined
}

/**
 * Turns the existing input into a combobox (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/) by listeners and attributes, because
 * replacing it would lose typed keys.
 */
export function SearchSuggestions({ input, text, onPick, onSearch, onPress, isPalette = false }: Props) {
  const listId = useId()
  const box = useRef<HTMLDivElement>(null)
  const [isAsked, setAsked] = useState(() => document.activeElement === input.current && text !== '')
  /** By key: rows that arrive later must not take its place. */
  const [active, setActive] = useState<string>()
  const isWanted = isPalette || isAsked
  const { groups, isSettled } = useSearchRows({ text, isWanted, isPalette, onPick })
  const hasText = text.trim() !== ''
  const isOpen = isPalette ? groups.length > 0 || hasText : isWanted && hasText && isSettled

  const suggested = groups.flatMap(({ rows }) => rows)
  const everything = { key: 'everything', onPress: onSearch }
  const rows = hasText ? [...suggested, everything] : suggested
  const idOf = (key: string | undefined) => `${listId}-${key?.replaceAll(' ', '-')}`
  const highlighted = isOpen
    ? rows.findIndex(({ key }) => key === (active ?? (isPalette ? 'command' : undefined)))
    : -1

  function close() {
    setAsked(false)
    setActive(undefined)
  }
  function press(index: number) {
    close()
    onPress?.()
    rows[index]!.onPress()
  }
  function onKey(event: KeyboardEvent) {
    // An input method handles the keys while it composes.
    if (event.isComposing) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && (hasText || isPalette)) {
      event.preventDefault()
      setAsked(true)
      // In the last position, no row is highlighted.
      const positions = rows.length + 1
      if (isOpen) setActive(rows[((highlighted + 1 + step + positions) % positions) - 1]?.key)
    } else if (event.key === 'Escape' && isOpen && !isPalette) {
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
    setOrRemove(element, 'aria-activedescendant', highlighted >= 0 ? idOf(rows[highlighted]!.key) : undefined)
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
        setAsked(element.value.trim() !== '')
        setActive(undefined)
      },
      { signal },
    )
    element.addEventListener(
      'blur',
      () => {
        setAsked(false)
        setActive(undefined)
      },
      { signal },
    )
    return () => listening.abort()
  }, [input])

  const option = (key: string) => ({
    id: idOf(key),
    role: 'option',
    tabIndex: -1,
    'aria-selected': rows[highlighted]?.key === key,
    'data-highlighted': rows[highlighted]?.key === key ? '' : undefined,
    onPointerMove: () => setActive(key),
    onClick: () => press(rows.findIndex((row) => row.key === key)),
  })
  const rowClass =
    'flex cursor-pointer items-center gap-3 rounded-item px-2 py-1.5 outline-none select-none data-highlighted:bg-raised'

  return (
    <>
      <p role="status" className="sr-only">
        {isOpen && hasText ? countText(suggested.length) : null}
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
          className={clsx(
            'scroll-pb-18 overflow-y-auto overscroll-contain p-1.5 outline-none',
            isPalette
              ? 'max-h-[min(28rem,calc(100dvh-12rem))] border-t border-line'
              : 'popup absolute inset-x-(--gutter) top-full z-50 mt-2 max-h-[min(30rem,calc(100dvh-6rem))] sm:inset-x-0 sm:min-w-80',
          )}
        >
          {groups.map(({ label, rows: own }) => (
            <div key={label} role="group" aria-label={label}>
              {groups.length > 1 || isPalette ? (
                <p aria-hidden className="px-2 pt-2 pb-1 text-tiny font-medium text-muted">
                  {label}
                </p>
              ) : null}
              {own.map(({ key, content }) => (
                <div key={key} {...option(key)} className={clsx(rowClass, 'min-h-12')}>
                  {content}
                </div>
              ))}
            </div>
          ))}
          {hasText ? (
            <div
              {...option('everything')}
              className={clsx(
                rowClass,
                'min-h-14',
                suggested.length > 0 &&
                  'sticky -bottom-1.5 -mx-1.5 -mb-1.5 border-t border-line bg-surface px-3.5 pb-3',
              )}
            >
              <PlainRow icon={<Search aria-hidden />}>Search everything for “{text.trim()}”</PlainRow>
            </div>
          ) : null}
        </div>
      ) : null}
    </>
  )
}

function countText(count: number) {
  if (count === 0) return t`No suggestions.`
  return plural(count, { one: '# suggestion.', other: '# suggestions.' })
}

function setOrRemove(element: Element, name: string, value: string | undefined) {
  if (value === undefined) element.removeAttribute(name)
  else element.setAttribute(name, value)
}
