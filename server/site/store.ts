import { lockKeys } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import type { Settings } from '#shared/contracts/site.ts'

export async function lockSettings(trx: Db): Promise<void> {
  await lockKeys(trx, ['settings'])
}

export async function writeSettings(
  trx: Db,
  changes: Partial<Settings>,
  version: number,
  now: Date,
): Promise<void> {
  for (const [key, value] of Object.entries(changes)) {
    const row = { value: JSON.stringify(value), version, updated_at: now.toISOString() }
    await trx
      .insertInto('settings')
      .values({ key, ...row })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
      .execute()
  }
}
