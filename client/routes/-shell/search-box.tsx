import { useLocation, useNavigate } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { Search } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { lazyComponent, whenIdle } from '#client/ui/lazy.ts'
import { useTypedValue } from '#client/ui/typed-value.ts'
import { queryMax } from '#shared/domain/limits.ts'
import { useKey } from './keys.ts'

const { Component: SearchParts, load } = lazyComponent(
  async () => (await import('./search-parts.tsx')).SearchParts,
)

/** The suggestions are lazy-loaded. The input is never replaced, so that it keeps what is typed while the page loads and is hydrated. */
export function SearchBox({ className }: { className?: string | undefined }) {
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useText(input)
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  useTypedValue(input, text, setText)
  useEffect(() => {
    // Focused before hydration, when no handler ran.
    if (document.activeElement === input.current) load()
    return whenIdle(load)
  }, [])
  useKey('/', () => {
    input.current?.focus()
    input.current?.select()
  })
  useKey('mod+k', () => {
    load()
    setPaletteOpen(true)
  })
  function search() {
    const q = input.current!.value.trim()
    if (q === '') return input.current?.focus()
    input.current?.blur()
    void navigate({ to: '/search', search: { q } })
  }

  return (
    <search className={clsx('sm:relative', className)}>
      <form
        // Works before hydration, and without JavaScript.
        action="/search"
        className="relative"
        onSubmit={(event) => {
          event.preventDefault()
          search()
        }}
      >
        <input
          ref={input}
          type="search"
          name="q"
          aria-label="Search movies, books, games, or users"
          aria-keyshortcuts="/ Control+K Meta+K"
          placeholder="Search movies, books, games, or users…"
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="search"
          maxLength={queryMax}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onFocus={load}
          className={clsx(
            'peer h-11 w-full [unicode-bidi:plaintext] rounded-full border border-transparent bg-raised pe-11 ps-11 text-body text-ellipsis text-ink transition-colors',
            'hover:border-line focus-visible:border-focus focus-visible:bg-surface focus-visible:outline-offset-0',
          )}
        />
        <button
          type="submit"
          aria-label="Search"
          tabIndex={-1}
          className="absolute inset-y-0 inset-s-0 grid w-11 place-items-center rounded-full ps-1 text-muted peer-focus:text-ink hover:text-ink"
        >
          <Search aria-hidden className="size-4.5" />
        </button>
        <kbd
          aria-hidden
          className="pointer-events-none absolute top-1/2 inset-e-3 hidden size-6 -translate-y-1/2 place-items-center rounded-md border border-line font-sans text-tiny text-muted peer-not-placeholder-shown:invisible peer-focus:invisible lg:grid [@media(hover:none)]:hidden"
        >
          /
        </kbd>
      </form>
      <SearchParts
        isPaletteOpen={isPaletteOpen}
        onPaletteChange={setPaletteOpen}
        input={input}
        text={text}
        onSearch={search}
        onClear={() => setText('')}
        onPick={(path) => {
          setText('')
          input.current?.blur()
          void navigate({ to: path })
        }}
      />
    </search>
  )
}

/** Follows the search page's `q` (Back), but not while typing. */
function useText(input: RefObject<HTMLInputElement | null>) {
  // Other pages have a `q` too.
  const searched = useLocation({
    select: ({ pathname, search }) => (pathname === '/search' ? (search as { q?: unknown }).q : undefined),
  })
  const q = typeof searched === 'string' || typeof searched === 'number' ? String(searched) : ''
  const [text, setText] = useState(q)
  const before = useRef(q)
  useEffect(() => {
    if (q !== before.current && document.activeElement !== input.current) setText(q)
    before.current = q
  }, [q, input])
  return [text, setText] as const
}
