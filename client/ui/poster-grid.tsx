import { clsx } from 'clsx'
import { Children, type CSSProperties, type ReactNode } from 'react'
import { PosterCardSkeleton } from './poster-card.tsx'
import { t } from '#shared/domain/message.ts'

/**
 * `row` is one row of six that scrolls horizontally on phones. With `lazyHeight`, the height of a card, cards are laid out only near the
 * viewport.
 */
export function PosterGrid({
  label,
  row = false,
  busy = false,
  lazyHeight,
  className,
  children,
}: {
  label?: string | undefined
  row?: boolean | undefined
  busy?: boolean | undefined
  lazyHeight?: string | undefined
  className?: string | undefined
  children: ReactNode
}) {
  return (
    <ul aria-label={label} aria-busy={busy} className={clsx('stale', layout(row), className)}>
      {Children.map(children, (child) => (
        <li
          className={clsx(
            'min-w-0 snap-start',
            // Skipped content is clipped: the padding makes room for focus rings and for what surrounds the picture.
            lazyHeight !== undefined && '-m-4 p-4 lazy-paint',
          )}
          style={lazyHeight === undefined ? undefined : ({ '--lazy-height': lazyHeight } as CSSProperties)}
        >
          {child}
        </li>
      ))}
    </ul>
  )
}

export function PosterGridSkeleton({
  count,
  lines,
  row = false,
  label = t`Loading…`,
}: {
  count: number
  lines?: number | undefined
  row?: boolean | undefined
  label?: string | undefined
}) {
  return (
    <div role="status" aria-label={label} className={clsx('animate-appear', layout(row))}>
      {Array.from({ length: count }, (_, index) => (
        <PosterCardSkeleton key={index} lines={lines} />
      ))}
    </div>
  )
}

function layout(row: boolean) {
  return row
    ? clsx(
        'no-scrollbar -mx-4 grid auto-cols-[min(38%,9.5rem)] grid-flow-col gap-4 overflow-x-auto scroll-px-4 px-4 py-1 snap-x snap-proximity',
        // It has no focusable element to scroll by with the keyboard.
        'max-sm:not-[:has(a)]:overflow-x-clip',
        'sm:mx-0 sm:grid-flow-row sm:auto-cols-auto sm:grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] sm:overflow-visible sm:px-0 md:gap-y-6 lg:grid-cols-6',
      )
    : 'grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-x-4 gap-y-6'
}
