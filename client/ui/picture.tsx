import { clsx } from 'clsx'
import { type ReactNode, useState } from 'react'
import { imageSrcSet } from '#shared/domain/images.ts'

export type PictureProps = {
  src?: string | null | undefined
  sizes: string
  eager?: boolean | undefined
  fallback?: ReactNode
  className?: string | undefined
}

/** The text beside it says what it shows. Lazy-loaded unless `eager`. */
export function Picture({ src, sizes, eager = false, fallback = null, className }: PictureProps) {
  const [failed, setFailed] = useState<string>()
  if (src === undefined || src === null || src === '' || failed === src) return fallback
  return (
    <span className={clsx('relative block size-full overflow-hidden bg-raised bg-cover', className)}>
      <img
        src={src}
        srcSet={imageSrcSet(src)}
        sizes={sizes}
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
