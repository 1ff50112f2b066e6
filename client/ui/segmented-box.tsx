import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'
import { clsx } from 'clsx'
import type { ReactNode } from 'react'

export type SegmentedProps<Value extends string> = {
  value: Value
  onChange: (value: Value) => void
  options: readonly { value: Value; label: ReactNode }[]
  /** The accessible name of the group. */
  label: string
  disabled?: boolean | undefined
  className?: string | undefined
}

/** Use `Segmented`, which lazy-loads this. */
export function SegmentedBox<Value extends string>({
  value,
  onChange,
  options,
  label,
  disabled,
  className,
}: SegmentedProps<Value>) {
  return (
    <RadioGroup
      value={value}
      onValueChange={onChange}
      disabled={disabled}
      aria-label={label}
      className={clsx(
        'scroll-row relative inline-flex h-11 max-w-full scroll-px-10 rounded-full bg-raised p-1',
        className,
      )}
    >
      {options.map((option) => (
        <Radio.Root
          key={option.value}
          value={option.value}
          className={clsx(
            'picked grid h-9 shrink-0 grow cursor-pointer place-items-center rounded-full border border-transparent px-4 text-meta font-semibold whitespace-nowrap text-muted select-none',
            'transition-[background-color,color,border-color] hover:text-ink focus-visible:outline-offset-0',
            // Scrolls the selected option into view on the first render, if the browser supports it.
            'data-checked:[scroll-initial-target:nearest]',
            'data-checked:border-line data-checked:bg-surface data-checked:text-ink',
            'data-disabled:cursor-not-allowed data-disabled:opacity-45',
          )}
        >
          {option.label}
        </Radio.Root>
      ))}
    </RadioGroup>
  )
}
