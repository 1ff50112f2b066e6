import { clsx } from 'clsx'
import type { ReactNode } from 'react'

export function Checkbox({
  label,
  hint,
  checked,
  onChange,
  disabled,
  compact = false,
}: {
  label: string
  hint?: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean | undefined
  compact?: boolean | undefined
}) {
  return (
    <label
      className={clsx(
        'inline-flex cursor-pointer gap-2.5 justify-self-start text-meta',
        compact ? 'min-h-8' : 'min-h-11',
        hint === undefined ? 'items-center' : 'items-start py-1',
      )}
    >
      <input
        type="checkbox"
        className="size-5 shrink-0 accent-ink"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {hint === undefined ? (
        label
      ) : (
        <span>
          <span className="text-label">{label}</span> <span className="block text-muted">{hint}</span>
        </span>
      )}
    </label>
  )
}
