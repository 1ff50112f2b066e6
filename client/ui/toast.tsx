import { useEffect } from 'react'
import { late, whenIdle } from './late.ts'
import { onToastWaiting } from './toasts.ts'

export { toasts } from './toasts.ts'

const { Late: ToastViewport, want } = late(async () => (await import('./toast-viewport.tsx')).ToastViewport)

/** Once, near the root. The viewport's code loads when the page is idle, with the first message, or with the network. */
export function Toaster() {
  useEffect(() => {
    const stop = onToastWaiting(want)
    const calm = whenIdle(want)
    window.addEventListener('online', want)
    return () => {
      calm()
      window.removeEventListener('online', want)
      stop()
    }
  }, [])
  return <ToastViewport />
}
