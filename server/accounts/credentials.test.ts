import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { messages } from '#shared/texts/messages.ts'
import { migrate } from '#server/db/migrate.ts'
import { aDatabaseAt, aMember, aServer } from '#server/testing.ts'
import { findByEmail, findPassword, recordUse, removeCredentials, setPassword } from './credentials-store.ts'
import { hashPassword } from './passwords.ts'

const server = await aServer()
const { db } = server
const now = new Date('2026-05-01T12:00:00.000Z')
const later = new Date('2026-05-02T12:00:00.000Z')
const emailOf = ({ username }: { username: string }) => `${username}@example.org`
const rowsOf = (id: number, of = db) =>
  of.selectFrom('credentials').selectAll().where('user_id', '=', id).execute()

test('an upgrade keeps every password, and the marks of accounts without one', async () => {
  const { db: old, close } = await aDatabaseAt('0041-cases-of-target')
  const hashes = [await hashPassword('six-or-more'), await hashPassword('seven-or-more'), '!', '']
  const members = []
  for (const [index, password_hash] of hashes.entries()) {
    const columns = { password_hash, deletion_at: index === 3 ? now.toISOString() : null }
    members.push(await aMember(old, `before-${index}`, columns))
  }
  expect(await migrate(old)).toContain('0042-credentials')

  for (const [index, member] of members.entries()) {
    const secret = index < 2 ? hashes[index] : undefined
    expect((await findByEmail(old, emailOf(member)))?.password?.secret).toBe(secret)
    expect(await rowsOf(member.id, old)).toHaveLength(secret ? 1 : 0)
  }
  expect((await rowsOf(members[0]!.id, old))[0]).toMatchObject({
    kind: 'password',
    identifier: null,
    created_at: '2026-01-01T00:00:00.000Z',
    last_used_at: null,
  })
  const closed = old.selectFrom('users').select(['id', 'closed_at']).where('closed_at', 'is not', null)
  expect(await closed.execute()).toEqual([{ id: members[3]!.id, closed_at: now.toISOString() }])
  const users = (await old.introspection.getTables()).find(({ name }) => name === 'users')!
  expect(users.columns.map(({ name }) => name)).not.toContain('password_hash')

  // The rows go with their members.
  await old.deleteFrom('users').where('id', '=', members[0]!.id).execute()
  expect(await rowsOf(members[0]!.id, old)).toEqual([])
  await close()
})

test('a member has one password, and rows with an identifier are unique among their kind', async () => {
  const [member, other] = [await aMember(db), await aMember(db)]
  for (const secret of ['first', 'second']) await setPassword(db, member.id, secret, now)
  const rows = await rowsOf(member.id)
  expect(rows.map(({ secret }) => secret)).toEqual(['second'])
  const add = (user_id: number, identifier: string | null) =>
    db
      .insertInto('credentials')
      .values({ user_id, kind: 'password', identifier, secret: null, created_at: now.toISOString() })
      .execute()
  await expect(add(member.id, null)).rejects.toThrow(/unique/i)
  await add(member.id, 'identity')
  await expect(add(other.id, 'identity')).rejects.toThrow(/unique/i)
  await removeCredentials(db, member.id)
  expect(await rowsOf(member.id)).toEqual([])
})

test('a use is recorded unless the secret has changed since it was read', async () => {
  const member = await aMember(db)
  await setPassword(db, member.id, await hashPassword('six-or-more'), now)
  await server.as(null, { now: later }).accounts.login({ email: emailOf(member), password: 'six-or-more' })
  const times = { created_at: now.toISOString(), last_used_at: later.toISOString() }
  expect(await rowsOf(member.id)).toMatchObject([times])
  const read = (await findPassword(db, member.id))!
  await setPassword(db, member.id, 'another', now)
  expect(await recordUse(db, read, later)).toBe(false)
  expect(await rowsOf(member.id)).toMatchObject([{ secret: 'another', last_used_at: null }])
})

test('a member without a password can neither log in nor confirm a call', async () => {
  const member = await aMember(db)
  const [email, account] = [emailOf(member), server.as(member, { now }).accounts]
  for (const currentPassword of ['none', 'undefined', 'null']) {
    const wrong = { code: 'FORBIDDEN', message: messages.currentPasswordWrong }
    await expect(account.requestDeletion({ currentPassword })).rejects.toMatchObject(wrong)
    await expect(
      account.updatePassword({ currentPassword, newPassword: 'six-or-more' }),
    ).rejects.toMatchObject(wrong)
    await expect(
      account.updateProfile({ email: 'new@example.org', password: currentPassword }),
    ).rejects.toMatchObject(wrong)
  }
  await expect(account.updateProfile({ email: 'new@example.org' })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: messages.currentPasswordMissing,
  })
  await expect(server.as(null, { now }).accounts.login({ email, password: 'none' })).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
    message: messages.invalidCredentials,
  })
})

test('only the store of the credentials names their table', () => {
  const folder = join(import.meta.dirname, '..')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  )
  const namesTable =
    /(?:selectFrom|insertInto|updateTable|deleteFrom|[jJ]oin|hasRow|removeRows)\([^)]*?'credentials'|\b(?:from|into|update|join) "?credentials\b/
  const readers = files.filter((name) => namesTable.test(readFileSync(join(folder, name), 'utf8')))
  expect(readers).toEqual(['accounts/credentials-store.ts'])
})
