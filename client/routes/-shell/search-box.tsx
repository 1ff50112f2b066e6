import { useNavigate, useSearch } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { Search } from 'lucide-react'
import { type ComponentType, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { whenIdle } from '#client/ui/late.ts'
import { useKey } from './keys.ts'
import { searchInput, type SearchComboboxProps } from './search-input.ts'

/**
 * A plain input from the first paint on. Focus, or an idle moment, brings the combobox that suggests movies; it takes
 * over what was typed, and the focus. So its code is no part of the first load.
 */
export function SearchBox({ className }: { className?: string | undefined }) {
  const navigate = useNavigate()
  const [text, setText] = useText()
  const input = useRef<HTMLInputElement>(null)
  const { Combobox, cursor, load } = useCombobox(input)
  useKey('/', () => {
    input.current?.focus()
    input.current?.select()
  })

  return (
    <search className={clsx('relative', className)}>
      <form
        // For those who come before the script, or without one.
        action="/search"
        onSubmit={(event) => {
          event.preventDefault()
          const q = text.trim()
          if (q === '') return input.current?.focus()
          input.current?.blur()
          void navigate({ to: '/search', search: { q } })
        }}
      >
        {Combobox === null ? (
          <input
            {...searchInput}
            ref={input}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onFocus={load}
          />
        ) : (
          <Combobox
            inputRef={input}
            text={text}
            onText={setText}
            cursor={cursor}
            onPick={(path) => {
              setText('')
              input.current?.blur()
              void navigate({ to: path })
            }}
          />
        )}
        {/* Enter needs it too: the combobox brings a hidden field, and two fields without a button do not submit. */}
        <button
          type="submit"
          aria-label="Search"
          tabIndex={-1}
          className="absolute inset-y-0 left-0 grid w-11 place-items-center rounded-full pl-1 text-muted peer-focus:text-ink hover:text-ink"
        >
          <Search aria-hidden className="size-4.5" />
        </button>
        <kbd
          aria-hidden
          className="pointer-events-none absolute top-1/2 right-3 hidden size-6 -translate-y-1/2 place-items-center rounded-md border border-line font-sans text-tiny text-muted peer-focus:invisible lg:grid [@media(hover:none)]:hidden"
        >
          /
        </kbd>
      </form>
    </search>
  )
}

/** What is typed; the search page's `q` stands in it, also after Back. */
function useText() {
  const searched = useSearch({ strict: false, select: (search) => (search as { q?: unknown }).q })
  const q = typeof searched === 'string' || typeof searched === 'number' ? String(searched) : ''
  const [text, setText] = useState(q)
  const [before, setBefore] = useState(q)
  if (q !== before) {
    setBefore(q)
    setText(q)
  }
  return [text, setText] as const
}

function useCombobox(input: RefObject<HTMLInputElement | null>) {
  const [loaded, setLoaded] = useState<{
    Combobox: ComponentType<SearchComboboxProps>
    cursor: number | null
  }>()
  const begun = useRef(false)
  const load = useCallback(() => {
    if (begun.current) return
    begun.current = true
    import('./search-combobox.tsx').then(
      ({ SearchCombobox }) => {
        const plain = input.current
        const hasFocus = plain !== null && document.activeElement === plain
        setLoaded({
          Combobox: SearchCombobox,
          cursor: hasFocus ? (plain.selectionStart ?? plain.value.length) : null,
        })
      },
      () => {
        // Without it the box still searches; the next focus tries again.
        begun.current = false
      },
    )
  }, [input])
  useEffect(() => whenIdle(load), [load])
  return { Combobox: loaded?.Combobox ?? null, cursor: loaded?.cursor ?? null, load }
}
