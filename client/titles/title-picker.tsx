import { useEffect, useRef, useState } from 'react'
import { Link } from '@tanstack/react-router'
import { useDebounced } from '#client/app/debounced.ts'
import type { CardTitle } from '#client/app/kinds.ts'
import { errorText } from '#client/app/trpc.ts'
import { moveByArrows } from '#client/ui/arrow-keys.ts'
import { TextField } from '#client/ui/field.tsx'
import { queryMax } from '#shared/domain/limits.ts'
import { TitleRow, useTitles } from './found-titles.tsx'
import { messages } from '#shared/texts/messages.ts'
import { plural, t } from '#shared/domain/message.ts'

/** Enter chooses the first result, the arrow keys lead to the others and back. */
export function TitlePicker({
  label,
  isTall = false,
  onChoose,
}: {
  label: string
  /** As high as its results, so that the field stays in place in a dialog. */
  isTall?: boolean
  onChoose: (title: CardTitle) => void
}) {
  const [text, setText] = useState('')
  const typed = text.trim()
  const q = useDebounced(typed)
  const { titles, isSettled, error } = useTitles(q, true)
  const box = useRef<HTMLDivElement>(null)
  const field = () => box.current?.querySelector('input')
  useEffect(() => box.current?.querySelector('input')?.focus(), [box])

  function choose(title: CardTitle) {
    setText('')
    field()?.focus()
    onChoose(title)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys of the field and the buttons inside
    <div
      ref={box}
      onKeyDown={(event) => moveByArrows(event, q === typed && isSettled)}
      className={`grid grid-cols-[minmax(0,1fr)] content-start gap-3 ${isTall ? 'min-h-80' : ''}`}
    >
      <TextField
        label={label}
        type="search"
        value={text}
        onChange={setText}
        autoComplete="off"
        maxLength={queryMax}
      />
      <p role="status" className={titles.length > 0 ? 'sr-only' : 'text-meta text-muted'}>
        {q === '' || !isSettled ? (
          t`Type a part of the name.`
        ) : titles.length === 0 && error ? (
          errorText(error, messages.searchFailed)
        ) : titles.length === 0 ? (
          <>
            Not here yet.{' '}
            <Link to="/search" search={{ q }} className="link">
              Search everywhere
            </Link>
          </>
        ) : (
          plural(titles.length, { one: '# title', other: '# titles' })
        )}
      </p>
      <ul aria-label="Titles">
        {titles.map((title) => (
          <li key={title.id}>
            <button
              type="button"
              onClick={() => choose(title)}
              className="flex min-h-14 w-full items-center gap-3 rounded-item px-2 py-1.5 text-start hover:bg-raised"
            >
              <TitleRow title={title} />
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
