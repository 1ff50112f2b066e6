import { Link, useRouterState } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { Menu, X } from 'lucide-react'
import { type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react'
import { useLogout } from '#client/accounts/logout.ts'
import { type SessionUser, useSession } from '#client/session.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { Button, ButtonLink, IconButton } from '#client/ui/button.tsx'
import { ThemeToggle } from '#client/ui/theme-toggle.tsx'
import { VisuallyHidden } from '#client/ui/visually-hidden.tsx'
import { Brand } from './brand.tsx'
import { SearchBox } from './search-box.tsx'

/** One row, or two with very large text on a phone. On small screens the navigation is a menu below it. */
export function TopBar() {
  const user = useSession()?.user
  const { ref, isOpen, setOpen, path } = useMenu()
  const fold = () => setOpen(false)
  // The login and the sign-up lead back to this page, but not to Home or to another account page.
  const redirect = /^.(login|signup|\w+-(email|password))?(\?|$)/.test(path) ? undefined : path
  return (
    <header ref={ref} className="sticky top-0 z-30 border-b border-line bg-bg/92 backdrop-blur-md">
      <div className="page flex min-h-16 flex-wrap items-center gap-1.5 py-1.5 sm:flex-nowrap sm:gap-3">
        <Link
          to="/"
          activeOptions={{ exact: true }}
          aria-label="Medley, home"
          className="-ml-1 flex h-11 shrink-0 items-center rounded-full px-1 max-sm:w-11 max-sm:justify-center max-sm:-ml-2.5 lg:mr-3"
        >
          <Brand className="max-sm:sr-only" />
        </Link>
        <SearchBox className="peer/search mr-auto min-w-0 grow basis-24 lg:max-w-104" />
        <IconButton
          label="Menu"
          aria-expanded={isOpen}
          aria-controls="menu"
          onClick={() => setOpen(!isOpen)}
          className="lg:hidden"
        >
          {isOpen ? <X aria-hidden /> : <Menu aria-hidden />}
        </IconButton>
        <nav
          id="menu"
          aria-label="Main"
          className={clsx(
            'lg:static lg:flex lg:items-center lg:gap-1',
            'max-lg:absolute max-lg:inset-x-0 max-lg:top-full max-lg:border-b max-lg:border-line max-lg:bg-bg max-lg:px-(--gutter) max-lg:py-3 max-lg:shadow-float',
            'page max-lg:max-w-none lg:m-0 lg:w-auto lg:p-0',
            isOpen ? 'max-lg:grid' : 'max-lg:hidden',
          )}
        >
          {user === undefined ? (
            <>
              <ThemeRow />
              <Entry
                onFollow={fold}
                className="for-visitors"
                render={<Link to="/login" search={{ redirect }} />}
              >
                Login
              </Entry>
            </>
          ) : (
            <>
              <Entry onFollow={fold} render={<Link to="/for-you" />}>
                For You
              </Entry>
              <Entry onFollow={fold} render={<Link to="/items" />}>
                Items
              </Entry>
              <Entry onFollow={fold} render={<Link to="/diary" />}>
                Diary
              </Entry>
              <Entry onFollow={fold} render={<Link to="/settings" />}>
                Settings
              </Entry>
              {user.role ? (
                <Entry onFollow={fold} render={<Link to="/admin/$" params={{ _splat: '' }} search={{}} />}>
                  Admin
                </Entry>
              ) : null}
              <ThemeRow />
              <LogoutButton />
            </>
          )}
        </nav>
        {user === undefined ? (
          // Hidden on phones while the search box has the focus.
          <ButtonLink
            variant="primary"
            className="for-visitors max-sm:px-4 max-sm:peer-focus-within/search:hidden"
            render={<Link to="/signup" search={{ redirect }} />}
          >
            Sign up
          </ButtonLink>
        ) : (
          <OwnProfileLink user={user} />
        )}
      </div>
    </header>
  )
}

function Entry({
  render,
  onFollow,
  className,
  children,
}: {
  render: ReactElement
  onFollow: () => void
  className?: string
  children: ReactNode
}) {
  return (
    <ButtonLink
      variant="ghost"
      render={render}
      onClick={onFollow}
      className={clsx(
        'picked max-lg:h-12 max-lg:justify-start max-lg:px-3 lg:px-3.5 [&[aria-current=page]]:text-ink lg:[&[aria-current=page]]:bg-raised',
        className,
      )}
    >
      {children}
    </ButtonLink>
  )
}

function ThemeRow() {
  return (
    <div className="flex items-center justify-between max-lg:h-12 max-lg:pl-3">
      <span aria-hidden className="text-label text-muted lg:hidden">
        Theme
      </span>
      <ThemeToggle />
    </div>
  )
}

function LogoutButton() {
  const { logOut, isPending } = useLogout()
  return (
    <Button
      variant="ghost"
      busy={isPending}
      onClick={() => void logOut()}
      className="max-lg:h-12 max-lg:justify-start max-lg:px-3 lg:px-3.5"
    >
      Logout
    </Button>
  )
}

function OwnProfileLink({ user }: { user: SessionUser }) {
  return (
    <Link
      to="/user/$userId"
      params={{ userId: String(user.id) }}
      title={user.username}
      className="grid size-11 shrink-0 place-items-center rounded-full"
    >
      <Avatar name={user.username} src={user.profilePicture} />
      {/* Not an aria-label: WCAG 2.5.3 would require it to begin with the initials that some avatars show. */}
      <VisuallyHidden>Your profile, {user.username}</VisuallyHidden>
    </Link>
  )
}

/** Closes the menu on Escape, on a press outside, and on navigation. */
function useMenu() {
  const ref = useRef<HTMLElement>(null)
  const [isOpen, setOpen] = useState(false)
  const path = useRouterState({ select: ({ location }) => location.pathname + location.searchStr })
  const [pathBefore, setPathBefore] = useState(path)
  if (path !== pathBefore) {
    setPathBefore(path)
    setOpen(false)
  }
  useEffect(() => {
    if (!isOpen) return
    const onPress = (event: PointerEvent) => {
      if (!ref.current?.contains(event.target as Node)) setOpen(false)
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setOpen(false)
      ref.current?.querySelector<HTMLElement>('[aria-controls=menu]')?.focus()
    }
    document.addEventListener('pointerdown', onPress)
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('pointerdown', onPress)
      document.removeEventListener('keydown', onKey)
    }
  }, [isOpen])
  return { ref, isOpen, setOpen, path }
}
