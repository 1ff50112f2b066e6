import { afterAll, expect } from 'vitest'
import { buildApp } from '#server/app.ts'
import { noWeb } from '#server/http/pages/web.ts'
import type { WorkOptions } from '#server/imports/step.ts'
import { runDueImports } from '#server/imports/work.ts'
import { aServer } from '#server/testing.ts'
import { type Caller, prepareCalls } from './calls.ts'
import { formWith } from './form.ts'

const log = { info() {}, warn() {}, error: (details: object) => console.error(details) }

/** Starts a server without external sources for the tests of a file, which upload files to import. */
export async function anImportServer() {
  const server = await aServer({ RATE_LIMITS: 'off' })
  const app = await buildApp(server.services, { web: noWeb })
  afterAll(() => app.close())
  const { newCaller } = await prepareCalls(server)
  return { ...server, app, newCaller, upload, work }

  /** Uploads a file. Returns the id of the import. */
  async function upload({ token }: Caller, file: string | Buffer): Promise<number> {
    const { headers, payload } = formWith(file, 'export')
    const response = await app.inject({
      method: 'POST',
      url: '/imports',
      headers: { authorization: `Bearer ${token}`, ...headers },
      payload,
    })
    expect(response.statusCode, response.body).toBe(201)
    return response.json().import.id
  }

  /** Works on imports until none is due. */
  function work(options: Partial<WorkOptions> = {}) {
    return runDueImports({ db: server.db, sources: { lookups: [] }, log, paceMs: 0, ...options })
  }
}
