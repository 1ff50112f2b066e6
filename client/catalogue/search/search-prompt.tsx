import { useNavigate } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { Search } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { inputClass } from '#client/ui/field-look.ts'
import { useTypedValue } from '#client/ui/typed-value.ts'
import { SubmitButton } from '#client/ui/button.tsx'
import { queryMax } from '#shared/domain/limits.ts'
import { PopularOfAll } from '../home/popular-this-week.tsx'

export function SearchPrompt({ children }: { children: ReactNode }) {
  const navigate = useNavigate()
  const [q, setQ] = useState('')
  const input = useRef<HTMLInputElement>(null)
  useTypedValue(input, q, setQ)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-14">
      <div className="mx-auto grid max-w-2xl justify-items-center py-8 text-center sm:py-12">
        <h1 className="text-h1">What are you looking for?</h1>
        <p className="mt-4 max-w-[30.6em] text-lead text-muted">
          A title, an author, a username: one search looks through movies, TV shows, books, games and the
          people here.
        </p>
        <form
          role="search"
          aria-label="Everything"
          className="mt-8 flex w-full gap-2 text-start max-sm:flex-col"
          onSubmit={(event) => {
            event.preventDefault()
            if (q.trim() !== '') void navigate({ to: '/search', search: { q: q.trim() } })
          }}
        >
          {/* Not a `TextField`, whose code this page would load only for it. */}
          <input
            ref={input}
            type="search"
            aria-label="Search"
            enterKeyHint="search"
            autoComplete="off"
            maxLength={queryMax}
            placeholder="Search movies, books, games, or users…"
            value={q}
            onChange={(event) => setQ(event.target.value)}
            className={clsx(inputClass, 'h-12 grow')}
          />
          <SubmitButton className="h-12" icon={<Search aria-hidden />}>
            Search
          </SubmitButton>
        </form>
      </div>
      <PopularOfAll />
      {children}
    </div>
  )
}
