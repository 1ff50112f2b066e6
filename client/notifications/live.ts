import { retryDelayMs, whileVisible } from '#client/live-stream.ts'
import { getSession } from '#client/session.ts'
import { liveSilenceMs } from '#shared/limits.ts'
import type { InboxEvent } from '#shared/notifications.ts'

/**
 * Follows the number of the member’s unread notifications while the page is visible. Returns a function that ends this. Reads the stream
 * with `fetch`, because an `EventSource` cannot send the token.
 */
export function followInbox(onEvent: (event: InboxEvent) => void): () => void {
  let current: AbortController | undefined

  function open() {
    if (current) return
    current = new AbortController()
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
      const delayMs = retryDelayMs(failures++)
      if (delayMs === undefined) return
      await new Promise((resolve) => setTimeout(resolve, delayMs))
    }
  }

  return whileVisible(open, close)
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
