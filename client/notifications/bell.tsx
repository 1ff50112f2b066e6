import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { Bell as BellIcon } from 'lucide-react'
import { VisuallyHidden } from '#client/ui/visually-hidden.tsx'
import { useUnreadCount } from './hooks.ts'
import { unreadSentence } from './unread-sentence.ts'

/** The number takes no room, so that nothing moves. */
export function Bell({ className }: { className?: string }) {
  const unread = useUnreadCount() ?? 0
  return (
    <Link
      to="/notifications"
      title="Notifications"
      className={clsx(
        'picked relative grid size-11 shrink-0 place-items-center rounded-full hover:bg-raised [&[aria-current=page]]:bg-raised',
        className,
      )}
    >
      <BellIcon aria-hidden className="size-5" />
      <VisuallyHidden>{unreadSentence(unread)}</VisuallyHidden>
      {unread === 0 ? null : (
        <span
          aria-hidden
          className="absolute top-0.5 inset-e-0 grid h-5 min-w-5 place-items-center rounded-full border-2 border-bg bg-ink px-1 text-[0.6875rem] leading-none font-bold text-bg tabular-nums"
        >
          {unread > 9 ? '9+' : unread}
        </span>
      )}
    </Link>
  )
}
