import { createStore } from '#client/ui/store.ts'
import type { DiaryStatus, Kind } from '#shared/domain/media.ts'

/** What the log starts with; a missing field is chosen there. */
export type LogRequest = {
  title?: LogTitle | undefined
  stars?: 1 | 2 | 3 | 4 | 5 | undefined
  status?: DiaryStatus | undefined
  /** `YYYY-MM-DD`. */
  day?: string | undefined
}
export type LogTitle = { id: number; kind: Kind; name: string; imageUrl: string | null; year: number | null }

const request = createStore<LogRequest | null>(null)

/** Opens the log, from anywhere. Null closes it. */
export const openLog = request.set

export const useLogRequest = request.useValue
