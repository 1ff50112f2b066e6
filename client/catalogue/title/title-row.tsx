import { clsx } from 'clsx'
import { cloneElement, type CSSProperties, type ReactElement, type ReactNode } from 'react'
import { KindDot } from '#client/ui/kind.tsx'
import { PosterOverlay, OverlaySpace, Poster } from '#client/ui/poster-card.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import type { Kind } from '#shared/domain/kinds.ts'

/** Makes the whole row follow a link. */
export const rowLink = 'after:absolute after:inset-0 after:rounded-card'

/** `render` makes the whole row one link; `children` are above that link. */
export function TitleRow({
  kind,
  title,
  imageUrl,
  noImageText,
  transitionName,
  facts,
  text,
  render,
  overlay,
  children,
}: {
  kind: Kind
  title: string
  imageUrl: string | null
  noImageText?: string | undefined
  transitionName?: string | undefined
  facts: ReactNode
  text?: string | null | undefined
  render?: ReactElement<{ className?: string; children?: ReactNode }> | undefined
  overlay?: ReactNode
  children?: ReactNode
}) {
  const link =
    render === undefined
      ? title
      : cloneElement(render, {
          className: clsx(
            rowLink,
            'focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-offset-2 focus-visible:after:outline-focus',
          ),
          children: title,
        })
  return (
    <article
      data-kind={kind}
      className={clsx(
        'title-row @container relative flex h-full gap-5 rounded-card border border-line bg-surface p-3 transition-colors',
        'has-[a]:hover:border-accent',
      )}
    >
      <div className="w-[min(6rem,26vw)] shrink-0 sm:w-26">
        <Poster
          title={title}
          kind={kind}
          noImageText={noImageText}
          transitionName={transitionName}
          image={{ src: imageUrl, sizes: '6.5rem' }}
        />
        {overlay === undefined ? null : <OverlaySpace />}
      </div>
      {overlay === undefined ? null : (
        <div className="pointer-events-none absolute top-3 inset-s-3 w-[min(6rem,26vw)] sm:w-26">
          <PosterOverlay>{overlay}</PosterOverlay>
        </div>
      )}
      <div className="flex min-w-0 grow flex-col py-1 pe-1">
        <h3 className={clsx('line-clamp-2 text-h3 wrap-anywhere', overlay !== undefined && 'pe-9')}>
          {link}
        </h3>
        <p className="mt-1 flex items-baseline gap-1.5 text-meta text-muted">
          <KindDot kind={kind} />
          <span className="line-clamp-2 wrap-anywhere">{facts}</span>
        </p>
        {text ? (
          <p dir="auto" className="mt-2 line-clamp-6 text-meta sm:line-clamp-4 wrap-anywhere text-pretty">
            {text}
          </p>
        ) : null}
        {children === undefined ? null : (
          <div
            className={clsx(
              'mt-auto flex flex-wrap items-center gap-2 pt-3',
              render !== undefined && 'relative',
            )}
          >
            {children}
          </div>
        )}
      </div>
    </article>
  )
}

/** With `lazyHeight`, the height of a row, rows are laid out only near the viewport. */
export function TitleRows({
  label,
  busy = false,
  lazyHeight,
  children,
}: {
  label: string
  busy?: boolean | undefined
  lazyHeight?: string | undefined
  children: readonly ReactElement[]
}) {
  return (
    <ul aria-label={label} aria-busy={busy} className={clsx('stale', layout)}>
      {children.map((child) => (
        <li
          key={child.key}
          // Skipped content is clipped: the padding makes room for focus rings and for what surrounds the picture.
          className={clsx('min-w-0', lazyHeight !== undefined && '-m-2 p-2 lazy-paint')}
          style={lazyHeight === undefined ? undefined : ({ '--lazy-height': lazyHeight } as CSSProperties)}
        >
          {child}
        </li>
      ))}
    </ul>
  )
}

export function TitleRowsSkeleton({
  count,
  label,
  tall,
}: {
  count: number
  label: string
  tall?: boolean | undefined
}) {
  return (
    <div role="status" aria-label={label} className={clsx('animate-appear', layout)}>
      {Array.from({ length: count }, (_, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- they are all alike
        <div key={index} className="flex gap-5 rounded-card border border-line bg-surface p-3">
          <Skeleton className="aspect-[2/3] w-[min(6rem,26vw)] shrink-0 self-start rounded-poster sm:w-26" />
          <div className="grid grow content-start gap-2.5 py-1.5">
            <Skeleton className="h-5 w-3/5 rounded-full" />
            <Skeleton className="h-3.5 w-2/5 rounded-full" />
            <Skeleton className="mt-1.5 h-3.5 rounded-full" />
            <Skeleton className="h-3.5 rounded-full" />
            <Skeleton className="h-3.5 rounded-full sm:hidden" />
            <Skeleton className="h-3.5 w-4/5 rounded-full" />
            {tall ? <Skeleton className="mt-3 h-11 w-24 rounded-full" /> : null}
          </div>
        </div>
      ))}
    </div>
  )
}

const layout = 'grid grid-cols-[minmax(0,1fr)] gap-4 md:grid-cols-2'
