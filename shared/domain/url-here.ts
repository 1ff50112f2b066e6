const origin = 'https://here.invalid'

/**
 * Returns what a path of this site resolves to; undefined if it leads elsewhere. Browsers resolve `//host`, `/\host` and `/<tab>/host` to
 * other hosts, and the resolved path of `/..//host` is `//host`.
 */
export function urlHere(path: string): URL | undefined {
  if (!path.startsWith('/')) return undefined
  try {
    const url = new URL(path, origin)
    return url.origin === origin && !url.pathname.startsWith('//') ? url : undefined
  } catch {
    return undefined
  }
}
