import { clsx } from 'clsx'
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { readingKey } from './direction.ts'

export type TabItem<Value extends string> = {
  value: Value
  label: ReactNode
  count?: number | undefined
}

/** Base UI's tabs would add a tenth to the JavaScript of Home. */
export function Tabs<Value extends string>({
  value,
  onChange,
  items,
  label,
  aside,
  className,
  children,
}: {
  value: Value
  onChange: (value: Value) => void
  items: readonly TabItem<Value>[]
  label: string
  aside?: ReactNode
  className?: string | undefined
  children: ReactNode
}) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const line = useLine(list, `${id}-${value}`)
  /** Null: the selected tab is the tab stop. */
  const [focused, setFocused] = useState<Value | null>(null)
  return (
    <div className={className}>
      <div className="flex flex-wrap-reverse items-center justify-between gap-x-6 border-b border-line">
        <div
          ref={list}
          role="tablist"
          aria-label={label}
          className="scroll-row relative -mb-px flex max-w-full gap-5 sm:gap-6"
        >
          {items.map((item) => {
            const isOpen = item.value === value
            return (
              <button
                key={item.value}
                type="button"
                role="tab"
                id={`${id}-${item.value}`}
                aria-selected={isOpen}
                aria-controls={`${id}-panel`}
                tabIndex={item.value === (focused ?? value) ? 0 : -1}
                onKeyDown={(event) => {
                  // Tab leads to the panel itself only if it has nothing to press.
                  const panel = document.getElementById(`${id}-panel`)!
                  panel.tabIndex = panel.querySelector('a,button') ? -1 : 0
                  moveFocus(event)
                }}
                onFocus={() => setFocused(item.value)}
                onBlur={({ relatedTarget }) => {
                  if (!list.current?.contains(relatedTarget)) setFocused(null)
                }}
                onClick={() => {
                  if (!isOpen) onChange(item.value)
                }}
                className={clsx(
                  'flex h-12 min-w-6 shrink-0 items-center justify-center gap-1.5 rounded-item px-0.5 text-label text-muted transition-colors',
                  'hover:text-ink focus-visible:-outline-offset-2 aria-selected:text-ink',
                )}
              >
                {item.label}
                {item.count === undefined ? null : (
                  <span className="text-meta font-medium text-muted tabular-nums">{item.count}</span>
                )}
              </button>
            )
          })}
          <span
            aria-hidden
            // Otherwise it would slide in from the left edge.
            hidden={line === undefined}
            style={line && { width: line.width, translate: line.left }}
            className="tab-line absolute bottom-0 left-0 h-[3px] rounded-t-full bg-accent transition-[translate,width] duration-300"
          />
        </div>
        {aside}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`} className="pt-6">
        {children}
      </div>
    </div>
  )
}

function moveFocus(event: KeyboardEvent<HTMLElement>) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
  const tabs = [...event.currentTarget.parentElement!.querySelectorAll<HTMLElement>('[role=tab]')]
  const at = tabs.indexOf(event.currentTarget)
  const to = { ArrowForward: at + 1, ArrowBack: at - 1, Home: 0, End: -1 }[readingKey(event)]
  if (to === undefined) return
  event.preventDefault()
  tabs.at(to % tabs.length)?.focus()
}

/** `scrollIntoView` would scroll the page too. */
function scrollToTab(row: HTMLElement, tab: HTMLElement | null) {
  if (tab === null) return
  const edge = 40
  const start = tab.offsetLeft - edge
  const end = tab.offsetLeft + tab.offsetWidth + edge - row.clientWidth
  row.scrollLeft = Math.min(Math.max(row.scrollLeft, end), start)
}

function useLine(list: RefObject<HTMLElement | null>, tabId: string) {
  const [line, setLine] = useState<{ left: string; width: string }>()
  useLayoutEffect(() => {
    const row = list.current
    if (row === null) return
    let isScrolled = false
    const measure = () => {
      if (!isScrolled) scrollToTab(row, document.getElementById(tabId))
      isScrolled = true
      const tab = document.getElementById(tabId)?.getBoundingClientRect()
      if (!tab?.width) return
      const left = `${tab.left - row.getBoundingClientRect().left + row.scrollLeft}px`
      const width = `${tab.width}px`
      setLine((before) => (before?.left === left && before.width === width ? before : { left, width }))
    }
    // Observing calls `measure` after the layout; a call here would lay out the page and rerender in the task that hydrates it.
    const observer = new ResizeObserver(measure)
    for (const element of [row, ...row.querySelectorAll('[role=tab]')]) observer.observe(element)
    return () => observer.disconnect()
  }, [list, tabId])
  return line
}
