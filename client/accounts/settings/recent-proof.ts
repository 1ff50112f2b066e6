import { getSession } from '#client/app/session.ts'
import { confirmationMinutes } from '#shared/domain/limits.ts'

let proof: { token: string | undefined; until: number } | undefined

/** After a login with a provider has confirmed the member on another page, the dialog does not ask again. */
export function rememberProof(): void {
  // A minute less than the server, so that a press in time is not refused.
  proof = { token: getSession()?.token, until: Date.now() + (confirmationMinutes - 1) * 60_000 }
}

export function forgetProof(): void {
  proof = undefined
}

export function hasProof(): boolean {
  return proof !== undefined && proof.token === getSession()?.token && Date.now() < proof.until
}
