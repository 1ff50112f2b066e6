/** Where a member goes who came from nowhere. */
const byDefault = '/items'

/**
 * Where to go after logging in: `target` if it is a path of ours, else the library. A path begins with one slash; a
 * browser reads `//host`, `/\host` and `/<tab>/host` as other hosts.
 */
export function afterLogin(target: string | undefined): string {
  if (target === undefined || !/^\/(?![/\\])/.test(target)) return byDefault
  try {
    const { origin, pathname, search, hash } = new URL(target, 'https://here.invalid')
    return origin === 'https://here.invalid' && pathname !== '/login' ? pathname + search + hash : byDefault
  } catch {
    return byDefault
  }
}
