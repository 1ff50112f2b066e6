import { liveSilenceMs } from '#shared/limits.ts'
import type { LiveEvent } from '#shared/reviews.ts'
import { type Title, titleKey } from './title.ts'

/** A browser has six connections for all tabs without HTTP/2: those that nobody sees give theirs back. */
const hiddenMs = 5_000
const retryDelaysMs = [3_000, 30_000]

/**
 * Follows what happens to a title while the page is seen; answers how to stop. Where that does not work (a proxy that
 * blocks or holds back streams), it is silent and, after three times, does not try again until the page is seen anew.
 * Not with tRPC's link for subscriptions: that would stand in the code of every page, and a connection that fails is
 * none of its caller's business.
 */
export function followTitle(title: Title, onEvent: (event: LiveEvent) => void): () => void {
  const url = `/trpc/reviews.live?input=${encodeURIComponent(JSON.stringify(titleKey(title)))}`
  let source: EventSource | undefined
  let failures = 0
  /** For what comes next: silence that is too long, or the next attempt. */
  let next: ReturnType<typeof setTimeout> | undefined
  let hiding: ReturnType<typeof setTimeout> | undefined

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
    const delayMs = retryDelaysMs[failures++]
    // Not all at once, when the server comes back.
    if (delayMs !== undefined) next = setTimeout(open, delayMs * (1 + Math.random()))
  }
  function close() {
    clearTimeout(next)
    source?.close()
    source = undefined
  }
  function onVisibility() {
    clearTimeout(hiding)
    if (document.hidden) hiding = setTimeout(close, hiddenMs)
    else if (source === undefined) open()
  }

  document.addEventListener('visibilitychange', onVisibility)
  // A page with a connection is not kept for the way back.
  window.addEventListener('pagehide', close)
  if (!document.hidden) open()
  return () => {
    document.removeEventListener('visibilitychange', onVisibility)
    window.removeEventListener('pagehide', close)
    clearTimeout(hiding)
    close()
  }
}
