import { Link, useRouterState } from '@tanstack/react-router'
import { CirclePlus, LogOut } from 'lucide-react'
import { clsx } from 'clsx'
import { useEffect, useId } from 'react'
import { useLogout } from '#client/accounts/logout.ts'
import type { SessionUser } from '#client/app/session.ts'
import { ThemeToggle } from '#client/ui/theme-toggle.tsx'
import { closeMenu, menuClass } from './bar-parts.tsx'
import { openLog } from '#client/titles/log-request.ts'
import { ownPages } from './own-pages.ts'

const rowClass =
  'picked flex min-h-11 w-full items-center gap-3 rounded-item px-3 text-start text-label hover:bg-raised lg:min-h-9 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-muted'

export function MemberMenu({ user }: { user: SessionUser }) {
  const id = useId()
  const { logOut, isPending } = useLogout()
  const sections = ownPages(user)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  useEffect(closeMenu, [path])
  return (
    <nav
      id="menu"
      popover="auto"
      aria-label="Your pages"
      className={clsx(
        menuClass,
        'inset-e-[max(var(--gutter),calc(50vw-36rem))] mt-1 w-64 max-w-[calc(100vw-2*var(--gutter))] gap-2 rounded-popup border border-line bg-surface p-2 open:grid',
      )}
    >
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => {
          closeMenu()
          openLog({})
        }}
        className={rowClass}
      >
        <CirclePlus aria-hidden />
        Log something
      </button>
      {sections.map(({ title, pages }, index) => (
        <section key={title} aria-labelledby={`${id}-${index}`} className="border-t border-line pt-2">
          <h2 id={`${id}-${index}`} className="px-3 pb-1 font-sans text-tiny font-medium text-muted">
            {title}
          </h2>
          <ul>
            {pages.map(({ label, path, Icon }) => (
              <li key={path}>
                <Link to={path} onClick={closeMenu} className={rowClass}>
                  <Icon aria-hidden />
                  {label}
                </Link>
              </li>
            ))}
            {index < sections.length - 1 ? null : (
              <>
                <li className="flex items-center justify-between ps-3">
                  <span aria-hidden className="text-label">
                    Theme
                  </span>
                  <ThemeToggle />
                </li>
                <li className="lg:hidden">
                  <button
                    type="button"
                    aria-disabled={isPending}
                    onClick={() => {
                      if (!isPending) void logOut()
                    }}
                    className={rowClass}
                  >
                    <LogOut aria-hidden />
                    Logout
                  </button>
                </li>
              </>
            )}
          </ul>
        </section>
      ))}
    </nav>
  )
}
