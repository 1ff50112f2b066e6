import { expect, test } from 'vitest'
import { aMember, aServer } from '#server/testing.ts'
import { countRows, hasRow, removeRows } from './rows.ts'

const { db } = await aServer()

test('a key without a value finds and removes no rows', async () => {
  const [one, other] = [await aMember(db), await aMember(db)]
  const pair = { user_id: one.id, member_id: other.id }
  await db
    .insertInto('mutes')
    .values({ ...pair, created_at: '2026-05-01T12:00:00.000Z' })
    .execute()
  const missing = { user_id: one.id, member_id: undefined as unknown as number }
  for (const key of [{}, missing]) {
    await expect(removeRows(db, 'mutes', key)).rejects.toThrow('has no value')
    await expect(hasRow(db, 'mutes', key)).rejects.toThrow('has no value')
  }
  expect(await countRows(db.selectFrom('mutes').where('user_id', '=', one.id))).toBe(1)

  expect(await removeRows(db, 'mutes', { ...pair, member_id: one.id })).toBe(false)
  expect(await removeRows(db, 'mutes', pair)).toBe(true)
  expect(await hasRow(db, 'mutes', pair)).toBe(false)
})
