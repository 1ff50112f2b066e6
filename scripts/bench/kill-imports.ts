import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { aDataFolder, startProgram } from '#scripts/testing/program.ts'
import { seeded } from '#scripts/testing/random.ts'
import { findCounterFaults } from '#server/db/counters.ts'
import { insertMany, isSqlite } from '#server/db/dialect.ts'
import { type Db, openDatabase } from '#server/db/open.ts'
import type { ImportState } from '#shared/imports.ts'
import { type KillOptions, prepareStage, type Writer } from './writers.ts'

type KillImportsResult = {
  rounds: number
  /** Imports that were matched, applied and undone. */
  imports: number
  faults: string[]
}

const titleCount = 150
const unknownCount = 250
const membersMax = 2
/** After this many kills, a step runs to its end without further ones. */
const killsPerStep = 8
/** How long a step may take without kills before the test gives up. */
const stepMaxMs = 120_000

/**
 * Crash test of imports. Two members import the same titles; the server is killed at random moments while it matches, applies
 * and undoes, and restarted. After applying, each title must have been written exactly once, after undoing not at all, and the counters must
 * equal a recount.
 */
export async function killImports({
  rounds,
  seed,
  databaseUrl,
  report = () => {},
}: KillOptions): Promise<KillImportsResult> {
  const random = seeded(seed)
  const { folder, remove } = aDataFolder()
  const env = { DATA_DIR: folder, DATABASE_URL: databaseUrl ?? '', LOG_LEVEL: 'fatal' }
  const found: KillImportsResult = { rounds: 0, imports: 0, faults: [] }
  let server = await startProgram(env)
  const db = openDatabase({ databaseUrl, dataDir: folder })
  try {
    await insertTitles(db)
    const { writers: members } = await prepareStage(db, membersMax)
    while (found.rounds < rounds) {
      const ids = await Promise.all(members.map((member) => upload(server.url, member)))
      for (const [action, state] of [
        [undefined, 'ready'],
        ['apply', 'done'],
        ['undo', 'undone'],
      ] as const) {
        if (action)
          for (const [at, id] of ids.entries())
            await send(server.url, members[at]!, 'POST', `/imports/${id}/${action}`)
        await killUntil(ids, state)
        await check(ids, state)
      }
      for (const [at, id] of ids.entries()) await send(server.url, members[at]!, 'DELETE', `/imports/${id}`)
      found.imports += ids.length
      report(`${found.rounds} kills, ${found.imports} imports, ${found.faults.length} faults`)
    }
    return found
  } finally {
    await db.destroy()
    await server.end('SIGKILL')
    remove()
  }

  /** Kills and restarts the server until all imports have reached a state. */
  async function killUntil(ids: readonly number[], state: ImportState): Promise<void> {
    const last = Math.min(rounds, found.rounds + killsPerStep)
    let until = performance.now() + stepMaxMs
    const isReached = async () => {
      const rows = await db.selectFrom('imports').select('state').where('id', 'in', ids).execute()
      return rows.every((row) => row.state === state)
    }
    while (!(await isReached())) {
      if (performance.now() > until) throw new Error(`The imports did not become ${state}.`)
      await wait(20 + Math.floor(random() * 400))
      if (found.rounds >= last || (await isReached())) continue
      await server.end('SIGKILL')
      found.rounds++
      server = await startProgram(env)
      until = performance.now() + stepMaxMs
    }
  }

  async function check(ids: readonly number[], state: ImportState): Promise<void> {
    const expected = state === 'done' ? titleCount : 0
    for (const id of ids) {
      const { user_id } = await db
        .selectFrom('imports')
        .select('user_id')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      const count = async (table: 'reviews' | 'diary_entries' | 'import_changes') => {
        const column = table === 'import_changes' ? 'import_id' : 'user_id'
        const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}
          where ${sql.ref(column)} = ${table === 'import_changes' ? id : user_id}`.execute(db)
        return Number(rows[0]!.count)
      }
      const counts = [await count('reviews'), await count('diary_entries'), await count('import_changes')]
      const expectedCounts = [expected, expected, 2 * expected]
      if (String(counts) !== String(expectedCounts))
        found.faults.push(`import ${id}, ${state}: ${counts} reviews, entries and changes`)
      const lines = await db
        .selectFrom('import_lines')
        .select('id')
        .where('import_id', '=', id)
        .where('title_id', 'is not', null)
        .execute()
      const titles = await db.selectFrom('import_titles').select('id').where('import_id', '=', id).execute()
      if (lines.length !== titleCount + unknownCount || titles.length !== lines.length)
        found.faults.push(`import ${id}, ${state}: ${lines.length} lines, ${titles.length} titles`)
    }
    for (const fault of await findCounterFaults(db)) found.faults.push(JSON.stringify(fault))
    if (isSqlite(db)) {
      const { rows } = await sql<{ table: string }>`pragma foreign_key_check`.execute(db)
      found.faults.push(...rows.map(({ table }) => `${table}: violates a foreign key`))
    }
  }
}

const yearOf = (at: number) => 1900 + (at % 100)

async function insertTitles(db: Db): Promise<void> {
  const rows = Array.from({ length: titleCount }, (_, at) => ({
    kind: 'movie',
    name: `Known Film ${at}`,
    name_folded: `known film ${at}`,
    search_text: `known film ${at}`,
    release_year: yearOf(at),
    details: JSON.stringify({ genres: [], creators: [], platforms: [], rating: null }),
    created_at: new Date().toISOString(),
  }))
  await insertMany(db, 'media', rows)
}

async function upload(url: string, member: Writer): Promise<number> {
  const line = (name: string, at: number) => `${name} ${at},${yearOf(at)},${1 + (at % 5)},2021-05-04`
  const lines = [
    'Title,Year,Rating,Date',
    ...Array.from({ length: titleCount }, (_, at) => line('Known Film', at)),
    ...Array.from({ length: unknownCount }, (_, at) => line('Nobody Knows', at)),
  ]
  const body = new FormData()
  body.set('file', new Blob([lines.join('\n')]), 'films.csv')
  const response = await send(url, member, 'POST', '/imports', body)
  return ((await response.json()) as { import: { id: number } }).import.id
}

async function send(
  url: string,
  { token }: Writer,
  method: string,
  path: string,
  body: FormData | null = null,
): Promise<Response> {
  const response = await fetch(`${url}${path}`, {
    method,
    body,
    headers: { authorization: `Bearer ${token}` },
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response
}
