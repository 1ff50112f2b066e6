import { hashToken, newToken } from '#server/accounts/rules.ts'
import type { Db } from '#server/db/open.ts'
import { insertSetupCode } from './setup-store.ts'

export async function openSetup(db: Db, publicUrl: string, now: Date): Promise<string> {
  const code = newToken()
  await insertSetupCode(db, hashToken(code), now)
  return `${publicUrl}/setup?code=${code}`
}
