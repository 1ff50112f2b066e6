import { afterAll, expect } from 'vitest'
import { buildApp } from '#server/app.ts'
import { noWeb } from '#server/http/pages/web.ts'
import type { WorkOptions } from '#server/imports/context.ts'
import { runDueImports } from '#server/imports/work.ts'
import type { Tables } from '#server/db/tables.ts'
import { aServer } from '#server/testing.ts'
import type { Services } from '#server/calls/context.ts'
import { type Caller, prepareCalls } from './calls.ts'
import { formWith } from './form.ts'

const log = { info() {}, warn() {}, error: (details: object) => console.error(details) }

type Upload = { name?: string; field?: string; key?: string }

export async function anImportServer(services: Partial<Services> = {}) {
  const server = await aServer({ RATE_LIMITS: 'off' })
  const app = await buildApp({ ...server.services, ...services }, { web: noWeb })
  afterAll(() => app.close())
  const { newCaller } = await prepareCalls(server)
  return { ...server, app, newCaller, send, upload, work, everything }

  async function send(
    { token }: Caller,
    file: string | Buffer,
    { name = 'export', field = 'file', key }: Upload = {},
  ) {
    const { headers, payload } = formWith(file, name, field)
    const response = await app.inject({
      method: 'POST',
      url: '/imports',
      headers: {
        authorization: `Bearer ${token}`,
        ...headers,
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      payload,
    })
    return { status: response.statusCode, body: response.json(), headers: response.headers }
  }

  async function upload(caller: Caller, file: string | Buffer, options: Upload = {}): Promise<number> {
    const { status, body } = await send(caller, file, options)
    expect(status, JSON.stringify(body)).toBe(201)
    return body.import.id
  }

  function work(options: Partial<WorkOptions> = {}) {
    const { db, services } = server
    const { features } = services
    return runDueImports({ db, features, sources: { lookups: [] }, log, paceMs: 0, ...options })
  }

  /** What members have and the catalogue, without the times of the last write. */
  async function everything(): Promise<Record<string, string[]>> {
    const tables = ['media', 'rating_counts', 'users', 'reviews', 'diary_entries', 'favorites', 'import_keys']
    const rows: Record<string, string[]> = {}
    for (const table of tables as (keyof Tables)[]) {
      const all = (await server.db.selectFrom(table).selectAll().execute()) as Record<string, unknown>[]
      rows[table] = all.map((row) => JSON.stringify({ ...row, wrote_at: null })).sort()
    }
    return rows
  }
}
