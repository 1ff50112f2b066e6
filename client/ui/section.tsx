import { ArrowRight, ChevronDown } from 'lucide-react'
import { type ReactElement, type ReactNode, type Ref, useId } from 'react'
import { renderAs } from './render.ts'

/** Focus `headingRef` after paging. */
export function Section({
  title,
  count,
  action,
  headingRef,
  id,
  className,
  children,
}: {
  title: ReactNode
  count?: ReactNode
  action?: ReactNode
  headingRef?: Ref<HTMLHeadingElement> | undefined
  id?: string | undefined
  className?: string | undefined
  children: ReactNode
}) {
  const headingId = useId()
  return (
    <section id={id} aria-labelledby={headingId} className={className}>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id={headingId} ref={headingRef} tabIndex={-1} className="min-w-0 text-h2 wrap-anywhere">
          {title}
          {count === undefined ? null : ' '}
          {count === undefined ? null : (
            <span className="ms-0.5 font-sans text-label font-medium tracking-normal text-muted tabular-nums">
              {count}
            </span>
          )}
        </h2>
        {action}
      </div>
      {children}
    </section>
  )
}

/** A card that shows its title and `note` until it is opened. */
export function FoldedSection({
  id,
  icon,
  title,
  note,
  open,
  onToggle,
  className,
  children,
}: {
  id?: string
  icon?: ReactNode
  title: string
  note: ReactNode
  open?: boolean
  onToggle?: () => void
  className?: string
  children: ReactNode
}) {
  const headingId = useId()
  return (
    <section id={id} aria-labelledby={headingId} className={className}>
      <details open={open} onToggle={onToggle} className="group card">
        <summary className="-m-2 flex min-h-11 items-center gap-x-3 rounded-item p-2">
          {icon}
          <span className="flex min-w-0 grow flex-wrap items-baseline gap-x-3 gap-y-0.5">
            <h2 id={headingId} className="min-w-0 text-h2 wrap-anywhere">
              {title}
            </h2>
            <span className="min-w-0 text-meta text-muted wrap-anywhere">{note}</span>
          </span>
          <ChevronDown
            aria-hidden
            className="size-5 shrink-0 text-muted transition-[rotate] group-open:rotate-180"
          />
        </summary>
        {children}
      </details>
    </section>
  )
}

export function SectionLink({ render, children }: { render: ReactElement; children: ReactNode }) {
  return renderAs(render, {
    className:
      'group -mx-3 inline-flex h-11 items-center gap-1 rounded-full px-3 text-label text-muted transition-colors hover:text-ink',
    children: (
      <>
        {children}
        <ArrowRight
          aria-hidden
          className="size-4 transition-[translate] group-hover:translate-x-0.5 rtl:group-hover:-translate-x-0.5"
        />
      </>
    ),
  })
}
