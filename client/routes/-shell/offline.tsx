import { CloudOff } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'
import { messages } from '#shared/texts/messages.ts'

function subscribe(listener: () => void) {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/**
 * A chunk that fails to load offline is not missing on the server. The router, which goes by the message, would reload the document and
 * lose the page.
 */
function setNetworkMessage(event: Event) {
  if (navigator.onLine) return
  const { payload } = event as Event & { payload: Error }
  payload.name = 'NetworkError'
  payload.message = messages.networkError
}

export function Offline() {
  const isOffline = useSyncExternalStore(
    subscribe,
    () => !navigator.onLine,
    () => false,
  )
  useEffect(() => {
    window.addEventListener('vite:preloadError', setNetworkMessage)
    return () => window.removeEventListener('vite:preloadError', setNetworkMessage)
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
