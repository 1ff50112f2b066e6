import { ChevronDown } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { lazyComponent, whenIdle } from './lazy.ts'
import { selectLook, type SelectProps } from './select-look.ts'

const {
  Component: SelectBox,
  useIsLoaded,
  load,
} = lazyComponent(async () => (await import('./select-box.tsx')).SelectBox<string>)

/** A plain button until the select is lazy-loaded; a press in between opens it. `shape="field"` is as wide as its column. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const isLoaded = useIsLoaded()
  const labelId = useId()
  const [hasFocus, setFocus] = useState(false)
  const [isOpening, setOpening] = useState(false)
  // Replaced between pointerdown and pointerup, it would get no click.
  const [isPressed, setPressed] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // Focused before hydration, when no handler ran.
    if (document.activeElement === button.current) {
      setFocus(true)
      load()
    }
    return whenIdle(load)
  }, [])

  if (isLoaded && !isPressed) {
    return <SelectBox {...(props as unknown as SelectProps<string>)} hasFocus={hasFocus} isOpen={isOpening} />
  }
  const { value, options, label, disabled } = props
  const look = selectLook(props)
  const open = () => {
    setPressed(false)
    setOpening(true)
    load()
  }
  return (
    <div className={look.box}>
      <div id={labelId} className={look.label}>
        {label}
      </div>
      <button
        ref={button}
        type="button"
        role="combobox"
        aria-haspopup="listbox"
        aria-expanded={false}
        aria-controls={undefined}
        aria-labelledby={labelId}
        disabled={disabled}
        className={look.trigger}
        onPointerEnter={load}
        onPointerDown={() => setPressed(true)}
        onPointerCancel={() => setPressed(false)}
        onPointerLeave={({ pointerType }) => {
          // A touch fires pointerleave before its click.
          if (pointerType === 'mouse') setPressed(false)
        }}
        onClick={open}
        onFocus={() => {
          setFocus(true)
          load()
        }}
        onBlur={() => {
          setFocus(false)
          setOpening(false)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          open()
        }}
      >
        <span>{options.find((option) => option.value === value)?.label}</span>
        <span aria-hidden className={look.icon}>
          <ChevronDown aria-hidden className={look.chevron} />
        </span>
      </button>
    </div>
  )
}
