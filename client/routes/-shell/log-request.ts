import { useSyncExternalStore } from 'react'
import type { DiaryStatus, Kind } from '#shared/media.ts'

/** What the log starts with; a missing field is chosen there. */
export type LogRequest = {
  title?: LogTitle | undefined
  stars?: 1 | 2 | 3 | 4 | 5 | undefined
  status?: DiaryStatus | undefined
  /** `YYYY-MM-DD`. */
  day?: string | undefined
}
export type LogTitle = { id: number; kind: Kind; name: string; imageUrl: string | null; year: number | null }

let request: LogRequest | null = null
const listeners = new Set<() => void>()

/** Opens the log, from anywhere. Null closes it. */
export function openLog(next: LogRequest | null): void {
  request = next
  for (const listener of listeners) listener()
}

export function useLogRequest(): LogRequest | null {
  return useSyncExternalStore(
    subscribe,
    () => request,
    () => null,
  )
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
