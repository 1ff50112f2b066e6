import { openInboxWatch } from '#server/notifications/watch.ts'
import { randomBytes } from 'node:crypto'
import { copyFileSync, promises as fs, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path, { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { CompiledQuery, sql } from 'kysely'
import { FileMigrationProvider, Migrator } from 'kysely/migration'
import { afterAll, inject, vi } from 'vitest'
import type { Kind } from '#shared/domain/kinds.ts'
import { starterSources } from '#server/starter/source.ts'
import { threadCpuMs } from '#scripts/testing/event-loop.ts'
import { createDatabase, migratedName } from '#scripts/testing/migrated.ts'
import { hashToken, newToken } from '#server/accounts/rules.ts'
import { setPageHash } from '#server/accounts/sessions-store.ts'
import * as counters from '#server/db/counters.ts'
import { isSqlite } from '#server/db/dialect.ts'
import { fold, titleColumns } from '#server/db/fold.ts'
import { migrate } from '#server/db/migrate.ts'
import { type Db, openDatabase, sameDatabase } from '#server/db/open.ts'
import { databaseDisk } from '#server/process/disk.ts'
import { openLive } from '#server/reviews/live.ts'
import { openStorage } from '#server/uploads/storage.ts'
import type { Tables } from '#server/db/tables.ts'
import { english, translatorsOf } from '#server/text/translator.ts'
import { renderMail } from './accounts/mails.ts'
import { readSettings } from '#server/members/settings.ts'
import type { MailPayload, MailText } from '#server/members/tables.ts'
import { type Config, readConfig } from './config.ts'
import { appRouter, features } from './router.ts'
import type { Context, Member, Services } from '#server/calls/context.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string | null
    migratedSqlite: string
  }
}

export type TestServer = {
  services: Services
  db: Db
  config: Config
  as: (
    member?: (Pick<Member, 'id' | 'username'> & Partial<Member>) | null,
    options?: { now?: Date; services?: Partial<Services> },
  ) => ReturnType<typeof appRouter.createCaller>
}

/** A provider that no test calls. */
const exampleIssuer = {
  OIDC_EXAMPLE_ISSUER: 'https://id.example.org',
  OIDC_EXAMPLE_CLIENT_ID: 'medley',
  OIDC_EXAMPLE_CLIENT_SECRET: 'not-a-secret',
}

/** Of the browser that tests call from, in `browserCookie`. */
export const browserKey = 'b'.repeat(43)
export const browserCookie = `medley-login=${browserKey}; __Host-medley-login=${browserKey}`

/** Closed after all tests of the file. Call it at the top of a test file. */
export async function aServer(env: Record<string, string> = {}): Promise<TestServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'medley-test-'))
  const postgresUrl = env.DATABASE_URL ?? inject('postgresUrl')
  const isCopied = postgresUrl === inject('postgresUrl')
  const databaseUrl = postgresUrl ? await freshPostgres(postgresUrl, isCopied ? migratedName : undefined) : ''
  if (isCopied && !postgresUrl) copyFileSync(inject('migratedSqlite'), join(dataDir, 'medley.sqlite'))
  const config = readConfig({
    DATA_DIR: dataDir,
    DEMO: 'off',
    LOG_LEVEL: 'silent',
    ...exampleIssuer,
    ...env,
    DATABASE_URL: databaseUrl,
  })
  const db = openDatabase(config)
  // Without a connection, the database has no version, and nothing is cached.
  await (isCopied ? sql`select 1`.execute(db) : migrate(db))
  const live = await openLive({
    config,
    db,
    log: silentLog,
    inboxes: openInboxWatch(db, silentLog),
    burst: () => wait(20),
  })
  // Queries may run on a read-only replica, so here they run on a read-only connection.
  const reader = openDatabase({ ...config, databaseUrl: config.databaseUrl && readOnly(config.databaseUrl) })
  const services: Services = {
    config,
    db,
    replica: databaseUrl ? { readerFor: () => reader, close: async () => {} } : undefined,
    mailer: { flush() {}, close: async () => {} },
    imports: { wake() {}, close: async () => {} },
    sources: starterSources,
    live,
    storage: openStorage(config, silentLog),
    disk: databaseDisk(config),
    features,
    translators: translatorsOf([]),
  }
  afterAll(async () => {
    await live.close()
    await reader.destroy()
    await db.destroy()
    rmSync(dataDir, { recursive: true, force: true })
  })
  return {
    services,
    db,
    config,
    as: (member, { now = new Date(), services: overrides } = {}) =>
      appRouter.createCaller(testContext({ ...services, ...overrides }, member ?? null, now)),
  }
}

const silent = () => {}
const silentLog = {
  info: silent,
  warn: silent,
  error: silent,
  debug: silent,
  trace: silent,
  fatal: silent,
  silent,
  level: 'silent',
  child: () => silentLog,
}

function testContext(
  services: Services,
  member: (Pick<Member, 'id' | 'username'> & Partial<Member>) | null,
  now: Date,
): Context {
  return {
    ...services,
    now,
    member: member && { sessionHash: 'test', scopes: null, role: 'member', standing: 'active', ...member },
    log: silentLog as unknown as Context['log'],
    requestId: 'test',
    response: {},
    userAgent: null,
    address: '127.0.0.1',
    browserKey,
    limit: async () => {},
    recordLogin() {},
  }
}

/** Returns the counters and roll-ups that differ from a recount. */
export const findCounterFaults = (db: Db) => counters.findCounterFaults(db, features)

/** Corrects all counters and roll-ups. */
export const recountAll = (db: Db) => counters.recountAll(db, features)

function readOnly(url: string): string {
  return Object.assign(new URL(url), { search: '?options=-c%20default_transaction_read_only%3Don' }).href
}

/** Empty, or a copy of `template`. */
export function freshPostgres(url = inject('postgresUrl')!, template?: string): Promise<string> {
  return createDatabase(url, `test_${randomBytes(6).toString('hex')}`, template)
}

let count = 0

/** Verified, without a password. `others` are columns that a database of an earlier version requires. */
export async function aMember(
  db: Db,
  username = `member${++count}`,
  others: Record<string, unknown> = {},
): Promise<Member> {
  const row = await db
    .insertInto('users')
    .values({
      username,
      username_folded: username.toLowerCase(),
      search_text: fold(username),
      email: `${username}@example.org`,
      email_folded: `${username}@example.org`.toLowerCase(),
      ...others,
      verified_at: '2026-01-01T00:00:00.000Z',
      created_at: '2026-01-01T00:00:00.000Z',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id: row.id, username, sessionHash: 'test', scopes: null, role: 'member', standing: 'active' }
}

/** Waits until every change is listed: on Postgres, a write anywhere on the server may still be running. */
export async function settleChanges(db: Db): Promise<void> {
  if (isSqlite(db)) return
  const isSettled = sql<{ yes: boolean }>`select coalesce(max(xid), 0) <
    pg_snapshot_xmin(pg_current_snapshot())::text::bigint as yes from changes`
  await vi.waitUntil(async () => (await isSettled.execute(db)).rows[0]!.yes, { timeout: 60_000 })
}

/** It begins now, and does not end. Returns its token. */
export async function aSession(
  db: Db,
  { id }: { id: number },
  at = new Date().toISOString(),
): Promise<string> {
  const token = newToken()
  const times = {
    created_at: at,
    last_used_at: new Date().toISOString(),
    expires_at: '9999-01-01T00:00:00.000Z',
  }
  await db
    .insertInto('sessions')
    .values({ token_hash: hashToken(token), user_id: id, user_agent: null, ...times })
    .execute()
  return token
}

/** Returns the header. */
export async function aPageCookie(db: Db, token: string): Promise<{ cookie: string }> {
  const key = newToken()
  await setPageHash(db, hashToken(token), hashToken(key))
  // Its name depends on whether the site has https.
  return { cookie: `medley-pages=${key}; __Host-medley-pages=${key}` }
}

/** Verified, with the session `token`. */
export async function aSignedInMember(db: Db, username?: string): Promise<Member & { token: string }> {
  const member = await aMember(db, username)
  const token = await aSession(db, member)
  return { ...member, sessionHash: hashToken(token), token }
}

export async function aNetwork(
  { db, as }: Pick<TestServer, 'db' | 'as'>,
  size: number,
): Promise<[caller: Member, ...followees: Member[]]> {
  const caller = await aMember(db)
  const followees = await Promise.all(Array.from({ length: size }, () => aMember(db)))
  for (const followee of followees) await as(caller).social.follow({ userIdToFollow: followee.id })
  return [caller, ...followees]
}

/** A minute apart, the first at noon of 1 May 2026. */
export async function rate({ as }: Pick<TestServer, 'as'>, itemId: number, ratings: [Member, number][]) {
  for (const [minute, [member, rating]] of ratings.entries())
    await as(member, { now: new Date(Date.UTC(2026, 4, 1, 12, minute)) }).reviews.save({ itemId, rating })
}

export function aTitle(
  db: Db,
  kind: Kind = 'movie',
  name = `Title ${++count}`,
  id?: number,
): Promise<number> {
  return insertAnyTitle(db, { ...(id !== undefined && { id }), kind, name, ...titleColumns(name) })
}

/** In a database that has no `media.name_key` yet. */
export function anOldTitle(db: Db, kind: Kind = 'movie', name = `Title ${++count}`): Promise<number> {
  const { name_key: _, ...columns } = titleColumns(name)
  return insertAnyTitle(db, { kind, name, ...columns })
}

async function insertAnyTitle(
  db: Db,
  columns: {
    id?: number
    kind: Kind
    name: string
    name_folded: string
    name_key?: string
    search_text: string
  },
): Promise<number> {
  const row = await db
    .insertInto('media')
    .values({
      ...columns,
      details: JSON.stringify({ genres: [], creators: [], platforms: [], rating: null }),
      created_at: '2026-01-01T00:00:00.000Z',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

export async function anUpload(
  db: Db,
  {
    path = `/uploads/upload${++count}-640.webp`,
    at = new Date(),
    ownerId = null,
    bytes = 50_000,
  }: { path?: string; at?: Date; ownerId?: number | null; bytes?: number } = {},
): Promise<string> {
  await db
    .insertInto('uploads')
    .values({ path, width: 640, height: 480, bytes, owner_id: ownerId, created_at: at.toISOString() })
    .execute()
  return path
}

/** Of what the viewer may see of a member (server/members/visibility.ts). */
const lookup = /^SEARCH (blocks|follows|mutes) USING COVERING INDEX \S+ \(\w+=\?( AND \w+=\?)?\)$/
const isSubquery = (line: string | undefined) => /^(CORRELATED )?SCALAR SUBQUERY/.test(line ?? '')

/** The lines of `explain`, without the lookups of visibility. For tests of indexes. */
export async function plansOf(db: Db, work: (db: Db) => Promise<unknown>): Promise<string[]> {
  const queries: Pick<CompiledQuery, 'sql' | 'parameters'>[] = []
  const recorded = sameDatabase(db, {
    log: ({ query }) =>
      void (/^\s*(select|with|insert|update|delete)\b/i.test(query.sql) && queries.push(query)),
  })
  await work(recorded)
  const explain = isSqlite(db) ? 'explain query plan' : 'explain'
  const plans: string[] = []
  for (const { sql: text, parameters } of queries) {
    const { rows } = await db.executeQuery<{ detail?: string; 'QUERY PLAN'?: string }>(
      CompiledQuery.raw(`${explain} ${text}`, [...parameters]),
    )
    const lines = rows.map((row) => row.detail ?? row['QUERY PLAN'] ?? '')
    const isLookup = (at: number) => isSubquery(lines[at]) && lookup.test(lines[at + 1] ?? '')
    plans.push(...lines.filter((_, at) => !isLookup(at) && !isLookup(at - 1)))
  }
  return plans
}

export async function memberColumns(
  db: Db,
): Promise<(readonly [table: string & keyof Tables, column: string])[]> {
  const names = ['user_id', 'owner_id', 'created_by', 'follower_id', 'followee_id']
  return (await db.introspection.getTables()).flatMap(({ name: table, columns }) =>
    columns.filter(({ name }) => names.includes(name)).map(({ name }) => [table as 'users', name] as const),
  )
}

/** On the machine on which `referenceMs` was measured. */
const pauseMaxMs = 250
const referenceMs = 40

/**
 * As CPU time of this thread, which other processes do not affect. `maxMs` is scaled to the speed of the processor. The test’s own work
 * counts too.
 */
export function watchPauses(): { end: () => { ms: number; maxMs: number } } {
  const measured = Array.from({ length: 5 }, () => {
    const before = threadCpuMs()
    referenceWork()
    return threadCpuMs() - before
  })
  // The first runs include compiling the code.
  const factor = Math.max(1, Math.min(...measured) / referenceMs)
  let longest = 0
  let last = threadCpuMs()
  const timer = setInterval(() => {
    const now = threadCpuMs()
    longest = Math.max(longest, now - last)
    last = now
  }, 5)
  return {
    end() {
      clearInterval(timer)
      return { ms: Math.max(longest, threadCpuMs() - last), maxMs: pauseMaxMs * factor }
    },
  }
}

/** Resembles requests: JSON and text. */
function referenceWork(): void {
  let text = ''
  for (let round = 0; round < 40; round++) {
    const rows = Array.from({ length: 1_000 }, (_, id) => ({ id, text: `Number ${id} of ${round}` }))
    text = JSON.stringify(JSON.parse(JSON.stringify(rows))).replaceAll(/\d+/g, (digits) => `<${digits}>`)
  }
  if (text.length < 1_000) throw new Error('The work was optimized away.')
}

export async function mailsTo(
  db: Db,
  to: string,
  { publicUrl }: Pick<Config, 'publicUrl'> = readConfig({}),
): Promise<(MailText & { to: string })[]> {
  const rows = await db
    .selectFrom('tasks')
    .select('payload')
    .where('queue', '=', 'mail')
    .where('owner', '=', to)
    .orderBy('id')
    .execute()
  const { name: site } = await readSettings(db)
  const sender = { site, publicUrl, in: english }
  return rows.map(({ payload }) => ({ ...renderMail(JSON.parse(payload) as MailPayload, sender), to }))
}

/** As it was after the migration `name`. `close` deletes it on SQLite. Throws if a migration fails. */
export async function aDatabaseAt(
  name: string,
): Promise<{ db: Db; databaseUrl: string; dataDir: string; close: () => Promise<void> }> {
  const postgresUrl = inject('postgresUrl')
  const dataDir = mkdtempSync(join(tmpdir(), 'medley-test-'))
  const databaseUrl = postgresUrl ? await freshPostgres(postgresUrl) : ''
  const db = openDatabase({ databaseUrl, dataDir })
  const migrationFolder = join(import.meta.dirname, '../migrations')
  const provider = new FileMigrationProvider({ fs, path, migrationFolder, import: (file) => import(file) })
  const { error } = await new Migrator({ db, provider }).migrateTo(name)
  if (error) throw error
  return {
    db,
    databaseUrl,
    dataDir,
    async close() {
      await db.destroy()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
