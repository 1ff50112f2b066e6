import { clsx } from 'clsx'
import { Search } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { queryMax, suggestionDelayMs } from '#shared/domain/limits.ts'
import { inputClass } from '#client/ui/field-look.ts'

export function SearchField({
  label,
  placeholder,
  q,
  onChange,
}: {
  label: string
  placeholder: string
  q: string | undefined
  onChange: (q: string | undefined) => void
}) {
  const id = useId()
  const [text, setText] = useState(q ?? '')
  const [known, setKnown] = useState(q)
  if (q !== known) {
    setKnown(q)
    if ((q ?? '') !== text.trim()) setText(q ?? '')
  }
  const latest = useRef(onChange)
  useEffect(() => {
    latest.current = onChange
  })
  useEffect(() => {
    const next = text.trim() || undefined
    if (next === known) return undefined
    const timer = setTimeout(() => latest.current(next), suggestionDelayMs)
    return () => clearTimeout(timer)
  }, [text, known])
  return (
    <div className="relative min-w-[min(10rem,100%)] grow">
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <Search
        aria-hidden
        className="pointer-events-none absolute inset-y-0 inset-s-3.5 my-auto size-4.5 text-muted"
      />
      <input
        id={id}
        type="search"
        value={text}
        maxLength={queryMax}
        placeholder={placeholder}
        autoComplete="off"
        onChange={(event) => setText(event.currentTarget.value)}
        className={clsx(inputClass, 'h-11 rounded-full! ps-10!')}
      />
    </div>
  )
}
