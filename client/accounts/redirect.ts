/** The target of a login without a redirect. */
const byDefault = '/items'

/**
 * Returns where to go after logging in: `target` if it is a path of this site, else the library. Guards against open
 * redirects: browsers resolve `//host`, `/\host` and `/<tab>/host` to other hosts.
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

/** Reads the search params of the login and of the sign-up. `redirect` is not checked: `afterLogin` does so. */
export function readRedirect({ redirect: target }: Record<string, unknown>): {
  redirect?: string | undefined
} {
  return { redirect: typeof target === 'string' ? target : undefined }
}
