import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { inflateRawSync } from 'node:zlib'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { someEpisodes } from '#scripts/testing/episodes.ts'
import { withoutWatch } from '#scripts/testing/event-loop.ts'
import { type ExportFile, exportFile } from '#shared/contracts/export.ts'
import { kindNames } from '#shared/domain/kinds.ts'
import { messages } from '#shared/texts/messages.ts'
import { exportFormat, exportServices, losses } from '#shared/domain/export-formats.ts'
import { byFlag } from '#shared/domain/review-flags.ts'
import { checkResponses } from '#scripts/testing/conformance.ts'
import { bufferedBytes } from '#scripts/testing/processes.ts'
import { seeded } from '#scripts/testing/random.ts'
import { buildApp } from '#server/app.ts'
import { insertMany } from '#server/db/dialect.ts'
import { noWeb } from '#server/http/pages/web.ts'
import { aSession, aMember, aServer, aTitle, plansOf } from '#server/testing.ts'
import type { Member } from '#server/calls/context.ts'
import { csvLine, guarded, unguarded } from '#server/export/csv-line.ts'
import { openExports } from '#server/export/files.ts'

const server = await aServer({ RATE_LIMITS: 'off' })
const { db } = server
const exports = openExports(server.services.features)
const app = await buildApp(server.services, { web: noWeb })
const time = '2026-01-02T03:04:05.678Z'
const updated = '2026-01-03T03:04:05.678Z'
const rated = '2026-01-04T03:04:05.678Z'

beforeAll(() => checkResponses(app))
afterAll(() => app.close())

const aToken = (member: Member) => aSession(db, member)

const download = async (member: Member, format?: string, method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({
    method,
    url: `/export${format ? `?format=${format}` : ''}`,
    headers: { authorization: `Bearer ${await aToken(member)}` },
  })
const downloadJson = async (member: Member) => (await download(member, 'json')).json<ExportFile>()

/** Returns the files of a zip by name. */
function unzip(zip: Buffer): Map<string, string> {
  const files = new Map<string, string>()
  const end = zip.lastIndexOf('PK\x05\x06')
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [size, nameLength, extraLength, offset] = [
      zip.readUInt32LE(at + 20),
      zip.readUInt16LE(at + 28),
      zip.readUInt16LE(at + 30),
      zip.readUInt32LE(at + 42),
    ]
    const start = offset + 30 + zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28)
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength)
    files.set(name, inflateRawSync(zip.subarray(start, start + size)).toString())
    at += 46 + nameLength + extraLength
  }
  return files
}

/** Reads CSV as RFC 4180 defines it. */
function readCsv(text: string): string[][] {
  const cell = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/y
  const rows: string[][] = [[]]
  let end = 0
  for (let match = cell.exec(text); match; match = cell.exec(text)) {
    const value = match[1]!
    rows.at(-1)!.push(value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value)
    if (match[2] === '\r\n') rows.push([])
    end = cell.lastIndex
  }
  expect(end, 'the whole file is CSV').toBe(text.length)
  return rows.slice(0, -1)
}

/** Reads CSV with a header into objects. */
function readSheet(text: string): Record<string, string>[] {
  const [head, ...rows] = readCsv(text)
  for (const row of rows) expect(row).toHaveLength(head!.length)
  return rows.map((row) => Object.fromEntries(head!.map((name, at) => [name, row[at]!])))
}

const review = (user: Member, mediaId: number, more: object = {}) => ({
  media_id: mediaId,
  kind: 'movie',
  user_id: user.id,
  rating: 40,
  text: '',
  has_spoilers: 0,
  rating_given: null,
  created_at: time,
  updated_at: time,
  rated_at: time,
  ...more,
})
const entry = (user: Member, mediaId: number, more: object = {}) => ({
  user_id: user.id,
  media_id: mediaId,
  kind: 'movie',
  status: 'finished',
  started_on: null,
  finished_on: null,
  is_again: 0,
  rating_given: null,
  text: '',
  origin: null,
  created_at: time,
  updated_at: time,
  ...more,
})

describe('the export of a member', async () => {
  const [member, friend] = [await aMember(db), await aMember(db, 'Zoë')]
  const film = await aTitle(db, 'movie', '=HYPERLINK("https://evil.example")')
  const book = await aTitle(db, 'book', 'A Book, and “more”')
  const [commented, liked] = [await aTitle(db, 'game'), await aTitle(db, 'game')]
  const favorite = await aTitle(db, 'tvShow', "'71")
  await db
    .updateTable('media')
    .set({ source: 'tmdb', release_year: 1999 })
    .where('id', '=', favorite)
    .execute()
  await insertMany(db, 'external_ids', [{ source: 'tmdb-tv', external_id: '71', media_id: favorite }])
  await insertMany(db, 'reviews', [
    review(member, film, {
      rating_given: '9/10',
      text: '-1 & <3, "fine"\nsecond line',
      has_spoilers: 1,
      updated_at: updated,
      rated_at: rated,
    }),
    review(friend, commented, { kind: 'game', text: 'Good.' }),
    review(friend, liked, { kind: 'game' }),
  ])
  const reviewOfFriend = async (mediaId: number) => {
    const { id } = await db
      .selectFrom('reviews')
      .select('id')
      .where('user_id', '=', friend.id)
      .where('media_id', '=', mediaId)
      .executeTakeFirstOrThrow()
    return id
  }
  await insertMany(db, 'diary_entries', [
    entry(member, book, { kind: 'book', status: 'want' }),
    entry(member, film, {
      finished_on: '2025-12',
      is_again: 1,
      origin: 'letterboxd:entry:x',
      text: '@private',
      updated_at: updated,
    }),
    entry(friend, film),
  ])
  for (const { user_id, id: entry_id } of await db
    .selectFrom('diary_entries')
    .select(['id', 'user_id'])
    .where('media_id', '=', film)
    .where('user_id', 'in', [member.id, friend.id])
    .execute())
    await insertMany(db, 'steps', [
      {
        user_id,
        entry_id,
        unit: 'hours',
        hundredths: 1_225,
        day: '2025-12-01',
        text: '=note',
        created_at: time,
      },
    ])
  await insertMany(db, 'favorites', [
    { user_id: member.id, media_id: favorite, kind: 'tvShow', created_at: time },
    { user_id: friend.id, media_id: film, kind: 'movie', created_at: time },
  ])
  await insertMany(db, 'follows', [
    { follower_id: member.id, followee_id: friend.id, created_at: time },
    { follower_id: friend.id, followee_id: member.id, created_at: time },
  ])
  const reacted = { review_id: await reviewOfFriend(liked) }
  await insertMany(db, 'reactions', [
    { ...reacted, user_id: member.id, reaction: 'like' },
    { ...reacted, user_id: friend.id, reaction: 'dislike' },
  ])
  const comment = { review_id: await reviewOfFriend(commented), has_spoilers: 1, created_at: time }
  await insertMany(db, 'comments', [
    { ...comment, user_id: member.id, text: '+1' },
    { ...comment, user_id: friend.id, text: 'Thanks.' },
  ])
  const { id: importId } = await db
    .insertInto('imports')
    .values({
      user_id: member.id,
      service: 'letterboxd',
      file_name: 'letterboxd.zip',
      file_hash: 'x',
      options: '{}',
      facts: '{}',
      state: 'done',
      created_at: time,
      updated_at: time,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const line = { import_id: importId, title_id: null, file: 'lists/a.csv', note: null }
  await insertMany(db, 'import_lines', [
    { ...line, line: 3, raw: '{"Name":"Ark"}', state: 'notKept' },
    { ...line, line: 4, raw: '{"Name":"Bell"}', state: null },
  ])

  test('contains everything that the member keeps, and nothing of others', async () => {
    const response = await download(member, 'json')
    expect(response.headers).toMatchObject({
      'content-disposition': expect.stringMatching(/^attachment; filename="medley-\d{4}-\d\d-\d\d\.json"$/),
      'cache-control': 'no-store',
    })
    const { exportedAt, ...file } = response.json<ExportFile>()
    expect(new Date(exportedAt).toISOString()).toBe(exportedAt)
    const titles = [
      { ref: film, kind: 'movie', name: '=HYPERLINK("https://evil.example")', createdHere: true },
      { ref: book, kind: 'book', name: 'A Book, and “more”', createdHere: true },
      { ref: commented, kind: 'game', name: expect.any(String), createdHere: true },
      { ref: liked, kind: 'game', name: expect.any(String), createdHere: true },
    ].map((title) => ({ year: null, creators: [], ids: [], ...title }))
    const tvShow = { ref: favorite, kind: 'tvShow', name: "'71", year: 1999, creators: [] }
    const blank = {
      isAgain: false,
      pass: null,
      ratingGiven: null,
      text: '',
      origin: null,
      startedOn: null,
      finishedOn: null,
    }
    const times = { createdAt: time, updatedAt: time }
    const lists = Object.entries(exportFile.shape).filter(([, schema]) => schema.type === 'array')
    expect(file).toEqual({
      ...Object.fromEntries(lists.map(([name]) => [name, []])),
      format: 'medley',
      version: 1,
      instance: server.config.publicUrl,
      member: {
        username: member.username,
        createdAt: '2026-01-01T00:00:00.000Z',
        bio: '',
        halfStars: false,
        languageSettings: { language: null, titles: 'local' },
        watchSettings: { country: null, subscriptions: [] },
      },
      titles: [...titles, { ...tvShow, ids: [{ source: 'tmdb-tv', id: '71' }] }],
      reviews: [
        {
          title: film,
          rating: 4,
          ratingGiven: '9/10',
          text: '-1 & <3, "fine"\nsecond line',
          ...byFlag(() => false),
          hasSpoilers: true,
          safeUpTo: null,
          createdAt: time,
          updatedAt: updated,
          ratedAt: rated,
        },
      ],
      diary: [
        {
          ref: expect.any(Number),
          ...blank,
          ...times,
          title: film,
          status: 'finished',
          finishedOn: '2025-12',
          isAgain: true,
          text: '@private',
          origin: 'letterboxd:entry:x',
          updatedAt: updated,
        },
        { ref: expect.any(Number), ...blank, ...times, title: book, status: 'want' },
      ],
      partReviews: [],
      steps: [
        {
          title: film,
          entry: expect.any(Number),
          unit: 'hours',
          value: 12.25,
          on: '2025-12-01',
          text: '=note',
          createdAt: time,
        },
      ],
      favorites: [{ title: favorite, createdAt: time, place: 0 }],
      following: [{ username: 'Zoë', id: friend.id, createdAt: time }],
      reactions: [{ title: liked, author: 'Zoë', reaction: 'like' }],
      comments: [
        { title: commented, author: 'Zoë', text: '+1', hasSpoilers: true, safeUpTo: null, createdAt: time },
      ],
      imports: [
        {
          service: 'letterboxd',
          fileName: 'letterboxd.zip',
          createdAt: time,
          appliedAt: null,
          lines: [{ file: 'lists/a.csv', line: 3, raw: { Name: 'Ark' } }],
        },
      ],
    })
    expect(response.body).not.toContain('@example.org')
  })

  test('conforms to the published JSON Schema, and the schema to the export', async () => {
    const schema = await app.inject('/docs/export-1.schema.json')
    const ajv = new Ajv2020({ strict: false })
    addFormats.default(ajv)
    const validate = await withoutWatch(() => ajv.compile(schema.json()))
    for (const one of [member, friend, await aMember(db)]) {
      const file = await downloadJson(one)
      await withoutWatch(() => {
        expect(validate(file), ajv.errorsText(validate.errors)).toBe(true)
        expect(exportFile.parse(file)).toEqual(file)
      })
    }
    expect((await app.inject('/docs/export')).body).toBe(exports.readme)
  })

  test('is a zip with the same as CSV, which no spreadsheet runs as a formula', async () => {
    const response = await download(member)
    expect(response.headers['content-type']).toBe('application/zip')
    const files = unzip(response.rawPayload)
    expect([...files.keys()]).toEqual(Object.keys(exports.files))
    expect(exportFile.parse(JSON.parse(files.get('medley.json')!)).diary).toHaveLength(2)
    const sheets = [
      'ratings.csv',
      'diary.csv',
      'progress.csv',
      'favorites.csv',
      'following.csv',
      'comments.csv',
    ]
    for (const name of sheets) {
      expect(files.get(name)).toMatch(/^\ufeff\S/)
      for (const cell of readCsv(files.get(name)!.slice(1)).flat()) expect(cell).not.toMatch(/^[=+\-@\t\r]/)
    }
    const sheet = (name: string) => readSheet(files.get(name)!.slice(1))
    expect(sheet('ratings.csv')).toEqual([
      expect.objectContaining({
        Title: `'=HYPERLINK("https://evil.example")`,
        Review: `'-1 & <3, "fine"\nsecond line`,
        Rating: '4',
        'Rating given': '9/10',
        Spoilers: 'yes',
        'Created at': time,
        'Updated at': updated,
        'Rated at': rated,
      }),
    ])
    expect(sheet('diary.csv').map((row) => [row.Status, row['Finished on'], row.Note])).toEqual([
      ['finished', '2025-12', "'@private"],
      ['want', '', ''],
    ])
    expect(sheet('favorites.csv')).toEqual([
      expect.objectContaining({ Title: "''71", Year: '1999', Kind: 'TV show', TMDB: '71' }),
    ])
    expect(sheet('following.csv')).toEqual([{ Username: 'Zoë', 'Followed at': time }])
    expect(sheet('comments.csv')).toEqual([
      expect.objectContaining({ 'Review by': 'Zoë', Comment: "'+1", Spoilers: 'yes' }),
    ])
    expect(readSheet(files.get('for-letterboxd.csv')!)).toEqual([
      expect.objectContaining({
        Title: ' =HYPERLINK("https://evil.example")',
        Rating: '4.5',
        WatchedDate: '',
        Rewatch: 'true',
        Tags: 'spoilers',
        Review: ' -1 & &lt;3, "fine"\nsecond line',
      }),
    ])
    expect(files.get('for-letterboxd.csv')).not.toContain('private')
  })

  test('counts in its README what the files for other services rounded and do not have', async () => {
    const one = await aMember(db)
    const [movie, ...books] = [await aTitle(db), await aTitle(db, 'book'), await aTitle(db, 'book')]
    await insertMany(db, 'reviews', [
      review(one, movie, { rating: 45, rating_given: '85/100', text: 'Told.', has_spoilers: 1 }),
      ...books.map((book) => review(one, book, { kind: 'book', rating: 35 })),
    ])
    const [part_id] = await someEpisodes(db, await aTitle(db, 'tvShow'))
    await insertMany(db, 'reviews', [
      { ...review(one, 0, { kind: 'tvShow', rating: 40 }), media_id: null, part_id },
    ])
    await insertMany(db, 'diary_entries', [
      entry(one, movie, { finished_on: '2025-12', text: 'Mine.' }),
      entry(one, movie, { status: 'want' }),
      entry(one, books[0]!, { kind: 'book', status: 'paused' }),
    ])
    await insertMany(db, 'favorites', [{ user_id: one.id, media_id: movie, kind: 'movie', created_at: time }])
    const readme = unzip((await download(one)).rawPayload).get('README.txt')!
    expect(readme.startsWith(exports.readme)).toBe(true)
    const counts = Object.fromEntries(
      [...readme.slice(exports.readme.length).matchAll(/^(for-\S+)\n((?: +\d+ .*\n)+)/gm)].map(
        ([, file, lines]) => [
          file,
          [...lines!.matchAll(/(\d+) {2}(.*)/g)].map(([, count, what]) => `${count} ${what}`),
        ],
      ),
    )
    expect(counts).toEqual({
      'for-letterboxd.csv': [
        '1 ratings rounded',
        `1 ${losses.notes}`,
        `1 ${losses.wanted}`,
        `1 ${losses.undated}`,
        `1 ${losses.favorites}`,
      ],
      'for-goodreads.csv': ['2 ratings rounded', `1 ${losses.paused}`],
      'for-imdb.csv': [
        '1 ratings rounded',
        `1 ${losses.reviews}`,
        `1 ${losses.spoilers}`,
        `1 ${losses.notes}`,
        `2 ${losses.entries}`,
        `1 ${losses.favorites}`,
        `1 ${losses.partReviews}`,
      ],
      'for-trakt/': [
        '1 ratings rounded',
        `1 ${losses.reviews}`,
        `1 ${losses.spoilers}`,
        `1 ${losses.notes}`,
        `1 ${losses.inexactDates}`,
        `1 ${losses.favorites}`,
      ],
      'for-yamtrack.csv': [
        `1 ${losses.reviews}`,
        `1 ${losses.spoilers}`,
        `1 ${losses.inexactDates}`,
        `1 ${losses.statusless}`,
        `1 ${losses.favorites}`,
        `1 ${losses.episodeReviews}`,
      ],
      'for-storygraph.csv': ['0 Everything of its kinds is in the file.'],
    })
  })

  test.each(exportServices)('for %s is a file of its own', async (service) => {
    const { file } = exportFormat(service)
    const response = await download(member, service)
    expect(response.headers).toMatchObject({
      'content-type': file === 'csv' ? 'text/csv; charset=utf-8' : 'application/zip',
      'content-disposition': expect.stringMatching(
        `^attachment; filename="medley-for-${service}-[\\d-]{10}\\.${file}"$`,
      ),
    })
    const whole = unzip((await download(member)).rawPayload)
    if (file === 'csv') expect(response.body).toBe(whole.get(`for-${service}.csv`))
    else
      for (const [name, text] of unzip(response.rawPayload)) {
        expect(whole.get(`for-${service}/${name}`)).toBe(text)
        expect(JSON.parse(text)).toBeInstanceOf(Array)
      }
  })

  test('is for members only, in a known format', async () => {
    expect((await app.inject('/export')).statusCode).toBe(401)
    expect((await download(member, 'xml')).statusCode).toBe(400)
    const head = await download(member, 'json', 'HEAD')
    expect([head.statusCode, head.body]).toEqual([200, ''])
  })
})

test('an export keeps what a member wrote about a removed title, and does not name it, nor removed lists of others', async () => {
  const { as } = server
  const [member, other] = [await aMember(db), await aMember(db)]
  const movieId = await aTitle(db, 'movie', 'Advertised')
  await as(member).reviews.save({ movieId, rating: 2, text: 'Mine to keep.' })
  await as(member).diary.create({ movieId, status: 'finished' })
  const { list } = await as(member).lists.create({ title: 'My list' })
  await as(member).lists.addItem({ id: list.id, itemId: movieId })
  const { list: others } = await as(other).lists.create({ title: 'Advertising list', visibility: 'public' })
  await as(member).lists.follow({ id: others.id })
  await as(member).lists.like({ id: others.id })
  expect(JSON.stringify(await downloadJson(member))).toContain('Advertised')
  await db
    .updateTable('media')
    .set({ removed_at: '2026-05-04T12:00:00.000Z' })
    .where('id', '=', movieId)
    .execute()
  await db
    .updateTable('lists')
    .set({ removed_at: '2026-05-04T12:00:00.000Z' })
    .where('id', '=', others.id)
    .execute()
  const file = await downloadJson(member)
  expect(file.reviews).toMatchObject([{ title: movieId, text: 'Mine to keep.' }])
  expect([file.diary.length, file.listItems.length, file.followedLists, file.likedLists]).toEqual([
    1,
    1,
    [],
    [],
  ])
  const about = await exports.begin(db, member.id, 'https://medley.example', new Date())
  for (const read of Object.values(await exports.filesOf(about!)))
    for await (const text of read(about!)) expect(text).not.toMatch(/Advertis/)
})

test('lists longer than a page are complete, and are read along indexes', async () => {
  const member = await aMember(db)
  const ids: number[] = []
  for (let count = 0; count < 1_201; count++) ids.push(await aTitle(db, kindNames[count % 4]))
  await insertMany(
    db,
    'reviews',
    ids.map((id, at) => review(member, id, { kind: kindNames[at % 4] })),
  )
  await insertMany(
    db,
    'diary_entries',
    ids.flatMap((id, at) => [
      entry(member, id),
      entry(member, ids[at % 3]!),
      entry(member, id, { status: 'want' }),
    ]),
  )
  const { titles, reviews, diary } = await downloadJson(member)
  expect(titles.map(({ ref }) => ref)).toEqual(ids)
  expect(reviews.map(({ title }) => title)).toEqual(ids)
  expect(diary).toHaveLength(3 * ids.length)
  const plans = await plansOf(db, async (recorded) => {
    const about = await exports.begin(recorded, member.id, 'https://medley.example', new Date())
    for (const read of Object.values(exports.files)) for await (const _ of read(about!));
  })
  expect(plans.filter((line) => /^SCAN (?!value|json_each|titles|of_)/.test(line))).toEqual([])
})

describe('the files for other services', async () => {
  const lines = async (member: Member, name: string) =>
    readSheet(unzip((await download(member)).rawPayload).get(name)!)

  test('Letterboxd: a file per list, with the movies in order and their notes', async () => {
    const member = await aMember(db)
    const call = server.as(member).lists
    const { list } = await call.create({
      title: '=Rainy “days”!',
      tags: ['calm', 'blue'],
      description: 'Two\nlines',
    })
    const movies = [await aTitle(db, 'movie', 'Stalker'), await aTitle(db, 'movie', 'Blade Runner')]
    const items = [movies[1]!, await aTitle(db, 'book'), movies[0]!].map((itemId) => ({
      itemId,
      note: 'long',
    }))
    await call.changeItems({ id: list.id, items })
    await call.create({ title: 'Empty' })
    const files = unzip((await download(member)).rawPayload)
    const names = [...files.keys()].filter((name) => name.startsWith('for-letterboxd-lists/'))
    expect(names).toEqual([`for-letterboxd-lists/${list.id}-rainy-days.csv`])
    expect(files.get(names[0]!)!.split('\r\n')).toEqual([
      'Letterboxd list export v7',
      'Date,Name,Tags,URL,Description',
      expect.stringMatching(/^[\d-]{10}," =Rainy “days”!","calm, blue",http:.*,"Two\nlines"$/),
      '',
      'Position,Name,Year,URL,Description,tmdbID,imdbID',
      '1,Blade Runner,,,long,,',
      '2,Stalker,,,long,,',
      '',
    ])
    const json = (await download(member, 'json')).json<ExportFile>()
    expect(json.lists.map(({ name }) => name)).toEqual(['=Rainy “days”!', 'Empty'])
    expect(json.listItems.map(({ title }) => title)).toEqual(items.map(({ itemId }) => itemId))
  })

  test('Letterboxd: a line per viewing, the review with the last', async () => {
    const member = await aMember(db)
    const [seen, rated, wanted] = [await aTitle(db, 'movie', 'Seen'), await aTitle(db), await aTitle(db)]
    await insertMany(db, 'external_ids', [{ source: 'tmdb-movie', external_id: '603', media_id: seen }])
    await insertMany(db, 'reviews', [
      review(member, seen, { text: 'Again!' }),
      review(member, rated, { rating: 20 }),
    ])
    await insertMany(db, 'diary_entries', [
      entry(member, seen, { finished_on: '2024-05-06', is_again: 1 }),
      entry(member, seen, { finished_on: '2020-01-02', rating_given: '85/100' }),
      entry(member, seen, { status: 'want' }),
      entry(member, wanted, { status: 'want' }),
    ])
    expect(
      (await lines(member, 'for-letterboxd.csv')).map((row) => [
        row.tmdbID,
        row.Rating,
        row.WatchedDate,
        row.Rewatch,
        row.Review,
      ]),
    ).toEqual([
      ['603', '4.5', '2020-01-02', '', ''],
      ['603', '4', '2024-05-06', 'true', 'Again!'],
      ['', '2', '', '', ''],
    ])
  })

  test('Goodreads: a line per book with its shelf', async () => {
    const member = await aMember(db)
    const of = (mediaId: number, more: object) => entry(member, mediaId, { kind: 'book', ...more })
    const books = await Promise.all(Array.from({ length: 5 }, (_, at) => aTitle(db, 'book', `Book ${at}`)))
    const [read, reading, stopped, wanted, rated] = books.sort((a, b) => a - b) as [
      number,
      number,
      number,
      number,
      number,
    ]
    await insertMany(db, 'external_ids', [{ source: 'isbn13', external_id: '9780140328721', media_id: read }])
    await insertMany(db, 'reviews', [
      review(member, read, { kind: 'book', rating: 50, text: 'One\nTwo' }),
      review(member, rated, { kind: 'book', rating: 30 }),
    ])
    await insertMany(db, 'diary_entries', [
      of(read, { finished_on: '2023-05' }),
      of(read, { finished_on: '2021-02-03' }),
      of(reading, { status: 'paused' }),
      of(stopped, { status: 'dropped' }),
      of(wanted, { status: 'want' }),
      of(rated, { status: 'want' }),
    ])
    expect(
      (await lines(member, 'for-goodreads.csv')).map((row) => [
        row.ISBN13,
        row['My Rating'],
        row['Date Read'],
        row['Exclusive Shelf'],
        row['Read Count'],
        row['My Review'],
      ]),
    ).toEqual([
      ['9780140328721', '5', '2023/05', 'read', '2', 'One<br/>Two'],
      ['', '0', '', 'currently-reading', '0', ''],
      ['', '0', '', 'did-not-finish', '0', ''],
      ['', '0', '', 'to-read', '0', ''],
      ['', '3', '', 'to-read', '0', ''],
    ])
  })
})

test('every text survives the CSV and its guard', () =>
  withoutWatch(() => {
    const text = fc.string({ unit: fc.constantFrom(...'=+-@\t\r\n\'", aé😀') })
    fc.assert(
      fc.property(fc.array(fc.array(text, { minLength: 2, maxLength: 2 })), (rows) => {
        const written = rows.map((row) => csvLine(row.map(guarded))).join('')
        expect(readCsv(written).map((row) => row.map(unguarded))).toEqual(rows)
        for (const cell of readCsv(written).flat()) expect(cell).not.toMatch(/^[=+\-@\t\r]/)
      }),
      { seed: 1, numRuns: 500 },
    )
  }))

test('a member can begin ten exports an hour', async () => {
  const { services } = server
  const limited = await buildApp(
    { ...services, config: { ...services.config, hasRateLimits: true } },
    { web: noWeb },
  )
  onTestFinished(() => limited.close())
  const headers = { authorization: `Bearer ${await aToken(await aMember(db))}` }
  const statuses: number[] = []
  for (let count = 0; count < 11; count++)
    statuses.push((await limited.inject({ url: '/export?format=json', headers })).statusCode)
  expect(statuses).toEqual([...Array(10).fill(200), 429])
})

test('more exports at the same time than a process runs are refused until one has ended', async () => {
  const members = await Promise.all(Array.from({ length: 12 }, () => aMember(db)))
  const responses = await Promise.all(members.map((member) => download(member)))
  expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 503]))
  for (const { statusCode, headers } of responses)
    expect(headers['retry-after']).toBe(statusCode === 503 ? '5' : undefined)
  expect((await download(members[0]!)).statusCode).toBe(200)
})

/** Gives each member a diary whose texts compress badly: its export has 7 MB, more than the buffers of a connection hold. */
async function fillDiaries(members: Member[]): Promise<void> {
  const random = seeded(3)
  const noise = () =>
    Array.from({ length: 10_000 }, () => String.fromCodePoint(0x4e00 + Math.floor(random() * 20_000))).join(
      '',
    )
  const texts = Array.from({ length: 20 }, noise)
  for (let count = 0; count < 20; count++) {
    const id = await aTitle(db)
    for (const member of members)
      await insertMany(
        db,
        'diary_entries',
        texts.map((text) => entry(member, id, { text })),
      )
  }
}

/** Begins an export and reads none of it. */
async function anUnreadExport(port: number, token: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' })
  // The server may end or reset the connection.
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  socket.write(`GET /export HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`)
  // Fills the buffer of the socket once, and reads nothing of it.
  await once(socket, 'readable')
  return socket
}

async function aListeningApp(): Promise<{ app: FastifyInstance; port: number }> {
  const listening = await buildApp(server.services, { web: noWeb })
  onTestFinished(() => listening.close())
  await listening.listen({ port: 0, host: '127.0.0.1' })
  return { app: listening, port: (listening.server.address() as AddressInfo).port }
}

test('a client that does not read stops the export, which holds one place until it is gone', async () => {
  const member = await aMember(db)
  await withoutWatch(() => fillDiaries([member]))
  const { app: listening, port } = await aListeningApp()
  const token = await aToken(member)
  const before = bufferedBytes()
  const socket = await anUnreadExport(port, token)
  const again = () =>
    listening.inject({ url: '/export?format=json', headers: { authorization: `Bearer ${token}` } })
  const refused = await again()
  expect([refused.statusCode, refused.json().message]).toEqual([429, messages.exportRunning])
  // Others are not affected.
  expect((await download(await aMember(db))).statusCode).toBe(200)
  // The whole export has 7 MB.
  await expect.poll(() => bufferedBytes() - before).toBeLessThan(5_000_000)
  socket.destroy()
  await vi.waitFor(async () => expect((await again()).statusCode).toBe(200))
})

test('clients that read slowly keep their places only as long as no other member waits', async () => {
  const members = await Promise.all(Array.from({ length: 4 }, () => aMember(db)))
  await withoutWatch(() => fillDiaries(members))
  const { app: listening, port } = await aListeningApp()
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  for (const member of members) await anUnreadExport(port, await aToken(member))
  const connections = () =>
    new Promise<number>((resolve) => listening.server.getConnections((_error, count) => resolve(count)))
  const headers = { authorization: `Bearer ${await aToken(await aMember(db))}` }
  const status = async () => (await listening.inject({ url: '/export?format=json', headers })).statusCode
  // They may read all of it soon.
  expect(await status()).toBe(503)
  vi.setSystemTime(Date.now() + 60_000)
  const patience = { timeout: 60_000 }
  await expect.poll(status, patience).toBe(200)
  // One of them was ended.
  await expect.poll(connections, patience).toBe(3)
  expect(await status()).toBe(200)
  expect(await connections()).toBe(3)
})
