import { clsx } from 'clsx'
import { CircleAlert, CircleCheck, Info, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

const tones: Record<'info' | 'success' | 'error', { Icon: LucideIcon; box: string; icon: string }> = {
  info: { Icon: Info, box: 'border-line bg-raised', icon: 'text-muted' },
  success: { Icon: CircleCheck, box: 'border-ok/35 bg-ok/8', icon: 'text-ok' },
  error: { Icon: CircleAlert, box: 'border-danger/35 bg-danger/8', icon: 'text-danger' },
}

/** Errors are announced immediately (role=alert), others politely. */
export function Callout({
  tone = 'info',
  title,
  icon,
  action,
  className,
  children,
}: {
  tone?: keyof typeof tones | undefined
  title?: ReactNode
  icon?: ReactNode
  action?: ReactNode
  className?: string | undefined
  children?: ReactNode
}) {
  const { Icon, ...look } = tones[tone]
  return (
    <div
      role={tone === 'error' ? 'alert' : 'status'}
      className={clsx(
        'flex flex-wrap items-center gap-x-4 gap-y-3 rounded-card border p-4 sm:px-5',
        look.box,
        className,
      )}
    >
      <div className="flex min-w-0 grow basis-64 items-start gap-3">
        <span className={clsx('mt-0.5 [&_svg]:size-5', look.icon)}>{icon ?? <Icon aria-hidden />}</span>
        <div className="min-w-0">
          {title === undefined ? null : <p className="text-label">{title}</p>}
          {children === undefined ? null : (
            <div className={clsx('text-meta', title === undefined ? 'pt-0.5' : 'mt-0.5 text-muted')}>
              {children}
            </div>
          )}
        </div>
      </div>
      {action === undefined ? null : <div className="max-sm:ms-8">{action}</div>}
    </div>
  )
}
