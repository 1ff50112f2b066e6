import { useEffect, useRef, useState } from 'react'
import { useDebounced } from '#client/app/debounced.ts'
import { TextField } from '#client/ui/field.tsx'
import { queryMax } from '#shared/domain/limits.ts'
import type { LogTitle } from './log-request.ts'
import { TitleRow, useTitles } from './search-rows.tsx'

/** A field that finds a title of the catalogue, with its results below it. Takes the focus. */
export function TitleSearch({ label, onChoose }: { label: string; onChoose: (title: LogTitle) => void }) {
  const [text, setText] = useState('')
  const q = useDebounced(text.trim())
  const { titles, isSettled } = useTitles(q, true)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.querySelector('input')?.focus(), [])
  return (
    // As high as its results, so that the field stays in place.
    <div ref={box} className="grid min-h-80 grid-cols-[minmax(0,1fr)] content-start gap-3">
      <TextField
        label={label}
        type="search"
        value={text}
        onChange={setText}
        autoComplete="off"
        maxLength={queryMax}
      />
      <p role="status" className={titles.length > 0 ? 'sr-only' : 'text-meta text-muted'}>
        {q === '' || !isSettled
          ? 'Type a part of the name.'
          : titles.length === 0
            ? 'Nothing found here. The search looks in other sources too.'
            : titles.length === 1
              ? '1 title'
              : `${titles.length} titles`}
      </p>
      <ul aria-label="Titles">
        {titles.map((title) => (
          <li key={title.id}>
            <button
              type="button"
              onClick={() => onChoose(title)}
              className="flex min-h-14 w-full items-center gap-3 rounded-item px-2 py-1.5 text-left hover:bg-raised"
            >
              <TitleRow title={title} />
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
