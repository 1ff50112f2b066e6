import { readStored, writeStored } from '#client/ui/stored.ts'
import { verifyTokenHours } from '#shared/domain/limits.ts'

type SignUp = {
  email: string
  redirect?: string | undefined
  /** Together with the token of the emailed link, it logs in once. */
  loginKey: string
}

const storageKey = 'signed up'
const signUpMs = verifyTokenHours * 3_600_000

/** Not in the link, because an unverified address may belong to someone else. */
export function storeSignUp(signUp: SignUp): void {
  writeStored(storageKey, JSON.stringify({ ...signUp, until: Date.now() + signUpMs }))
}

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
