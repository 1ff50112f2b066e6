import { clsx } from 'clsx'
import { type CSSProperties, type ReactNode, useState } from 'react'

export type PictureProps = {
  /** Without one, or when it does not load, `fallback` shows. */
  src?: string | null | undefined
  /** Empty where the words beside it say the same. */
  alt?: string | undefined
  srcSet?: string | undefined
  /** With `srcSet`: how wide it stands, in CSS lengths. */
  sizes?: string | undefined
  width?: number | undefined
  height?: number | undefined
  /** For what is seen first: the hero, the first row of posters. */
  eager?: boolean | undefined
  /** `contain` fits odd formats whole over a blurred copy of themselves. */
  fit?: 'cover' | 'contain' | undefined
  /** A CSS background until the picture is there: a ThumbHash data URL in `url()`, or a colour. */
  placeholder?: string | undefined
  fallback?: ReactNode
  className?: string | undefined
  style?: CSSProperties | undefined
}

/** Fills its box, which the owner sizes. */
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
