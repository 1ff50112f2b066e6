import { clsx } from 'clsx'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type ReactElement, type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { renderAs } from './render.ts'
import { t } from '#shared/domain/message.ts'

/** 0 is a gap of two or more pages. */
function pagesShown(page: number, pageCount: number) {
  const wanted = [1, page - 1, page, page + 1, pageCount].filter((n) => n >= 1 && n <= pageCount)
  const pages: number[] = []
  for (const n of new Set(wanted)) {
    const last = pages.at(-1) ?? 0
    if (n === last + 2) pages.push(last + 1)
    else if (n > last + 1) pages.push(0)
    pages.push(n)
  }
  return pages
}

/** Gets the focus when the page changes. */
export function usePagedHeading(page: number): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  const shownPage = useRef(page)
  useEffect(() => {
    if (shownPage.current !== page) heading.current?.focus()
    shownPage.current = page
  }, [page])
  return heading
}

export function PageStatus({
  pagination,
  isLoading,
}: {
  pagination: { page: number; totalPages: number } | undefined
  isLoading: boolean
}) {
  return (
    <p role="status" className="sr-only">
      {pagination !== undefined && !isLoading && pagination.totalPages > 1
        ? t`Page ${pagination.page} of ${pagination.totalPages}`
        : ''}
    </p>
  )
}

export function Pager({
  page,
  pageCount,
  render,
  onPage,
  label = t`Pages`,
  className,
}: {
  page: number
  pageCount: number
  render?: ((page: number) => ReactElement) | undefined
  onPage?: ((page: number) => void) | undefined
  label?: string | undefined
  className?: string | undefined
}) {
  if (pageCount <= 1) return null
  const step = { render, onPage }
  return (
    <nav aria-label={label} className={className}>
      <ol className="flex flex-wrap items-center justify-center gap-0.5">
        <li>
          <Step {...step} page={page - 1} off={page <= 1} label="Previous page">
            <ChevronLeft aria-hidden className="size-4.5" />
          </Step>
        </li>
        {pagesShown(page, pageCount).map((n, index) =>
          n === 0 ? (
            <li key={`gap ${index}`} aria-hidden className="w-6 text-center text-muted">
              …
            </li>
          ) : (
            <li
              key={n}
              className={clsx(pageCount > 5 && n !== 1 && n !== pageCount && n !== page && 'max-sm:hidden')}
            >
              <Step {...step} page={n} current={n === page} label={t`Page ${n}`}>
                {n}
              </Step>
            </li>
          ),
        )}
        <li>
          <Step {...step} page={page + 1} off={page >= pageCount} label="Next page">
            <ChevronRight aria-hidden className="size-4.5" />
          </Step>
        </li>
      </ol>
    </nav>
  )
}

function Step({
  page,
  current = false,
  off = false,
  label,
  render,
  onPage,
  children,
}: {
  page: number
  current?: boolean
  off?: boolean
  label: string
  render: ((page: number) => ReactElement) | undefined
  onPage: ((page: number) => void) | undefined
  children: ReactNode
}) {
  const linked = render !== undefined && !off
  return renderAs(
    linked ? (
      render(page)
    ) : (
      <button type="button" aria-label={label} disabled={off} onClick={() => onPage?.(page)} />
    ),
    {
      'aria-label': label,
      'aria-current': current ? ('page' as const) : undefined,
      className: clsx(
        'picked grid size-11 place-items-center rounded-full border border-transparent text-label tabular-nums transition-colors',
        current
          ? 'bg-ink text-bg'
          : 'text-muted enabled:hover:bg-raised enabled:hover:text-ink [&[href]]:hover:bg-raised',
        'disabled:opacity-40',
      ),
      children,
    },
  )
}
