import { lazy, Suspense, useEffect, useState } from 'react'
import { whenIdle } from './late.ts'
import { onToastWaiting } from './toasts.ts'

export { toasts } from './toasts.ts'

const load = () => import('./toast-viewport.tsx')
const ToastViewport = lazy(async () => ({ default: (await load()).ToastViewport }))

/** Once, near the root. The viewport's code loads when the page is idle, or with the first message. */
export function Toaster() {
  const [wanted, setWanted] = useState(false)
  useEffect(() => {
    const want = () => setWanted(true)
    const stop = onToastWaiting(want)
    const calm = whenIdle(want)
    return () => {
      calm()
      stop()
    }
  }, [])
  if (!wanted) return null
  return (
    <Suspense>
      <ToastViewport />
    </Suspense>
  )
}
