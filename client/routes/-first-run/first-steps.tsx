import { useEffect } from 'react'
import { useSession } from '#client/session.ts'
import { lazyComponent } from '#client/ui/lazy.ts'
import { hasFirstSteps } from './closed.ts'

const { Component: FirstRun, load } = lazyComponent(async () => (await import('./first-run.tsx')).FirstRun)

/** The first steps of a new member, lazy-loaded. */
export function FirstSteps({ className }: { className?: string }) {
  const user = useSession()?.user
  const isShown = user !== undefined && hasFirstSteps(user)
  useEffect(() => {
    if (isShown) load()
  }, [isShown])
  return isShown ? <FirstRun user={user} className={className} /> : null
}
