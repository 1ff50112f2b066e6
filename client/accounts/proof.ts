import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import type { RouterOutputs } from '#client/app/trpc.ts'

/** Takes about a second; the page stays responsive, because browsers derive keys in another thread. */
export async function proofOf(
  challenge: RouterOutputs['accounts']['challenge']['challenge'],
): Promise<string> {
  const solution = await solveChallenge({ challenge, deriveKey })
  return btoa(JSON.stringify({ challenge, solution }))
}
