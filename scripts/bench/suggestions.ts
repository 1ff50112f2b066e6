import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { kindNames } from '#shared/media.ts'
import { searchTitles } from '#server/catalogue/store.ts'
import { starterTitles } from '#server/catalogue/starter/titles.ts'
import { fold, searchText } from '#server/db/fold.ts'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { seeded } from '#server/demo/random.ts'

const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    titles: { type: 'string', default: '100000' },
    database: { type: 'string' },
  },
})
if (values.help) {
  console.log(`npm exec -- node scripts/bench/suggestions.ts [--titles 100000] [--database postgres://…]

Fills a database of its own with made-up titles (words of the starter catalogue, known as unevenly as titles are) and
times what the search box asks while somebody types, letter by letter. On Postgres it needs an empty database.`)
  process.exit()
}

const dataDir = mkdtempSync(join(tmpdir(), 'medley-bench-'))
const db = openDatabase({ databaseUrl: values.database, dataDir })
const random = seeded(1)
const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
const words = Object.values(starterTitles).flatMap((titles) =>
  titles.flatMap((title) => title.name.split(' ')),
)
const people = Object.values(starterTitles).flatMap((titles) => titles.flatMap((title) => title.creators))

try {
  await migrate(db)
  const count = Number(values.titles)
  for (let done = 0; done < count; done += 500) {
    await db
      .insertInto('media')
      .values(
        Array.from({ length: Math.min(500, count - done) }, (_, index) => {
          const name = Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(words)).join(' ')
          return {
            kind: kindNames[index % 4]!,
            name,
            name_folded: fold(name),
            search_text: searchText(name, pick(people)),
            details: '{"genres":[],"creators":[],"platforms":[],"rating":null}',
            created_at: '2026-01-01T00:00:00.000Z',
            rating_count: Math.floor(1000 / (1 + (done + index) * random())),
          }
        }),
      )
      .execute()
  }

  const queries = new Set<string>()
  for (const title of [...starterTitles.movie, ...starterTitles.book].slice(0, 80)) {
    for (let length = 1; length <= Math.min(title.name.length, 12); length++)
      queries.add(title.name.slice(0, length))
  }
  for (const letter of 'abcdefghijklmnopqrstuvwxyz') for (const next of 'aeqxz') queries.add(letter + next)

  const rows: Record<string, string | number>[] = []
  for (const [name, kind] of [
    ['movies', 'movie'],
    ['all kinds', undefined],
  ] as const) {
    const times: { q: string; ms: number }[] = []
    for (let round = 0; round < 3; round++) {
      for (const q of queries) {
        const startedAt = performance.now()
        await searchTitles(db, { q, kind, limit: 8 })
        if (round > 0) times.push({ q, ms: performance.now() - startedAt })
      }
    }
    times.sort((a, b) => a.ms - b.ms)
    const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))]!
    rows.push({
      searched: name,
      titles: count,
      queries: queries.size,
      'median ms': at(0.5).ms.toFixed(2),
      'p99 ms': at(0.99).ms.toFixed(2),
      'worst ms': at(1).ms.toFixed(2),
      'worst query': at(1).q,
    })
  }
  console.table(rows)
} finally {
  await db.destroy()
  rmSync(dataDir, { recursive: true, force: true })
}
