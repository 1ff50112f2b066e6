import { createStore } from '#client/ui/store.ts'
import type { NamedTitle } from '#client/app/kinds.ts'
import type { DiaryStatus } from '#shared/domain/media.ts'
import type { FoundTitle } from './found-titles.tsx'

/** What the log starts with; a missing field is chosen there. */
export type LogRequest = {
  title?: LogTitle | undefined
  stars?: 1 | 2 | 3 | 4 | 5 | undefined
  status?: DiaryStatus | undefined
  /** `YYYY-MM-DD`. */
  day?: string | undefined
}
/** A title of the page on which the log is opened has no picture or year at hand. */
export type LogTitle = FoundTitle | NamedTitle

const request = createStore<LogRequest | null>(null)

/** Opens the log, from anywhere. Null closes it. */
export const openLog = request.set

export const useLogRequest = request.useValue
