import { clsx } from 'clsx'
import { type CSSProperties, type ReactNode, useState } from 'react'

export type PictureProps = {
  /** If it is missing or fails to load, `fallback` is shown. */
  src?: string | null | undefined
  /** Empty if the text beside the picture says the same. */
  alt?: string | undefined
  srcSet?: string | undefined
  /** With `srcSet`: the displayed width, as in HTML. */
  sizes?: string | undefined
  width?: number | undefined
  height?: number | undefined
  /** For pictures above the fold: the hero, the first row of posters. */
  eager?: boolean | undefined
  /** `contain` shows the whole picture over a blurred copy of itself. */
  fit?: 'cover' | 'contain' | undefined
  /** A CSS background until the picture is loaded: a ThumbHash data URL in `url()`, or a colour. */
  placeholder?: string | undefined
  fallback?: ReactNode
  className?: string | undefined
  style?: CSSProperties | undefined
}

/** A picture that fills its parent. Lazy-loaded unless `eager`. */
export function Picture(props: PictureProps) {
  const { src, alt = '', srcSet, sizes, width, height, eager = false, fit = 'cover', fallback = null } = props
  const [failed, setFailed] = useState<string>()
  if (src === undefined || src === null || src === '' || failed === src) return fallback
  const image = {
    src,
    srcSet,
    sizes,
    width,
    height,
    loading: eager ? 'eager' : 'lazy',
    fetchPriority: eager ? 'high' : 'auto',
    decoding: eager ? 'auto' : 'async',
    referrerPolicy: 'no-referrer',
  } as const
  return (
    <span
      className={clsx('relative block size-full overflow-hidden bg-raised bg-cover', props.className)}
      style={{
        ...props.style,
        ...(props.placeholder && { background: `${props.placeholder} center / cover` }),
      }}
    >
      {fit === 'contain' ? (
        <img
          {...image}
          fetchPriority="auto"
          alt=""
          className="absolute inset-0 size-full scale-125 object-cover opacity-70 blur-xl"
        />
      ) : null}
      <img
        {...image}
        alt={alt}
        onError={() => setFailed(src)}
        className={clsx('absolute inset-0 size-full', fit === 'contain' ? 'object-contain' : 'object-cover')}
      />
    </span>
  )
}
