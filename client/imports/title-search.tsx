import { Link } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useDebounced } from '#client/app/debounced.ts'
import { errorText } from '#client/app/trpc.ts'
import { Button, IconButton } from '#client/ui/button.tsx'
import { inputClass } from '#client/ui/field-look.ts'
import { queryMax } from '#shared/domain/limits.ts'
import { tabs } from '#shared/domain/media.ts'
import { messages } from '#shared/texts/messages.ts'
import { type ImportTitle, useTitleSearch } from './hooks.ts'
import { TitleChoice } from './title-choice.tsx'

/** Searches the catalogue for the title that is meant. Enter takes the first result, arrow keys move, Escape closes. */
export function TitleSearch({
  title,
  onPick,
  onClose,
}: {
  title: ImportTitle
  onPick: (mediaId: number, name: string) => void
  onClose: () => void
}) {
  const id = useId()
  const [text, setText] = useState(title.name)
  const q = useDebounced(text.trim())
  const search = useTitleSearch(q, title.kind)
  const input = useRef<HTMLInputElement>(null)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    input.current?.focus()
    input.current?.select()
  }, [])
  const isCurrent = q === text.trim() && !search.isFetching
  const results = q === '' ? [] : search.results

  function onKey(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      event.preventDefault()
      return onClose()
    }
    const buttons = [...(box.current?.querySelectorAll<HTMLElement>('li button') ?? [])]
    const at = buttons.indexOf(document.activeElement as HTMLElement)
    if (event.key === 'Enter' && at < 0 && event.target === input.current) {
      event.preventDefault()
      const [first] = results
      if (isCurrent && first) onPick(first.id, first.name)
    } else if (event.key === 'ArrowDown') {
      event.preventDefault()
      buttons[Math.min(at + 1, buttons.length - 1)]?.focus()
    } else if (event.key === 'ArrowUp') {
      event.preventDefault()
      ;(at > 0 ? buttons[at - 1] : input.current)?.focus()
    }
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys of the input and the buttons inside
    <div ref={box} data-search onKeyDown={onKey}>
      <label htmlFor={id} className="text-label">
        Search the catalogue
      </label>
      <div className="mt-1.5 flex gap-2">
        <input
          ref={input}
          id={id}
          type="search"
          autoComplete="off"
          maxLength={queryMax}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          className={`${inputClass} h-11 [&::-webkit-search-cancel-button]:appearance-none`}
        />
        <IconButton label="Close the search" onClick={onClose}>
          <X aria-hidden />
        </IconButton>
      </div>
      <p role="status" className="mt-2 text-meta text-muted">
        {search.error
          ? errorText(search.error)
          : !isCurrent
            ? messages.loading
            : q !== '' && results.length === 0
              ? tabs.screen.empty(q)
              : ''}
      </p>
      {search.error ? <Button onClick={() => void search.refetch()}>Try again</Button> : null}
      <ul aria-label="Results" className="mt-1 grid gap-1.5">
        {results.map((result) => (
          <li key={result.id}>
            <TitleChoice title={result} onChoose={() => onPick(result.id, result.name)} />
          </li>
        ))}
      </ul>
      <p className="mt-2 text-meta text-muted">
        Not in the catalogue yet?{' '}
        <Link to="/search" search={{ q: text.trim() }} target="_blank" className="link">
          Add it from Search
        </Link>{' '}
        in a new tab, then search here again.
      </p>
    </div>
  )
}
