import { followAsMember, retryDelayMs, whileVisible } from '#client/app/live-stream.ts'
import { liveSilenceMs } from '#shared/domain/limits.ts'
import type { LiveEvent } from '#shared/contracts/reviews.ts'
import { type ReviewedTitle, reviewedKey } from './title.ts'

/**
 * Gives up after three failures (a proxy blocks or buffers streams) until the page becomes visible again. tRPC's subscription link would be
 * loaded by every page. Sends the member’s token only where visitors may not read (`needsToken`).
 */
export function followTitle(
  title: ReviewedTitle,
  { needsToken }: { needsToken: boolean },
  onEvent: (event: LiveEvent) => void,
): () => void {
  if (needsToken)
    return followAsMember(`/reviews/live?${new URLSearchParams(reviewedKey(title) as never)}`, onEvent)
  const url = `/trpc/reviews.live?input=${encodeURIComponent(JSON.stringify(reviewedKey(title)))}`
  let source: EventSource | undefined
  let failures = 0
  let next: ReturnType<typeof setTimeout> | undefined

  function open() {
    close()
    source = new EventSource(url)
    source.addEventListener('message', ({ data }) => {
      expectMore()
      onEvent(JSON.parse(data as string) as LiveEvent)
    })
    source.addEventListener('connected', expectMore)
    source.addEventListener('ping', () => {
      failures = 0
      expectMore()
    })
    for (const end of ['error', 'serialized-error', 'return']) source.addEventListener(end, retry)
    expectMore()
  }
  function expectMore() {
    clearTimeout(next)
    next = setTimeout(retry, liveSilenceMs)
  }
  function retry() {
    close()
    const delayMs = retryDelayMs(failures++)
    if (delayMs !== undefined) next = setTimeout(open, delayMs)
  }
  function close() {
    clearTimeout(next)
    source?.close()
    source = undefined
  }

  return whileVisible(() => {
    if (source === undefined) open()
  }, close)
}
