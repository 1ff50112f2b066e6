import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { aMember, aServer } from '#server/testing.ts'
import { audit } from '#server/calls/audit.ts'

const { db, as } = await aServer()
const at = new Date('2026-05-04T12:30:00.000Z')

async function aModerator() {
  const member = await aMember(db)
  await db.updateTable('users').set({ role: 'moderator' }).where('id', '=', member.id).execute()
  return { ...member, role: 'moderator' as const }
}

test('the audit log cannot be changed by SQL either', async () => {
  const by = await aModerator()
  await audit(db, { by, action: 'role.change', target: { type: 'user', id: 7, name: 'ann' }, at })
  const rows = () => db.selectFrom('audit').selectAll().orderBy('id').execute()
  const before = await rows()
  const id = before[0]!.id
  const values = "(id, actor, action, target_type, at) values (%, 'x', 'x', 'x', 'x')".replace(
    '%',
    String(id),
  )
  for (const statement of [
    `update audit set reason = 'other' where id = ${id}`,
    `delete from audit where id = ${id}`,
    'delete from audit',
    `insert or replace into audit ${values}`,
    `insert into audit ${values}`,
    `insert into audit ${values} on conflict (id) do update set actor = 'other'`,
    'truncate audit',
  ])
    await expect(sql.raw(statement).execute(db), statement).rejects.toThrow()
  expect(await rows()).toEqual(before)
})

test('an entry outlives the account of its actor, and keeps the name', async () => {
  const by = await aModerator()
  await audit(db, {
    by,
    action: 'role.change',
    target: { type: 'site' },
    after: { a: 1 },
    reason: 'Why.',
    at,
  })
  await db.deleteFrom('users').where('id', '=', by.id).execute()
  const { entries } = await as(await aModerator()).admin.audit({ actor: by.username })
  expect(entries).toEqual([
    {
      id: expect.any(Number),
      at: at.toISOString(),
      actor: { id: by.id, name: by.username },
      action: 'role.change',
      target: { type: 'site', id: null, name: '' },
      before: null,
      after: { a: 1 },
      reason: 'Why.',
    },
  ])
})

test('nobody acts with a role that was taken since the call began', async () => {
  const by = await aModerator()
  await db.updateTable('users').set({ role: 'member' }).where('id', '=', by.id).execute()
  await expect(audit(db, { by, action: 'role.change', target: { type: 'site' }, at })).rejects.toMatchObject({
    code: 'FORBIDDEN',
  })
})

test('the log is read page by page, and by actor, action, target and day', async () => {
  const by = await aModerator()
  for (let minute = 0; minute < 5; minute++)
    await audit(db, {
      by,
      action: 'role.change',
      target: { type: 'user', id: minute + 1 },
      at: new Date(Date.UTC(2026, 6, 1 + minute)),
    })
  const call = as(by).admin
  const first = await call.audit({ actor: by.username, limit: 3 })
  const second = await call.audit({ actor: by.username, limit: 3, cursor: first.nextCursor! })
  expect([...first.entries, ...second.entries].map(({ target }) => target.id)).toEqual([5, 4, 3, 2, 1])
  expect(second.nextCursor).toBeNull()
  const filtered = await call.audit({ target: 'user', targetId: 2, from: '2026-07-02', to: '2026-07-02' })
  expect(filtered.entries.map(({ target }) => target.id)).toEqual([2])
  await expect(call.audit({ cursor: 'WzFd' })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
})
