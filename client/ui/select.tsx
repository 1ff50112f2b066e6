import { ChevronDown } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { late, whenIdle } from './late.ts'
import { selectLook, type SelectProps } from './select-look.ts'

const {
  Late: SelectBox,
  useIsHere,
  want,
} = late(async () => (await import('./select-box.tsx')).SelectBox<string>)

/**
 * One of a few values. `shape="field"` stands in forms and is as wide as its column; `pill` stands in headings. A plain
 * button until the pointer, the focus or an idle moment brings the select; what was pressed meanwhile opens it.
 */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const isHere = useIsHere()
  const labelId = useId()
  const [hasFocus, setFocus] = useState(false)
  const [isOpening, setOpening] = useState(false)
  // A press must end on the button that it began on: one that is exchanged meanwhile is none.
  const [isPressed, setPressed] = useState(false)
  useEffect(() => whenIdle(want), [])

  if (isHere && !isPressed) {
    return <SelectBox {...(props as unknown as SelectProps<string>)} hasFocus={hasFocus} isOpen={isOpening} />
  }
  const { value, options, label, disabled } = props
  const look = selectLook(props)
  const open = () => {
    setPressed(false)
    setOpening(true)
    want()
  }
  return (
    <div className={look.box}>
      <div id={labelId} className={look.label}>
        {label}
      </div>
      <button
        type="button"
        role="combobox"
        aria-haspopup="listbox"
        aria-expanded={false}
        aria-controls={undefined}
        aria-labelledby={labelId}
        disabled={disabled}
        className={look.trigger}
        onPointerEnter={want}
        onPointerDown={() => setPressed(true)}
        onPointerCancel={() => setPressed(false)}
        onPointerLeave={({ pointerType }) => {
          // A finger leaves before its click comes.
          if (pointerType === 'mouse') setPressed(false)
        }}
        onClick={open}
        onFocus={() => {
          setFocus(true)
          want()
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
