import { CSPProvider } from '@base-ui/react/csp-provider'
import { Select as BaseSelect } from '@base-ui/react/select'
import { Check, ChevronDown } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { selectLook, type SelectProps } from './select-look.ts'

/** Use `Select`, which lazy-loads this. Takes over the focus and a press of its placeholder. */
export function SelectBox<Value extends string>({
  hasFocus,
  isOpen,
  ...props
}: SelectProps<Value> & { hasFocus: boolean; isOpen: boolean }) {
  const { value, onChange, options, label, disabled } = props
  const look = selectLook(props)
  const trigger = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (hasFocus) trigger.current?.focus()
  }, [hasFocus])
  const [open, setOpen] = useState(false)
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- open from the start, the list would take the focus before it has its place, and the page would jump up to it
    if (isOpen) setOpen(true)
  }, [isOpen])
  return (
    // Base UI would put a <style> into the page, which the security policy refuses.
    <CSPProvider disableStyleElements>
      <BaseSelect.Root
        items={options}
        open={open}
        onOpenChange={setOpen}
        value={value}
        disabled={disabled}
        onValueChange={(next) => {
          if (next !== null) onChange(next)
        }}
      >
        <div className={look.box}>
          <BaseSelect.Label className={look.label}>{label}</BaseSelect.Label>
          {/* Base UI names the trigger by the label in an effect. */}
          <BaseSelect.Trigger ref={trigger} aria-label={label} className={look.trigger}>
            <BaseSelect.Value />
            <BaseSelect.Icon className={look.icon}>
              <ChevronDown aria-hidden className={look.chevron} />
            </BaseSelect.Icon>
          </BaseSelect.Trigger>
        </div>
        {/* Content outside the page's landmarks needs one of its own. */}
        <BaseSelect.Portal role="region" aria-label={label}>
          <BaseSelect.Positioner
            alignItemWithTrigger={false}
            align="start"
            sideOffset={6}
            className="z-50 outline-none"
          >
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
