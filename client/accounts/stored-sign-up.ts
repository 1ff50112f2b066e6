import { readStored, writeStored } from '#client/ui/stored.ts'
import { verifyTokenHours } from '#shared/domain/limits.ts'

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
  writeStored(storageKey, JSON.stringify({ ...signUp, until: Date.now() + signUpMs }))
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
  const { until, ...signUp } = JSON.parse(readStored(storageKey) ?? '{}') as SignUp & { until?: number }
  writeStored(storageKey, null)
  return until !== undefined && until > Date.now() ? signUp : undefined
}
