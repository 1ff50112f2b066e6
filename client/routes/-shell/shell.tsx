import { CatchBoundary, isNotFound, Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { Toaster } from '#client/ui/toast.tsx'
import { Footer } from './footer.tsx'
import { Offline } from './offline.tsx'
import { ProblemPage } from './problems.tsx'
import { Progress } from './progress.tsx'
import { usePageTitle } from './title.ts'
import { TopBar } from './top-bar.tsx'

/** What stands around every page. */
export function Shell() {
  const title = usePageTitle()
  const main = useFocusAfterNavigation()
  // A page that breaks leaves the bars around it usable; going elsewhere, or trying again, mends it.
  const attempt = useRouterState({ select: (state) => state.resolvedLocation?.state.__TSR_key })
  useEffect(() => {
    // For whoever drives the page: what is pressed from now on is heard.
    document.documentElement.dataset['alive'] = ''
  }, [])
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-full bg-ink px-5 py-3 text-label text-bg focus:translate-y-0"
      >
        Skip to content
      </a>
      <Progress />
      <TopBar />
      <Offline />
      <main id="main" ref={main} tabIndex={-1} className="flex grow flex-col">
        <CatchBoundary
          getResetKey={() => attempt}
          errorComponent={ProblemPage}
          onCatch={(error) => {
            // Belongs to the not-found boundary around this one.
            if (isNotFound(error)) throw error
          }}
        >
          <Outlet />
        </CatchBoundary>
      </main>
      <Footer />
      <p role="status" className="sr-only">
        {title}
      </p>
      <Toaster />
    </div>
  )
}

/**
 * When the pressed link went away with its page, the keyboard would begin at the top of the document again: then the
 * new page takes the focus.
 */
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
