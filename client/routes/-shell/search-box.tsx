import { useNavigate, useSearch } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { Search } from 'lucide-react'
import { type ComponentType, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { whenIdle } from '#client/ui/lazy.ts'
import { useTypedValue } from '#client/ui/typed-value.ts'
import { useKey } from './keys.ts'
import { searchInput, type SearchComboboxProps, type Selection } from './search-input.ts'

/**
 * The search of the top bar. The combobox that suggests movies is lazy-loaded, on focus or when the page is idle; it
 * replaces the plain input and takes over its text, focus and selection.
 */
export function SearchBox({ className }: { className?: string | undefined }) {
  const navigate = useNavigate()
  const [text, setText] = useText()
  const input = useRef<HTMLInputElement>(null)
  useTypedValue(input, text, setText)
  const { Combobox, plainRef, takeSelection, load } = useCombobox(input)
  useKey('/', () => {
    input.current?.focus()
    input.current?.select()
  })

  return (
    <search className={clsx('relative', className)}>
      <form
        // Works before hydration, and without JavaScript.
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
            ref={plainRef}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onFocus={load}
          />
        ) : (
          <Combobox
            inputRef={input}
            text={text}
            onText={setText}
            takeSelection={takeSelection}
            onPick={(path) => {
              setText('')
              input.current?.blur()
              void navigate({ to: path })
            }}
          />
        )}
        {/* Enter needs it: the combobox adds a hidden field, and a form with two fields and no button does not submit. */}
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

/** The text of the box. Starts as the search page's `q`, and follows it when that changes (Back). */
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

function useCombobox(inputRef: RefObject<HTMLInputElement | null>) {
  const [Combobox, setCombobox] = useState<ComponentType<SearchComboboxProps> | null>(null)
  const begun = useRef(false)
  const selection = useRef<Selection>(undefined)

  const load = useCallback(() => {
    if (begun.current) return
    begun.current = true
    import('./search-combobox.tsx').then(
      ({ SearchCombobox }) => setCombobox(() => SearchCombobox),
      () => {
        // The form still searches without it; the next focus tries again.
        begun.current = false
      },
    )
  }, [])
  useEffect(() => {
    // Focused before hydration, when no handler ran.
    if (document.activeElement === inputRef.current) load()
    return whenIdle(load)
  }, [inputRef, load])

  const plainRef = useCallback(
    (plain: HTMLInputElement) => {
      inputRef.current = plain
      return () => {
        // Read here, not when the code arrived: keys typed between that moment and the commit move the cursor.
        if (document.activeElement === plain)
          selection.current = [plain.selectionStart ?? 0, plain.selectionEnd ?? 0]
        inputRef.current = null
      }
    },
    [inputRef],
  )
  const takeSelection = useCallback(() => {
    const taken = selection.current
    selection.current = undefined
    return taken
  }, [])
  return { Combobox, plainRef, takeSelection, load }
}
