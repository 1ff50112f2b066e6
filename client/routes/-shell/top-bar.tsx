import { Link, useRouterState } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { useSession } from '#client/app/session.ts'
import { useSite } from '#client/app/site.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { lazyComponent } from '#client/ui/lazy.ts'
import { ThemeToggle } from '#client/ui/theme-toggle.tsx'
import { BarLink, closeMenu, MenuButton, menuClass } from './bar-parts.tsx'
import { Brand } from './brand.tsx'
import { SearchBox } from './search-box.tsx'
import { t } from '#shared/domain/message.ts'

const { AutoLoaded: MemberBar } = lazyComponent(async () => (await import('./member-bar.tsx')).MemberBar, {
  isInPage: true,
})

export function TopBar() {
  const user = useSession()?.user
  const path = useRouterState({ select: ({ location }) => location.pathname + location.searchStr })
  // The login leads back to this page, but not to Home or to another account page.
  const redirect = /^.(login|signup|\w+-(email|password))?(\?|$)/.test(path) ? undefined : path
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-bg/92 backdrop-blur-md">
      <div className="page relative flex min-h-16 flex-wrap items-center gap-1.5 py-1.5 sm:flex-nowrap sm:gap-3">
        <Link
          to="/"
          activeOptions={{ exact: true }}
          aria-label={t`${useSite().name}, home`}
          className="-ms-1 flex h-11 shrink-0 items-center rounded-full px-1 max-sm:w-11 max-sm:justify-center max-sm:-ms-2.5 lg:me-3"
        >
          <Brand className="max-sm:sr-only" />
        </Link>
        <SearchBox className="peer/search me-auto min-w-0 grow basis-24 lg:max-w-104" />
        {user === undefined ? (
          <>
            <MenuButton className="lg:hidden" />
            <nav
              id="menu"
              popover="auto"
              aria-label="Main"
              className={clsx(
                menuClass,
                'max-lg:inset-x-0 max-lg:w-auto max-lg:border-b max-lg:border-line max-lg:p-(--gutter) max-lg:py-3 max-lg:open:grid',
                'lg:static lg:flex lg:items-center lg:gap-1 lg:overflow-visible',
              )}
            >
              <div className="flex items-center justify-between max-lg:h-12 max-lg:ps-3">
                <span aria-hidden className="text-label text-muted lg:hidden">
                  Theme
                </span>
                <ThemeToggle />
              </div>
              <BarLink
                onClick={closeMenu}
                className="for-visitors"
                render={<Link to="/login" search={{ redirect }} />}
              >
                Login
              </BarLink>
            </nav>
            {/* Hidden on phones while the search box has the focus. */}
            <ButtonLink
              variant="primary"
              className="for-visitors max-sm:px-4 max-sm:peer-focus-within/search:hidden"
              render={<Link to="/signup" search={{ redirect }} />}
            >
              Sign up
            </ButtonLink>
          </>
        ) : (
          <MemberBar user={user} />
        )}
      </div>
    </header>
  )
}
