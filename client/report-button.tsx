import { useEffect } from 'react'
import { useSession } from '#client/session.ts'
import { lazyComponent } from '#client/ui/lazy.ts'
import type { ReportProps } from './report-flag.tsx'

const { Component, load } = lazyComponent(async () => (await import('./report-flag.tsx')).ReportFlag)

/** Reports what another member wrote. Visitors and its author do not see the button. */
export function ReportButton(props: ReportProps) {
  const isMember = useSession() !== null
  useEffect(() => {
    if (isMember) load()
  }, [isMember])
  return <Component {...props} />
}
