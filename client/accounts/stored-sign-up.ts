import { verifyTokenHours } from '#shared/limits.ts'

type SignUp = {
  email: string
  redirect?: string | undefined
  /** With the token of the link in the email, it logs in once. Only this browser has it. */
  loginKey: string
}

const storageKey = 'signed up'
/** As long as the link in the email is valid. */
const signUpMs = verifyTokenHours * 3_600_000

/**
 * Stores the email, the redirect and the login key of a sign-up in this browser until the link in the email is opened. They are not
 * in the link, because an unverified address may belong to someone else.
 */
export function storeSignUp(signUp: SignUp): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify({ ...signUp, until: Date.now() + signUpMs }))
  } catch {
    // No access to storage: the login starts with an empty form and goes to the library.
  }
}

/** Returns 256 random bits as base64url. */
export function newLoginKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace('=', '')
}

export function takeSignUp(): SignUp | undefined {
  try {
    const { until, ...signUp } = JSON.parse(localStorage.getItem(storageKey) ?? '{}') as SignUp & {
      until?: number
    }
    localStorage.removeItem(storageKey)
    return until !== undefined && until > Date.now() ? signUp : undefined
  } catch {
    return undefined
  }
}
