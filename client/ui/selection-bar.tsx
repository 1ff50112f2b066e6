import type { ReactNode } from 'react'
import { Button } from './button.tsx'

/** Stays in sight while the page scrolls. */
export function SelectionBar({
  count,
  onClear,
  children,
}: {
  count: number
  onClear: () => void
  children: ReactNode
}) {
  return (
    <div
      role="group"
      aria-label="Selection"
      className="sticky top-20 z-20 mt-4 flex flex-wrap items-center gap-2 rounded-card border border-line bg-surface p-2 ps-4 shadow-float"
    >
      <span role="status" className="me-auto text-label tabular-nums">
        {count} selected
      </span>
      {children}
      <Button size="sm" variant="ghost" onClick={onClear}>
        Clear
      </Button>
    </div>
  )
}
