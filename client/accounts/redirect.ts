import { urlHere } from '#shared/domain/url-here.ts'

const byDefault = '/items'

/** Returns `target` if it is a path of this site, else the library. */
export function afterLogin(target: string | undefined): string {
  const url = urlHere(target ?? '')
  return url && url.pathname !== '/login' ? url.pathname + url.search + url.hash : byDefault
}

/** `redirect` is not checked here: `afterLogin` does so. */
export function readRedirect({ redirect: target }: Record<string, unknown>): {
  redirect?: string | undefined
} {
  return { redirect: typeof target === 'string' ? target : undefined }
}
