import { clsx } from 'clsx'
import { type ReactNode, useState } from 'react'

export type PictureProps = {
  /** If it is missing or fails to load, `fallback` is shown. */
  src?: string | null | undefined
  srcSet?: string | undefined
  /** With `srcSet`: the displayed width, as in HTML. */
  sizes?: string | undefined
  width?: number | undefined
  height?: number | undefined
  /** For pictures above the fold: the hero, the first row of posters. */
  eager?: boolean | undefined
  fallback?: ReactNode
  className?: string | undefined
}

/** A picture that fills its parent, whose text says what it shows. Lazy-loaded unless `eager`. */
export function Picture({
  src,
  srcSet,
  sizes,
  width,
  height,
  eager = false,
  fallback = null,
  className,
}: PictureProps) {
  const [failed, setFailed] = useState<string>()
  if (src === undefined || src === null || src === '' || failed === src) return fallback
  return (
    <span className={clsx('relative block size-full overflow-hidden bg-raised bg-cover', className)}>
      <img
        src={src}
        srcSet={srcSet}
        sizes={sizes}
        width={width}
        height={height}
        loading={eager ? 'eager' : 'lazy'}
        fetchPriority={eager ? 'high' : 'auto'}
        decoding={eager ? 'auto' : 'async'}
        referrerPolicy="no-referrer"
        alt=""
        onError={() => setFailed(src)}
        className="absolute inset-0 size-full object-cover"
      />
    </span>
  )
}
