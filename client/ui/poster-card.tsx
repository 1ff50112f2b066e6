import { clsx } from 'clsx'
import type { ReactElement, ReactNode } from 'react'
import { buttonClass } from './button.tsx'
import { type Kind, KindDot, KindIcon } from './kind.tsx'
import { Picture, type PictureProps } from './picture.tsx'
import { renderAs } from './render.ts'
import { Skeleton } from './skeleton.tsx'
import { VisuallyHidden } from './visually-hidden.tsx'
import { t } from '#shared/domain/message.ts'

type PosterProps = {
  title: string
  image: Pick<PictureProps, 'src' | 'sizes'>
  kind: Kind
  eager?: boolean | undefined
  noImageText?: string | undefined
  /** Two screens share it for the same poster: `poster-42`. */
  transitionName?: string | undefined
  className?: string | undefined
}

/** Without a picture the title becomes the cover. */
export function Poster({
  title,
  image,
  kind,
  eager,
  noImageText = t`No image`,
  transitionName,
  className,
}: PosterProps) {
  return (
    <div
      data-kind={kind}
      className={clsx('poster relative aspect-[2/3] w-full overflow-hidden rounded-poster', className)}
      style={{ viewTransitionName: transitionName }}
    >
      <Picture
        {...image}
        eager={eager}
        fallback={
          <div className="@container absolute inset-0">
            <div className="poster-blank flex size-full flex-col justify-end gap-[5cqi] p-[9cqi]">
              <KindIcon
                kind={kind}
                className="size-[clamp(1.25rem,17cqi,2.75rem)] stroke-[1.75] text-accent"
              />
              <p
                aria-hidden
                className="line-clamp-5 @max-[5rem]:hidden font-display leading-[1.02] font-extrabold tracking-tight text-balance hyphens-auto"
                style={{ fontSize: titleSize(title) }}
              >
                {title}
              </p>
              <p className="text-tiny text-muted @max-[5rem]:hidden">{noImageText}</p>
            </div>
          </div>
        }
      />
      <div aria-hidden className="poster-ring pointer-events-none absolute inset-0" />
    </div>
  )
}

/** The longest word fits, so that none is broken without a hyphen. */
export function titleSize(title: string): string {
  const longest = Math.max(...title.split(/[\s-]+/).map((word) => word.length))
  const cqi = Math.min(13, Math.floor(1_250 / longest) / 10)
  return `clamp(${cqi < 13 ? 0.6875 : 1}rem, ${cqi}cqi, 2.25rem)`
}

/**
 * Covered by one link, which is its title or, with `openText`, a button. `children` stay clickable without `openText`; of `overlay`, only
 * buttons with `pointer-events-auto` are. `stars` are in the line of the overlay below the poster.
 */
export function PosterCard({
  meta,
  kindLabel,
  average,
  render,
  openText,
  overlay,
  stars,
  className,
  children,
  ...poster
}: PosterProps & {
  meta?: ReactNode
  kindLabel?: string | undefined
  average?: ReactNode
  render?: ReactElement | undefined
  openText?: string | undefined
  overlay?: ReactNode
  stars?: ReactNode
  children?: ReactNode
}) {
  const linkClass = 'card-link after:absolute after:inset-0 after:rounded-poster'
  const title =
    render && openText === undefined
      ? renderAs(render, { className: linkClass, children: poster.title })
      : poster.title
  const button =
    render && openText !== undefined
      ? renderAs(render, {
          className: clsx(buttonClass('soft', 'sm'), linkClass, 'mt-2 self-start active:scale-100'),
          children: (
            <>
              {openText}
              <VisuallyHidden> {poster.title}</VisuallyHidden>
            </>
          ),
        })
      : null
  return (
    <article data-kind={poster.kind} className={clsx('poster-card relative flex flex-col', className)}>
      <Poster {...poster} />
      {overlay === undefined ? <div className="h-1.5" /> : <OverlaySpace>{stars}</OverlaySpace>}
      <p className="mt-1 line-clamp-2 text-label leading-[1.3] wrap-anywhere">
        <bdi>{title}</bdi>
      </p>
      {average === undefined ? null : (
        <p className="mt-0.5 flex items-center gap-1.5 text-meta font-bold tabular-nums">{average}</p>
      )}
      {meta === undefined && kindLabel === undefined ? null : (
        <p className="mt-0.5 flex items-baseline gap-1.5 text-meta text-muted">
          {kindLabel === undefined ? null : <KindDot kind={poster.kind} />}
          <span className="line-clamp-3 wrap-anywhere">
            {kindLabel}
            {kindLabel !== undefined && meta !== undefined ? ' · ' : null}
            {meta}
          </span>
        </p>
      )}
      {overlay === undefined || button ? null : <PosterOverlay>{overlay}</PosterOverlay>}
      {children === undefined ? null : (
        <div className={clsx('mt-1.5', button ? 'mt-auto pt-1.5' : 'relative')}>{children}</div>
      )}
      {button}
      {overlay !== undefined && button ? <PosterOverlay>{overlay}</PosterOverlay> : null}
    </article>
  )
}

export function OverlaySpace({ children }: { children?: ReactNode }) {
  return <div className="for-overlay flex h-6 shrink-0 items-center">{children}</div>
}

export function PosterOverlay({ children }: { children: ReactNode }) {
  return <div className="pointer-events-none absolute inset-x-0 top-0 z-10 aspect-[2/3]">{children}</div>
}

/** As high as a card with `lines` lines under a title of one line. */
export function PosterCardSkeleton({ lines = 1 }: { lines?: number | undefined }) {
  return (
    <div aria-hidden>
      <Skeleton className="aspect-[2/3] rounded-poster" />
      <OverlaySpace />
      <p className="mt-1 flex items-center text-label leading-[1.3]">
        <Skeleton className="h-4 w-4/5 rounded-full" />
        &nbsp;
      </p>
      {Array.from({ length: lines }, (_, index) => (
        <p key={index} className={clsx('flex items-center text-meta', ['mt-0.5', 'mt-1.5'][index])}>
          <Skeleton className={clsx('h-3.5 rounded-full', ['w-1/2', 'w-11/12', 'w-3/5'][index % 3])} />
          &nbsp;
        </p>
      ))}
    </div>
  )
}
