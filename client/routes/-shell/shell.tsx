import { CatchBoundary, isNotFound, Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { RenderedLater } from '#client/ui/hydration.ts'
import { Toaster } from '#client/ui/toaster.tsx'
import { keepFocus } from '#client/app/keep-focus.ts'
import { useSession } from '#client/app/session.ts'
import { lazyComponent, whenIdle } from '#client/ui/lazy.ts'
import { HalfStars } from '#client/ui/half-stars.ts'
import { Announcement } from './announcement.tsx'
import { Footer } from './footer.tsx'
import { Offline } from './offline.tsx'
import { ProblemPage } from './problems.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { usePageTitle } from './page-title.ts'
import { TitleMenuHost } from './title-menu-host.tsx'
import { TopBar } from './top-bar.tsx'

/** Half stars, if the member has chosen them. */
export function Shell() {
  return (
    <HalfStars value={useSession()?.user.halfStars === true}>
      <ShellOfPage />
    </HalfStars>
  )
}

function ShellOfPage() {
  const title = usePageTitle()
  const main = useFocusAfterNavigation()
  // An error in a page leaves the shell usable; navigation or a retry resets the boundary.
  const attempt = useRouterState({ select: (state) => state.resolvedLocation?.state.__TSR_key })
  useEffect(() => {
    // Browser tests wait for this, and index.html hands over the search shortcut.
    document.documentElement.dataset['hydrated'] = ''
  }, [])
  useEffect(keepFocus, [])
  return (
    <div className="shell flex min-h-dvh flex-col">
      <a
        href="#main"
        className="fixed top-2 inset-s-2 z-50 -translate-y-20 rounded-full bg-ink px-5 py-3 text-label text-bg focus:translate-y-0"
      >
        Skip to content
      </a>
      <Progress />
      <Announcement />
      <TopBar />
      <Offline />
      <NoticeHost />
      {/* Content would move the footer. */}
      <main id="main" ref={main} tabIndex={-1} className="flex grow flex-col empty:min-h-dvh">
        <CatchBoundary
          getResetKey={() => attempt}
          errorComponent={ProblemPage}
          onCatch={(error) => {
            // For the not-found boundary around this one.
            if (isNotFound(error)) throw error
          }}
        >
          <RenderedLater>
            <Outlet />
          </RenderedLater>
        </CatchBoundary>
      </main>
      <RenderedLater>
        <Footer />
      </RenderedLater>
      <p role="status" className="sr-only">
        {title}
      </p>
      <Toaster />
      <TitleMenuHost />
      <Shortcuts />
      <MemberShellHost />
    </div>
  )
}

/** Otherwise keyboard users would start at the top of the document again. */
function useFocusAfterNavigation() {
  const main = useRef<HTMLElement>(null)
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  const before = useRef(path)
  useEffect(() => {
    const wasElsewhere = before.current !== undefined && before.current !== path
    before.current = path
    if (wasElsewhere && document.activeElement === document.body) main.current?.focus({ preventScroll: true })
  }, [path])
  return main
}

/** A delay, so that fast loads show none. */
function Progress() {
  const isLoading = useRouterState({ select: (state) => state.isLoading })
  if (!isLoading) return null
  return (
    <div
      aria-hidden
      className="pointer-events-none fixed inset-x-0 top-0 z-50 h-0.5 animate-appear overflow-hidden"
    >
      <div className="h-full animate-[shimmer_1.2s_infinite] bg-accent" />
    </div>
  )
}

const { AutoLoaded: MemberShell } = lazyComponent(
  async () => (await import('./member-bar.tsx')).MemberShell,
  { isInPage: true },
)

/** Not in the top bar: fixed elements would be fixed to the bar. */
function MemberShellHost() {
  const user = useSession()?.user
  return user ? <MemberShell user={user} /> : null
}

const { Component, load } = lazyComponent(
  async () => (await import('#client/moderation/notice.tsx')).ModerationNotice,
)

/** Loaded at once if the account is restricted. */
function NoticeHost() {
  const user = useSession()?.user
  useEffect(() => {
    if (user === undefined) return undefined
    return user.standing ? load() : whenIdle(load)
  }, [user])
  return user ? <Component /> : null
}
