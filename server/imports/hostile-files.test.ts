import { features } from '#server/router.ts'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { useChildReader } from '#scripts/testing/doubles/children.ts'
import { blockedMs, isBlockedTooLong, leaveUnwatched } from '#scripts/testing/event-loop.ts'
import { formWith } from '#scripts/testing/form.ts'
import { childrenOf, bytesIfRunning } from '#scripts/testing/processes.ts'
import { seeded } from '#scripts/testing/random.ts'
import { findCostly, repeatTo } from '#scripts/testing/worst-input.ts'
import { zipOf } from '#scripts/testing/zip.ts'
import { buildApp } from '#server/app.ts'
import { messages } from '#shared/texts/messages.ts'
import { noWeb } from '#server/http/pages/web.ts'
import { aServer, aSignedInMember } from '#server/testing.ts'
import { readFileLines } from './read/file.ts'
import { runDueImports } from './work.ts'

// These tests measure each call themselves.
beforeEach(leaveUnwatched)

// A longer search, with larger files: SEARCH_ROUNDS=5000 SHOW_FIGURES=1 npm test -- --project sqlite server/imports/hostile-files
const rounds = Number(process.env['SEARCH_ROUNDS'] ?? 25)
const searchedBytes = rounds > 1_000 ? 32 * 1024 : 4 * 1024
const sentBytes = (rounds > 1_000 ? 31 : 2) * 1024 * 1024

/**
 * The longest that a file may hold the event loop of the server: five milliseconds, four of a tick in which Linux counts CPU time, and
 * what garbage collection adds on a busy machine. Read in the server itself, the same files hold it for 50 to 130.
 */
const sliceMaxMs = 20
/** The same for the work that follows, which ends with a transaction. */
const stepMaxMs = sliceMaxMs + 6
/** Of a child that reads a file. Two read at a time, and stay below what decoders of pictures may take. */
const childBytesMax = 200_000_000

await useChildReader()
const server = await aServer({ RATE_LIMITS: 'off' })
// How long SQLite takes to copy its log into the database depends on the disk, and not on what a file contains.
await server.db.transaction().execute((trx) => sql`pragma wal_autocheckpoint = 0`.execute(trx))
const app = await buildApp(server.services, { web: noWeb })
await app.listen({ port: 0, host: '127.0.0.1' })
const folder = mkdtempSync(join(tmpdir(), 'medley-hostile-'))
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})
const { port } = app.server.address() as AddressInfo
const writers = await Promise.all(Array.from({ length: 60 }, () => aSignedInMember(server.db)))
let members = 0
let said: string | undefined

/** Uploads a file as a new member, in parts as a network delivers them. Returns the status. */
async function upload(file: Buffer): Promise<number> {
  const { headers, payload: body } = formWith(file, 'file')
  const sending = request({
    port,
    method: 'POST',
    path: '/imports',
    headers: {
      authorization: `Bearer ${writers[members++ % writers.length]!.token}`,
      ...headers,
      'content-length': body.length,
    },
  })
  const answered = once(sending, 'response')
  const parts = function* () {
    for (let at = 0; at < body.length; at += 65_536) yield body.subarray(at, at + 65_536)
  }
  await pipeline(Readable.from(parts()), sending)
  const [response] = await answered
  said = (JSON.parse(await text(response)) as { message?: string }).message
  return response.statusCode
}

/** The CPU time of reading a file in this process. A file that is refused has taken it too. */
async function readingMs(file: Buffer): Promise<number> {
  const path = join(folder, 'file')
  writeFileSync(path, file)
  const startedAt = performance.now()
  try {
    for await (const _ of readFileLines({ path, bytes: file.length }));
  } catch {}
  return performance.now() - startedAt
}

type Parser = { seeds: string[]; tokens: string[]; fileOf: (content: Buffer) => Buffer }

const csvTokens = [
  ',',
  ';',
  '\t',
  '"',
  '""',
  '"\n',
  '",',
  '\n',
  '\r\n',
  ' ',
  '\\',
  '\0',
  'a',
  'é',
  '\u0301',
  '<b>',
]
const csvSeeds = [
  '\n',
  ',',
  `${','.repeat(9_000)}\n`,
  '"',
  '"a\n',
  'b"',
  'b" ',
  '"a"b,',
  ' ',
  'a,1\n',
  '\0',
  '=',
  '\u0301',
]
const csvFile =
  (name: string, head: string): Parser['fileOf'] =>
  (content) =>
    zipOf({ [name]: Buffer.concat([Buffer.from(head), content]) })
const jsonTokens = [
  '[',
  ']',
  '{',
  '}',
  ',',
  ':',
  '"',
  '\\',
  '\\u0000',
  '1',
  'null',
  '{"a":',
  '"a"',
  ' ',
  '\n',
  'é',
]
const jsonSeeds = [
  '1,',
  '[],',
  '{},',
  '"",',
  '"\\u0000",',
  '[',
  '{"a":',
  ' ',
  '\\',
  '"',
  '1',
  `${'['.repeat(999)}${']'.repeat(999)},`,
]

const parsers: Record<string, Parser> = {
  'any CSV': { seeds: csvSeeds, tokens: csvTokens, fileOf: csvFile('films.csv', 'Title,Year\na,1\n') },
  'CSV of 100 columns': {
    seeds: [`a${',b'.repeat(99)}\n`, ...csvSeeds],
    tokens: csvTokens,
    fileOf: csvFile('films.csv', `Title${',Notes'.repeat(99)}\na${',b'.repeat(99)}\n`),
  },
  'lists and films of Letterboxd': {
    seeds: ['2020-01-01,A,1999,https://boxd.it/a\n', ...csvSeeds],
    tokens: csvTokens,
    fileOf: (content) =>
      zipOf({
        'ratings.csv': Buffer.concat([Buffer.from('Date,Name,Year,Letterboxd URI\n,a,1,b\n'), content]),
        'lists/a.csv': Buffer.concat([Buffer.from('Name,URL\na,b\n'), content]),
      }),
  },
  'CSV of Yamtrack': {
    seeds: ['"1","tmdb","movie","A","5.0","Completed"\n', ...csvSeeds],
    tokens: csvTokens,
    fileOf: csvFile('yamtrack.csv', 'media_id,source,media_type,title,score,status\n1,tmdb,movie,a,1,b\n'),
  },
  'JSON of Trakt': {
    seeds: ['{"rating":7,"movie":{"title":"A","year":1,"ids":{"trakt":1}}},', ...jsonSeeds],
    tokens: jsonTokens,
    fileOf: csvFile('ratings-movies.json', '[{"rating":7,"movie":{"title":"A","ids":{"trakt":1}}},'),
  },
  'JSON of Simkl': {
    seeds: [
      '{"user_rating":7,"movie":{"title":"A","ids":{"simkl":1}}},',
      '{"show":{"ids":{"simkl":1}},"seasons":[{"episodes":[{"watched_at":"2024"}]}]},',
      ...jsonSeeds,
    ],
    tokens: [...jsonTokens, '],"shows":['],
    fileOf: csvFile('SimklBackup.json', '{"movies":[{"movie":{"title":"A","ids":{"simkl":1}}},'),
  },
  'JSON of LibraryThing': {
    seeds: ['"7":{"books_id":"7","title":"A","isbn":{"0":"1"},"authors":[{"lf":"A, B"}]},', ...jsonSeeds],
    tokens: [...jsonTokens, ',"8":{"isbn":['],
    // A zip of LibraryThing is not known.
    fileOf: (content) => Buffer.concat([Buffer.from('{"7":{"books_id":"7","title":"A"},'), content]),
  },
  'JSON of Backloggd': {
    seeds: [
      '{"title":"A","log":{"status":"played"},"playthroughs":[{"rating":7},{},{}]},',
      `{"title":"A","playthroughs":[${'{},'.repeat(300)}{}]},`,
      ...jsonSeeds,
    ],
    tokens: [...jsonTokens, '"playthroughs":['],
    fileOf: (content) =>
      Buffer.concat([Buffer.from('{"format":"backloggd-transfer","entries":[{"title":"A"},'), content]),
  },
  'JSON of Medley': {
    seeds: ['{"ref":1,"kind":"movie","name":"A","creators":[],"ids":[]},', ...jsonSeeds],
    tokens: [...jsonTokens, '],"reviews":[', '],"titles":['],
    fileOf: csvFile('medley.json', '{"format":"medley","version":1,"reviews":[{"title":1}],"titles":['),
  },
  'XML of MyAnimeList': {
    seeds: ['<anime><series_title>A</series_title></anime>', '<a>', '<a/>', '&amp;', '<![CDATA[', ' ', 'a'],
    tokens: [
      '<',
      '>',
      '</anime>',
      '<anime>',
      '&#1',
      ';',
      '<![CDATA[',
      ']]>',
      '<!--',
      '-->',
      ' a="',
      '"',
      '<?',
      'é',
    ],
    fileOf: csvFile('animelist.xml', '<myanimelist><anime><series_title>A</series_title></anime>'),
  },
  'NDJSON of NeoDB': {
    seeds: ['{"type":"Rating","content":{"withRegardTo":"a","value":1}}\n', '\n', '1\n', ...jsonSeeds],
    tokens: jsonTokens,
    fileOf: (content) =>
      zipOf({
        'catalog.ndjson': content,
        'journal.ndjson': Buffer.concat([Buffer.from('{}\n{"type":"Rating"}\n'), content]),
      }),
  },
}

/** Their cost is in the container. */
const archives: Record<string, () => Buffer> = {
  'a gzip of zeros': () => gzipSync(Buffer.alloc(128 * 1024 * 1024)),
  'a gzip of many parts': () =>
    Buffer.concat([gzipSync('<myanimelist>'), Buffer.alloc(2 * 1024 * 1024, gzipSync(''))]),
  'a zip of as many files as allowed': () =>
    zipOf(Object.fromEntries(Array.from({ length: 1_990 }, (_, at) => [`${at}/lists/a.csv`, 'Title\na\n']))),
  'a zip of files that share their content': () =>
    zipOf({ 'a.csv': 'Letterboxd URI,Name\nx,y\n', 'lists/b.csv': repeatTo('\n', 400_000) }, { copies: 300 }),
  'a zip of one file of zeros': () => zipOf({ 'ratings.csv': Buffer.alloc(31 * 1024 * 1024) }),
  'a zip of long names': () =>
    zipOf(
      Object.fromEntries(
        Array.from({ length: 400 }, (_, at) => [`${'a/'.repeat(9_000)}${at}.csv`, 'Title\na']),
      ),
    ),
}

/** Uploads a file. Returns what suffers from it. */
async function harmOf(name: string, file: Buffer): Promise<string[]> {
  let status = 0
  let childBytes = 0
  const importIt = async () => {
    const watching = setInterval(() => {
      if (process.platform !== 'linux') return
      childBytes = Math.max(childBytes, ...childrenOf(process.pid).map(bytesIfRunning))
    }, 10)
    status = await upload(file)
    clearInterval(watching)
  }
  const ms = await blockedMs(importIt)
  if (process.env['SHOW_FIGURES'])
    process.stdout.write(
      `${name}: ${file.length} bytes, ${status}, ${ms.toFixed(1)} ms, ${Math.round(childBytes / 1e6)} MB\n`,
    )
  const harm: string[] = []
  if (![201, 400, 413].includes(status)) harm.push(`${name}: ${status}`)
  if (childBytes >= childBytesMax) harm.push(`${name}: ${childBytes} bytes`)
  if (await isBlockedTooLong(ms, importIt, sliceMaxMs)) harm.push(`${name}: ${ms} ms`)
  return harm
}

/** Nothing that one test has uploaded is left to the next. */
afterEach(async () => {
  await server.db.deleteFrom('import_lines').execute()
  await server.db.deleteFrom('imports').execute()
})

describe('no file holds the event loop or takes much memory, the costliest that a search finds included:', () => {
  test.each(Object.entries(parsers))('%s', async (name, { seeds, tokens, fileOf }) => {
    const costly = await findCostly({
      seeds,
      tokens,
      bytesMax: searchedBytes,
      rounds,
      random: seeded(20_260_504),
      costOf: (content) => readingMs(fileOf(content)),
    })
    const { input, cost } = costly[0]!
    const harm = await harmOf(
      `${name}, ${cost.toFixed(1)} ms: ${JSON.stringify(input.toString('latin1', 0, 60))}`,
      fileOf(repeatTo(input, sentBytes)),
    )
    expect(harm).toEqual([])
  })

  test.each(Object.entries(archives))('%s', async (name, make) => {
    expect(await harmOf(name, make())).toEqual([])
  })
})

const manyOf = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join('')
const million = (line: string, head = '', tail = '') =>
  Buffer.concat([Buffer.from(head), Buffer.alloc(1_000_000 * line.length, line), Buffer.from(tail)])

const millions: Record<string, () => Buffer> = {
  'CSV of Yamtrack': () => million('1,tmdb,movie,a,7\n', 'media_id,source,media_type,title,score\n'),
  'CSV of Simkl': () => million('1,A,movie,7\n', 'SIMKL_ID,Title,Type,Rating\n'),
  'JSON of Simkl': () => million('{"movie":{}},', '{"movies":[{"movie":{"ids":{"simkl":1}}},', '{}]}'),
  'text of LibraryThing': () => million('1\tA\tB\t4\n', 'Book Id\tTitle\tPrimary Author\tRating\n'),
  'JSON of LibraryThing': () =>
    million('"7":{"title":"A"},', '{"7":{"books_id":"7","title":"A"},', '"8":{}}'),
  'CSV of Calibre': () => million('A,"B, C",u,4\n', 'title,author_sort,uuid,rating\n'),
  'XML of MyAnimeList': () => million('<anime></anime>', '<myanimelist>', '</myanimelist>'),
  'a gzip of MyAnimeList': () =>
    gzipSync(
      `<myanimelist>${manyOf(1_000_000, (at) => `<anime>${(at * 7_919) % 10_007}</anime>`)}</myanimelist>`,
    ),
  'CSV of Serializd': () => million('7,1,0\n', 'showId,rating,isRewatch\n'),
  'CSV of Backloggd': () => million('A,4,x,y\n', 'Title,Rating,Status,Backlog\n'),
  'JSON of Backloggd': () => million('{"title":"A"},', '{"format":"backloggd-transfer","entries":[', '{}]}'),
}

test.each(Object.entries(millions))('a million lines, refused in words: %s', async (name, make) => {
  expect(await harmOf(name, make())).toEqual([])
  expect([messages.importTooManyLines, messages.importTooComplex]).toContain(said)
})

const goodreads = 'Book Id,Title,Author,Exclusive Shelf,Read Count,My Review,Private Notes\n'

/** Files whose lines are expensive to interpret, join or store. */
const lines: Record<string, () => string> = {
  'reviews of tags': () =>
    goodreads + manyOf(50, (at) => `${at},Book ${at},A,read,1,"${'<p>a'.repeat(6_000)}",\n`),
  'reviews of combining marks': () =>
    goodreads +
    manyOf(50, (at) => `${at},Book ${at},A,read,1,${`a${'\u0301\u0323'.repeat(15)}`.repeat(700)},\n`),
  'names that become eighteen times as long': () =>
    'Title,Year,Authors\n' +
    manyOf(200, (at) => `${'\ufdfa'.repeat(200)}${at},1999,${'\ufdfa'.repeat(90)}\n`),
  'fields of 64 KB': () =>
    'Title,Year,Review\n' + manyOf(50, (at) => `Film ${at},1999,"${'wört '.repeat(12_800)}"\n`),
  'one book that was read fifty times in each line': () =>
    goodreads + manyOf(2_000, (at) => `${at},Book,A,read,50,,"note ${at}"\n`),
  'comments of MyAnimeList': () =>
    `<myanimelist>${manyOf(50, (at) => `<anime><series_title>${'&#65018;'.repeat(200)}${at}</series_title><my_score>7</my_score><my_comments><![CDATA[${'<p>a'.repeat(6_000)}]]></my_comments></anime>`)}</myanimelist>`,
  'memos of Simkl': () =>
    `{"movies":[${manyOf(50, (at) => `{"user_rating":7,"memo":{"text":${JSON.stringify('wört\u0301 '.repeat(4_000))}},"movie":{"title":"Film ${at}","ids":{"simkl":${at}}}},`)}{"movie":{"title":"A","ids":{"simkl":1}}}]}`,
  'authors and ISBNs of LibraryThing': () =>
    `{${manyOf(200, (at) => `"${at}":{"books_id":"${at}","title":"Book ${at}","rating":3.5,"authors":[${'{"lf":"A, B"},'.repeat(300)}{}],"isbn":{${manyOf(300, (n) => `"${n}":"978000000${n}",`)}"x":"1"}},`)}"x":{"books_id":"x"}}`,
  'reviews of Backloggd': () =>
    `{"format":"backloggd-transfer","entries":[${manyOf(10, (at) => `{"title":"Game ${at}","playthroughs":[${`{"rating":7,"review":${JSON.stringify('<p>a'.repeat(1_000))}},`.repeat(20)}{}]},`)}{}]}`,
  'episodes of one show in TV Time': () =>
    'key,s_id,series_name,season_number,episode_number,created_at,rewatch_count\n' +
    manyOf(
      20_000,
      (at) => `watch-episode-${at},7,Show,${at >> 8},${at & 255},2021-05-04 10:00:00,${at % 3}\n`,
    ),
  'episodes of one item in Simkl': () =>
    `{"shows":[{"status":"watching","show":{"title":"A","ids":{"simkl":1}},"seasons":[{"number":1,"episodes":[${manyOf(20_000, (at) => `{"number":${at},"watched_at":"2021-05-04"},`)}{}]}]}]}`,
  'one title with a text in each line': () =>
    'Title,Year,Date,Review\n' +
    manyOf(2_000, (at) => `Film,1999,2021-05-04,"${'words '.repeat(300)}${at}"\n`),
}

test.each(Object.entries(lines))('no line holds the event loop later: %s', async (name, make) => {
  const file = Buffer.from(make())
  const log = { info() {}, warn() {}, error: (details: object) => console.error(details) }
  const importIt = async () => {
    expect(await upload(file)).toBe(201)
    await runDueImports({ db: server.db, features, sources: { lookups: [] }, log, paceMs: 0 })
  }
  const ms = await blockedMs(importIt)
  if (process.env['SHOW_FIGURES']) process.stdout.write(`${name}: ${ms.toFixed(1)} ms\n`)
  expect(await isBlockedTooLong(ms, importIt, stepMaxMs), `${ms} ms`).toBe(false)
})
