/** Without HTTP/2 a browser has six connections for all tabs of a site: hidden tabs close theirs. */
const hiddenMs = 5_000
const retryDelaysMs = [3_000, 30_000]

/** Keeps a live stream open while the page is visible. `open` does nothing if it is open. Returns a function that ends this. */
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

/** Returns how long to wait after a failure, the first of which is 0; undefined if the stream is given up. */
export function retryDelayMs(failures: number): number | undefined {
  const delayMs = retryDelaysMs[failures]
  // Jitter, so that clients do not all reconnect at the same time after a restart of the server.
  return delayMs === undefined ? undefined : delayMs * (1 + Math.random())
}
