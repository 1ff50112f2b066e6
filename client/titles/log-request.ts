import type { RatingStep } from '#shared/domain/ratings.ts'
import { createStore } from '#client/ui/store.ts'
import type { CardTitle, NamedTitle } from '#client/app/kinds.ts'
import type { DiaryStatus } from '#shared/domain/kinds.ts'

/** A missing field is chosen in the log. */
export type LogRequest = {
  title?: LogTitle | undefined
  stars?: RatingStep | undefined
  status?: DiaryStatus | undefined
  day?: string | undefined
}
/** The page on which the log is opened knows no picture or year. */
export type LogTitle = CardTitle | NamedTitle

const request = createStore<LogRequest | null>(null)

export const openLog = request.set

export const useLogRequest = request.useValue
