import { getSession } from '#client/session.ts'
import { liveSilenceMs } from '#shared/limits.ts'
import type { InboxEvent } from '#shared/notifications.ts'

/** As the live updates of a title do: hidden pages close their stream, and a stream that does not work is given up. */
const hiddenMs = 5_000
const retryDelaysMs = [3_000, 30_000]

/**
 * Follows the number of the member’s unread notifications while the page is visible. Returns a function that ends this. Reads the stream
 * with `fetch`, because an `EventSource` cannot send the token.
 */
export function followInbox(onEvent: (event: InboxEvent) => void): () => void {
  let current: AbortController | undefined
  let hiding: ReturnType<typeof setTimeout> | undefined

  function open() {
    current ??= new AbortController()
    void follow(current.signal)
  }
  function close() {
    current?.abort()
    current = undefined
  }
  async function follow(signal: AbortSignal) {
    for (let failures = 0; !signal.aborted;) {
      const hasBegun = await read(signal, onEvent).catch(() => false)
      if (hasBegun) failures = 0
      const delayMs = retryDelaysMs[failures++]
      if (delayMs === undefined) return
      // Jitter, so that clients do not all reconnect at the same time after a restart of the server.
      await new Promise((resolve) => setTimeout(resolve, delayMs * (1 + Math.random())))
    }
  }
  function onVisibility() {
    clearTimeout(hiding)
    if (document.hidden) hiding = setTimeout(close, hiddenMs)
    else if (current === undefined) open()
  }

  document.addEventListener('visibilitychange', onVisibility)
  // A page with an open connection does not get into the back/forward cache.
  window.addEventListener('pagehide', close)
  if (!document.hidden) open()
  return () => {
    document.removeEventListener('visibilitychange', onVisibility)
    window.removeEventListener('pagehide', close)
    clearTimeout(hiding)
    close()
  }
}

/** Reads one stream to its end, or until it is silent. Returns whether it had an event. */
async function read(signal: AbortSignal, onEvent: (event: InboxEvent) => void): Promise<boolean> {
  const silence = new AbortController()
  const ending = AbortSignal.any([signal, silence.signal])
  let timer: ReturnType<typeof setTimeout> | undefined
  let hasBegun = false
  const expectMore = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), liveSilenceMs)
  }
  try {
    expectMore()
    const response = await fetch('/notifications/live', {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${getSession()?.token}` },
      signal: ending,
    })
    if (!response.ok || !response.body) return false
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (let rest = ''; ;) {
      const { done, value } = await reader.read()
      if (done) return hasBegun
      expectMore()
      const lines = (rest + value).split('\n')
      rest = lines.pop()!
      for (const line of lines)
        if (line.startsWith('data: ')) {
          hasBegun = true
          onEvent(JSON.parse(line.slice('data: '.length)) as InboxEvent)
        }
    }
  } catch {
    return hasBegun
  } finally {
    clearTimeout(timer)
  }
}
