import { CSPProvider } from '@base-ui/react/csp-provider'
import { Select as BaseSelect } from '@base-ui/react/select'
import { clsx } from 'clsx'
import { Check, ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'

/** One of a few values. `shape="field"` stands in forms and is as wide as its column; `pill` stands in headings. */
export function Select<Value extends string>({
  value,
  onChange,
  options,
  label,
  hideLabel = false,
  shape = 'pill',
  disabled,
  className,
}: {
  value: Value
  onChange: (value: Value) => void
  options: readonly { value: Value; label: ReactNode }[]
  label: string
  hideLabel?: boolean | undefined
  shape?: 'pill' | 'field' | undefined
  disabled?: boolean | undefined
  className?: string | undefined
}) {
  const field = shape === 'field'
  return (
    // Base UI would put a <style> into the page, which the security policy refuses; it is for aligned popups only.
    <CSPProvider disableStyleElements>
      <BaseSelect.Root
        items={options}
        value={value}
        disabled={disabled}
        onValueChange={(next) => {
          if (next !== null) onChange(next)
        }}
      >
        <div className={clsx(field ? 'grid gap-1.5' : 'inline-flex items-center gap-2', className)}>
          <BaseSelect.Label
            className={hideLabel ? 'sr-only' : field ? 'text-label' : 'text-meta font-medium text-muted'}
          >
            {label}
          </BaseSelect.Label>
          <BaseSelect.Trigger
            className={clsx(
              'inline-flex items-center justify-between gap-2 border border-edge bg-surface text-ink transition-colors select-none',
              'hover:bg-raised data-popup-open:bg-raised disabled:opacity-45',
              field
                ? 'h-12 w-full rounded-field px-3.5 text-body'
                : 'h-11 rounded-full pr-3.5 pl-4.5 text-label',
            )}
          >
            <BaseSelect.Value />
            <BaseSelect.Icon className="transition-[rotate] data-popup-open:rotate-180">
              <ChevronDown aria-hidden className="size-4" />
            </BaseSelect.Icon>
          </BaseSelect.Trigger>
        </div>
        {/* Content outside the page's landmarks needs one of its own. */}
        <BaseSelect.Portal role="region" aria-label={label}>
          <BaseSelect.Positioner alignItemWithTrigger={false} sideOffset={6} className="z-50 outline-none">
            <BaseSelect.Popup className="popup max-h-(--available-height) min-w-[max(var(--anchor-width),10rem)] overflow-y-auto p-1.5 outline-none">
              {options.map((option) => (
                <BaseSelect.Item
                  key={option.value}
                  value={option.value}
                  className="flex min-h-11 cursor-pointer items-center justify-between gap-4 rounded-item px-3 text-label font-medium outline-none select-none data-highlighted:bg-raised data-selected:font-semibold"
                >
                  <BaseSelect.ItemText>{option.label}</BaseSelect.ItemText>
                  <BaseSelect.ItemIndicator>
                    <Check aria-hidden className="size-4 text-accent" />
                  </BaseSelect.ItemIndicator>
                </BaseSelect.Item>
              ))}
            </BaseSelect.Popup>
          </BaseSelect.Positioner>
        </BaseSelect.Portal>
      </BaseSelect.Root>
    </CSPProvider>
  )
}
