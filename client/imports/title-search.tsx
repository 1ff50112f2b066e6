import { Link } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useDebounced } from '#client/app/debounced.ts'
import { errorText } from '#client/app/trpc.ts'
import { Button, IconButton } from '#client/ui/button.tsx'
import { moveByArrows } from '#client/ui/arrow-keys.ts'
import { inputClass } from '#client/ui/field-look.ts'
import { queryMax } from '#shared/domain/limits.ts'
import { tabs } from '#shared/domain/tabs.ts'
import { messages } from '#shared/texts/messages.ts'
import { type ImportTitle, useTitleSearch } from './hooks.ts'
import { TitleChoice } from './title-choice.tsx'

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
  useEffect(() => {
    input.current?.focus()
    input.current?.select()
  }, [])
  const isCurrent = q === text.trim() && !search.isFetching
  const results = q === '' ? [] : search.results

  function onKey(event: KeyboardEvent<HTMLElement>) {
    if (event.key === 'Escape' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      onClose()
    } else moveByArrows(event, isCurrent)
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys of the input and the buttons inside
    <div data-search onKeyDown={onKey}>
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
          className={`${inputClass} h-11`}
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
