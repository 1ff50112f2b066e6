import { CloudOff } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'
import { messages } from '#shared/messages.ts'

function subscribe(listener: () => void) {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/**
 * Without a network, a page whose code was not loaded yet is not missing. The router would take it for that, and load the
 * document again, which then were lost: it goes by the message.
 */
function nameFailedLoad(event: Event) {
  if (!navigator.onLine) (event as Event & { payload: Error }).payload.message = messages.networkError
}

/** Says so where there is no network, for as long as there is none; then everything is read anew by itself. */
export function Offline() {
  const isOffline = useSyncExternalStore(
    subscribe,
    () => !navigator.onLine,
    () => false,
  )
  useEffect(() => {
    window.addEventListener('vite:preloadError', nameFailedLoad)
    return () => window.removeEventListener('vite:preloadError', nameFailedLoad)
  }, [])
  return (
    <div role="status" className="sticky top-16 z-20">
      {isOffline ? (
        <p className="flex items-center justify-center gap-2 border-b border-line bg-raised px-4 py-2 text-meta font-medium">
          <CloudOff aria-hidden className="size-4 shrink-0" />
          You are offline. What is here stays, and what you write is kept.
        </p>
      ) : null}
    </div>
  )
}
