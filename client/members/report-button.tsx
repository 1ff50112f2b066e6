import { lazyComponent } from '#client/ui/lazy.ts'
import type { ReportProps } from './report-flag.tsx'
import { useSession } from '#client/app/session.ts'

const { AutoLoaded: ReportFlag } = lazyComponent(async () => (await import('./report-flag.tsx')).ReportFlag)

/** Visitors and the author do not see the button. */
export function ReportButton(props: ReportProps) {
  return useSession() === null ? null : <ReportFlag {...props} />
}
