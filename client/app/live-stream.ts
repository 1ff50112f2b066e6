import { liveSilenceMs } from '#shared/domain/limits.ts'
import { getSession } from './session.ts'

/** Without HTTP/2 a browser has six connections for all tabs of a site. */
const hiddenMs = 5_000
const retryDelaysMs = [3_000, 30_000]

/** `open` does nothing if the stream is open. Returns a function that ends this. */
export function whileVisible(open: () => void, close: () => void): () => void {
  let hiding: ReturnType<typeof setTimeout> | undefined
  function onVisibility() {
    clearTimeout(hiding)
    if (document.hidden) hiding = setTimeout(close, hiddenMs)
    else open()
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

/** The first failure is 0; undefined gives up. */
export function retryDelayMs(failures: number): number | undefined {
  const delayMs = retryDelaysMs[failures]
  // Jitter, so that clients do not all reconnect at once after a restart.
  return delayMs === undefined ? undefined : delayMs * (1 + Math.random())
}

/** Uses `fetch`, because an `EventSource` cannot send the token. Returns a function that ends this. */
export function followAsMember<Event>(url: string, onEvent: (event: Event) => void): () => void {
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
      const hasBegun = await read(url, signal, onEvent).catch(() => false)
      if (hasBegun) failures = 0
      const delayMs = retryDelayMs(failures++)
      if (delayMs === undefined) return
      await new Promise((resolve) => setTimeout(resolve, delayMs))
    }
  }

  return whileVisible(open, close)
}

/** Ends when the stream is silent for too long. Returns whether it had an event. */
async function read<Event>(
  url: string,
  signal: AbortSignal,
  onEvent: (event: Event) => void,
): Promise<boolean> {
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
    const response = await fetch(url, {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${getSession()?.token}` },
      credentials: 'omit',
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
          onEvent(JSON.parse(line.slice('data: '.length)) as Event)
        }
    }
  } catch {
    return hasBegun
  } finally {
    clearTimeout(timer)
  }
}
