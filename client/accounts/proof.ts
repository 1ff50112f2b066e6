import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import type { RouterOutputs } from '#client/app/trpc.ts'

/** Returns the proof of a registration, after about a second in which the page stays responsive: browsers derive keys in another thread. */
export async function proofOf(
  challenge: RouterOutputs['accounts']['challenge']['challenge'],
): Promise<string> {
  const solution = await solveChallenge({ challenge, deriveKey })
  return btoa(JSON.stringify({ challenge, solution }))
}
