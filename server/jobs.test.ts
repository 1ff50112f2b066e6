import { expect, test } from 'vitest'
import { jobsOf } from './jobs.ts'
import { aMember, anUpload, aServer, aTitle, aSignedInMember } from './testing.ts'

const server = await aServer()
const { db } = server
const longAgo = new Date('2020-01-01T00:00:00.000Z')
const tables = ['users', 'sessions', 'idempotency_keys', 'changes', 'webhook_deliveries', 'uploads'] as const
const rows = async () =>
  Object.fromEntries(
    await Promise.all(
      tables.map(async (table) => {
        const { count } = await db
          .selectFrom(table)
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
        return [table, Number(count)] as const
      }),
    ),
  )

test('the jobs remove what has expired from every table, and keep the rest', async () => {
  const member = await aSignedInMember(db)
  const stale = await aMember(db)
  await db
    .updateTable('users')
    .set({ verified_at: null, created_at: longAgo.toISOString() })
    .where('id', '=', stale.id)
    .execute()
  const { webhook } = await server
    .as(member)
    .webhooks.create({ url: 'https://example.org/', events: ['favorite'] })
  const kept = await rows()

  const at = longAgo.toISOString()
  await db
    .insertInto('sessions')
    .values({
      token_hash: 'expired',
      user_id: member.id,
      user_agent: null,
      created_at: at,
      last_used_at: at,
      expires_at: at,
    })
    .execute()
  await db
    .insertInto('idempotency_keys')
    .values({
      user_id: member.id,
      key_hash: 'expired',
      request_hash: '',
      attempt: '',
      claimed_at: at,
    })
    .execute()
  await server.as(member).favoriteMovies.add({ movieId: await aTitle(db) })
  await db.updateTable('changes').set({ at }).execute()
  await db
    .updateTable('webhook_deliveries')
    .set({ created_at: at })
    .where('webhook_id', '=', webhook.id)
    .execute()
  await anUpload(db, { at: longAgo, ownerId: member.id })
  await anUpload(db, { at: new Date(Date.now() - 2 * 60 * 60_000), ownerId: null })
  const filled = await rows()
  for (const table of tables)
    expect(filled[table], table).toBeGreaterThan(table === 'users' ? 0 : kept[table]!)

  for (const { run } of jobsOf(
    db,
    server.services.features,
    server.services.storage,
    server.services.sources,
  ))
    await run(new Date(), new AbortController().signal)
  expect(await rows()).toEqual({ ...kept, users: kept['users']! - 1 })
})
