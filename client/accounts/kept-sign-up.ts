import { verifyTokenHours } from '#shared/limits.ts'

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
