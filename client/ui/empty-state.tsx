import { clsx } from 'clsx'
import type { ReactNode } from 'react'

export function EmptyState({
  icon,
  title,
  tone = 'empty',
  isPage = false,
  action,
  className,
  children,
}: {
  icon: ReactNode
  title: ReactNode
  tone?: 'empty' | 'error' | undefined
  isPage?: boolean | undefined
  action?: ReactNode
  className?: string | undefined
  children?: ReactNode
}) {
  return (
    <div
      role={tone === 'error' ? 'alert' : undefined}
      className={clsx(
        'grid justify-items-center rounded-card border border-dashed border-edge/60 px-6 py-10 text-center',
        className,
      )}
    >
      <span
        className={clsx(
          '[&_svg]:size-7 [&_svg]:stroke-[1.75]',
          tone === 'error' ? 'text-danger' : 'text-muted',
        )}
      >
        {icon}
      </span>
      {isPage ? (
        <h1 className="mt-3 font-display text-h3 tracking-normal">{title}</h1>
      ) : (
        <p className="mt-3 font-display text-h3">{title}</p>
      )}
      {children === undefined ? null : (
        <div className="mt-1 max-w-[26em] text-balance text-muted">{children}</div>
      )}
      {action === undefined ? null : <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}
