const byDefault = '/items'

/** Returns `target` if it is a path of this site, else the library. Browsers resolve `//host`, `/\host` and `/<tab>/host` to other hosts. */
export function afterLogin(target: string | undefined): string {
  if (target === undefined || !/^\/(?![/\\])/.test(target)) return byDefault
  try {
    const { origin, pathname, search, hash } = new URL(target, 'https://here.invalid')
    return origin === 'https://here.invalid' && pathname !== '/login' ? pathname + search + hash : byDefault
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
