const byDefault = '/items'

/**
 * Returns `target` if it is a path of this site, else the library. Browsers resolve `//host`, `/\host` and `/<tab>/host` to other hosts, and
 * the resolved path of `/..//host` is `//host`.
 */
export function afterLogin(target: string | undefined): string {
  if (!target?.startsWith('/')) return byDefault
  try {
    const { origin, pathname, search, hash } = new URL(target, 'https://here.invalid')
    const isHere = origin === 'https://here.invalid' && !pathname.startsWith('//')
    return isHere && pathname !== '/login' ? pathname + search + hash : byDefault
  } catch {
    return byDefault
  }
}

/** `redirect` is not checked here: `afterLogin` does so. */
export function readRedirect({ redirect: target }: Record<string, unknown>): {
  redirect?: string | undefined
} {
  return { redirect: typeof target === 'string' ? target : undefined }
}
