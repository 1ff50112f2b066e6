import { verifyTokenHours } from '#shared/limits.ts'

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

type SignUp = { email: string; redirect?: string | undefined }

const signUpKey = 'signed up'
/** As long as the link in the email. */
const signUpMs = verifyTokenHours * 3_600_000

/**
 * Keeps what a new member signed up with and for until the link in the email is opened in this browser. Not in the link:
 * whoever reads the mail before the address is verified may be a stranger to both.
 */
export function keepSignUp(signUp: SignUp): void {
  try {
    localStorage.setItem(signUpKey, JSON.stringify({ ...signUp, until: Date.now() + signUpMs }))
  } catch {
    // No access to storage: the login starts with an empty form and goes to the library.
  }
}

/** Returns the kept sign-up, and forgets it. */
export function takeSignUp(): SignUp | undefined {
  try {
    const { until, ...signUp } = JSON.parse(localStorage.getItem(signUpKey) ?? '{}') as SignUp & {
      until?: number
    }
    localStorage.removeItem(signUpKey)
    return until !== undefined && until > Date.now() ? signUp : undefined
  } catch {
    return undefined
  }
}
