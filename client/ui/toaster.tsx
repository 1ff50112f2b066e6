import { useEffect } from 'react'
import { lazyComponent, whenIdle } from './lazy.ts'
import { onToastWaiting } from './toasts.ts'

const { Component: ToastViewport, load } = lazyComponent(
  async () => (await import('./toast-viewport.tsx')).ToastViewport,
)

/** Lazy-loads its viewport when the page is idle, with the first toast, or back online. */
export function Toaster() {
  useEffect(() => {
    const stopWaiting = onToastWaiting(load)
    const cancelIdle = whenIdle(load)
    window.addEventListener('online', load)
    return () => {
      cancelIdle()
      window.removeEventListener('online', load)
      stopWaiting()
    }
  }, [])
  return <ToastViewport />
}
