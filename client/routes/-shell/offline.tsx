import { CloudOff } from 'lucide-react'
import { useSyncExternalStore } from 'react'

function subscribe(listener: () => void) {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** Says so where there is no network, for as long as there is none; then everything is read anew by itself. */
export function Offline() {
  const isOffline = useSyncExternalStore(
    subscribe,
    () => !navigator.onLine,
    () => false,
  )
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
