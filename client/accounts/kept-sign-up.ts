import { verifyTokenHours } from '#shared/limits.ts'

type SignUp = { email: string; redirect?: string | undefined }

const signUpKey = 'signed up'
/** As long as the link in the email. */
const signUpMs = verifyTokenHours * 3_600_000

/**
 * Stores the email and the redirect of a sign-up in this browser until the link in the email is opened. They are not in the
 * link, because an address that is not verified yet may belong to somebody else.
 */
export function keepSignUp(signUp: SignUp): void {
  try {
    localStorage.setItem(signUpKey, JSON.stringify({ ...signUp, until: Date.now() + signUpMs }))
  } catch {
    // No access to storage: the login starts with an empty form and goes to the library.
  }
}

/** Returns the stored sign-up and removes it. */
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
