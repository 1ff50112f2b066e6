import { clsx } from 'clsx'
import { type ReactNode, useId } from 'react'

/** A row that is too long scrolls. */
export function Segmented<Value extends string>({
  value,
  onChange,
  options,
  label,
  disabled,
  className,
}: {
  value: Value
  onChange: (value: Value) => void
  options: readonly { value: Value; label: ReactNode }[]
  label: string
  disabled?: boolean | undefined
  className?: string | undefined
}) {
  const name = useId()
  return (
    <div
      role="radiogroup"
      aria-label={label}
      // A long row scrolls by keys, also if nothing in it takes the focus.
      tabIndex={disabled ? 0 : undefined}
      className={clsx(
        'scroll-row relative inline-flex h-11 max-w-full scroll-px-10 rounded-full bg-raised p-1',
        className,
      )}
    >
      {options.map((option) => (
        <label
          key={option.value}
          className={clsx(
            'picked relative grid h-9 shrink-0 grow place-items-center rounded-full border border-transparent px-4 text-meta font-semibold whitespace-nowrap text-muted select-none',
            'transition-[background-color,color,border-color] hover:text-ink',
            'has-checked:[scroll-initial-target:nearest]',
            'has-checked:border-line has-checked:bg-surface has-checked:text-ink',
            'has-disabled:opacity-45',
          )}
        >
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            disabled={disabled}
            onChange={() => onChange(option.value)}
            className="absolute inset-0 cursor-pointer appearance-none rounded-full focus-visible:outline-offset-0 disabled:cursor-not-allowed"
          />
          {option.label}
        </label>
      ))}
    </div>
  )
}
