import { clsx } from 'clsx'
import type { ReactNode } from 'react'

export type SelectProps<Value extends string> = {
  value: Value
  onChange: (value: Value) => void
  options: readonly { value: Value; label: ReactNode }[]
  label: string
  hideLabel?: boolean | undefined
  shape?: 'pill' | 'field' | undefined
  disabled?: boolean | undefined
  className?: string | undefined
}

export function selectLook({
  shape = 'pill',
  hideLabel = false,
  className,
}: Pick<SelectProps<string>, 'shape' | 'hideLabel' | 'className'>) {
  const field = shape === 'field'
  return {
    box: clsx(field ? 'grid gap-1.5' : 'inline-flex items-center gap-2', 'print:hidden', className),
    label: hideLabel ? 'sr-only' : field ? 'text-label' : 'text-meta font-medium text-muted',
    trigger: clsx(
      'inline-flex items-center justify-between gap-2 border border-edge bg-surface text-ink transition-colors select-none',
      'hover:bg-raised data-popup-open:bg-raised disabled:opacity-45',
      field ? 'h-12 w-full rounded-field px-3.5 text-body' : 'h-11 rounded-full pe-3.5 ps-4.5 text-label',
    ),
    icon: 'transition-[rotate] data-popup-open:rotate-180',
    chevron: 'size-4',
  }
}
