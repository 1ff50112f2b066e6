import { useSession } from '#client/app/session.ts'
import { lazyComponent } from '#client/ui/lazy.ts'
import { hasFirstSteps } from './closed.ts'

const { AutoLoaded: FirstRun } = lazyComponent(async () => (await import('./first-run.tsx')).FirstRun)

export function FirstSteps({ className }: { className?: string }) {
  const user = useSession()?.user
  return user !== undefined && hasFirstSteps(user) ? <FirstRun user={user} className={className} /> : null
}
