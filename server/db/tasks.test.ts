import { features } from '#server/router.ts'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openDeletions } from '#server/accounts/deletion.ts'
import { openMailer } from '#server/accounts/mailer.ts'
import { openImports } from '#server/imports/work.ts'
import { aDatabaseAt, aMember, anOldTitle, aServer } from '#server/testing.ts'
import { openWebhookWorker } from '#server/webhooks/worker.ts'
import { migrate } from './migrate.ts'

const { config, services } = await aServer()

test('the work that waits in an existing database is done after the migration', async () => {
  const { db, dataDir, close } = await aDatabaseAt('0020-import-bytes')
  const [at, later] = ['2026-05-01T12:00:00.000Z', '9999-01-01T00:00:00.000Z']
  const old = { password_hash: 'none' }
  const [member, leaving, staying] = [
    await aMember(db, 'member', old),
    await aMember(db, 'leaving', old),
    await aMember(db, 'staying', old),
  ]
  const message = JSON.stringify({ subject: 'Hello', text: 'Dear Ada' })
  await sql`insert into outbox (recipient, message, attempts, next_attempt_at, sent_at, created_at) values
    ('sent@example.org', '', 1, ${at}, ${at}, ${at}), ('waits@example.org', ${message}, 2, ${at}, null, ${at}),
    ('later@example.org', ${message}, 3, ${later}, null, ${at})`.execute(db)
  for (const [id, due] of [
    [leaving.id, at],
    [staying.id, later],
  ] as const)
    await sql`update users set deletion_at = ${due} where id = ${id}`.execute(db)
  await sql`insert into imports (user_id, service, file_name, file_hash, options, facts, state, next_at, lease_until, created_at, updated_at)
    values (${member.id}, 'csv', 'a.csv', 'x', '{}', '{}', 'reading', ${at}, ${at}, ${at}, ${at}),
      (${member.id}, 'csv', 'b.csv', 'x', '{}', '{}', 'done', null, null, ${at}, ${at})`.execute(db)
  const { rows } = await sql<{ id: number }>`insert into webhooks (user_id, url, secret, events, created_at)
    values (${member.id}, 'https://example.org/', 'whsec_AA==', 'favorite', ${at}) returning id`.execute(db)
  const webhook = rows[0]!.id
  await sql`insert into webhook_deliveries (webhook_id, event, action, thing_id, created_at, attempts, next_attempt_at, delivered_at)
    values (${webhook}, 'test', 'created', 1, ${at}, 1, null, ${at}), (${webhook}, 'test', 'created', 2, ${at}, 4, ${at}, null),
      (${webhook}, 'test', 'created', 3, ${at}, 5, ${later}, null)`.execute(db)

  expect(await migrate(db)).toContain('0021-tasks')
  const tasks = () => db.selectFrom('tasks').select(['queue', 'owner', 'attempts']).orderBy('id').execute()
  expect(await tasks()).toHaveLength(7)
  const sent: string[] = []
  const sender = {
    send: async (_url: string, _headers: unknown, body: string) => {
      sent.push(body)
      return { status: 204, error: null }
    },
    close: async () => {},
  }
  const log = { ...console, info() {} }
  const options = { features: services.features, config: { ...config, dataDir }, db, log, sender, pollMs: 0 }
  const importer = openImports({ ...options, features, sources: { lookups: [] } })
  const [webhooks, deletions] = [openWebhookWorker(options), openDeletions(services, options)]
  importer.wake()
  await Promise.all([openMailer(options).close(), webhooks.deliverDue(), deletions.runDue()])
  const left = [
    { queue: 'mail', owner: 'later@example.org', attempts: 3 },
    { queue: 'webhooks', owner: String(webhook), attempts: 5 },
    { queue: 'deletions', owner: String(staying.id), attempts: 0 },
  ]
  await expect.poll(tasks).toEqual(left)
  for (const worker of [importer, webhooks, deletions]) await worker.close()

  const [mail, ...others] = readdirSync(path.join(dataDir, 'outbox'))
  expect(readFileSync(path.join(dataDir, 'outbox', mail!), 'utf8')).toMatch(/To: waits@[^]*Dear Ada/)
  expect(others).toEqual([])
  expect(sent.map((body) => JSON.parse(body) as object)).toMatchObject([{ data: { webhookId: 2 } }])
  const ids = await db.selectFrom('users').select('id').orderBy('id').execute()
  expect(ids.map(({ id }) => id)).toEqual([member.id, staying.id])
  const imports = await db.selectFrom('imports').selectAll().execute()
  expect(imports).toMatchObject([{ file_name: 'b.csv' }])
  expect(imports[0]).not.toHaveProperty('attempts')

  // The triggers count and add tasks.
  await db
    .insertInto('favorites')
    .values({ user_id: member.id, media_id: await anOldTitle(db), kind: 'movie', created_at: at } as never)
    .execute()
  expect((await tasks()).slice(3)).toEqual([{ queue: 'webhooks', owner: String(webhook), attempts: 0 }])
  await close()
})
