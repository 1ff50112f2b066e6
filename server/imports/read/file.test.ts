import { randomBytes } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, test } from 'vitest'
import { importServices } from '#shared/domain/import-formats.ts'
import {
  importFieldMax,
  importFileBytesMax,
  importLinesMax,
  importZipEntriesMax,
} from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import { leaveUnwatched } from '#scripts/testing/event-loop.ts'
import { fixtures, openBytes, openFixture, read } from '#scripts/testing/import-file.ts'
import { bufferedBytes } from '#scripts/testing/processes.ts'
import { zipOf } from '#scripts/testing/zip.ts'
import { variation } from '#scripts/testing/variation.ts'
import { openFile } from './file.ts'

// The server reads files in another process (child.ts).
beforeEach(leaveUnwatched)

describe('files that are refused', () => {
  const refused = (message: string, code = 'BAD_REQUEST') => ({ code, message })

  test.each([
    ['bad/empty.csv', messages.importEmpty],
    ['bad/unknown-headers.csv', messages.importUnknown],
    ['bad/picture-named.csv', messages.importUnknown],
    ['bad/not-a-zip.zip', messages.importZip],
    ['bad/paths.zip', messages.importZip],
    ['bad/bomb-64MB.zip', messages.importZip],
    ['bad/bomb-that-lies.zip', messages.importZip],
    ['unsupported/grouvee_export.json', messages.importUnknown],
  ])('%s', async (name, message) => {
    await expect(openFixture(name).then(read)).rejects.toMatchObject(refused(message))
  })

  test('white space, byte order marks, empty lists and empty zips have nothing in them', async () => {
    for (const nothing of [
      ' \n\n',
      '\ufeff',
      '\ufeff\n',
      '{"format":"medley","version":1,"reviews":[]}',
      zipOf({}),
    ])
      await expect(openBytes(nothing).then(read)).rejects.toMatchObject(refused(messages.importEmpty))
  })

  test('JSON of other shapes is unknown', async () => {
    for (const other of ['{}', '[]', '[1]', '{"format":"medley","version":2}', '{', '['.repeat(100_000)])
      await expect(openBytes(other)).rejects.toMatchObject(refused(messages.importUnknown))
  })

  test('a zip with a password is refused, and says so', async () => {
    const zip = zipOf({ 'tracking-prod-records-v2.csv': 'key,s_id,created_at\n' })
    // The flag of the entry in the directory.
    zip[zip.indexOf('PK\u0001\u0002') + 8]! |= 1
    await expect(openBytes(zip)).rejects.toMatchObject(refused(messages.importZipPassword))
  })

  test('too many files in a zip', async () => {
    const many = Array.from({ length: importZipEntriesMax + 1 }, (_, index) => [`lists/l${index}.csv`, 'x'])
    await expect(openBytes(zipOf(Object.fromEntries(many)))).rejects.toMatchObject(
      refused(messages.importZip),
    )
  })

  test('inflated bytes are counted in all files of a zip together', async () => {
    // Each file is within the limits; the directory claims nearly nothing.
    const file = Buffer.concat([Buffer.from('Letterboxd URI,Name\n'), Buffer.alloc(15 * 1024 * 1024)])
    const files = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`${index}/ratings.csv`, file]))
    const before = bufferedBytes()
    await expect(openBytes(zipOf(files)).then((opened) => read(opened))).rejects.toMatchObject(
      refused(messages.importZip),
    )
    await expect.poll(() => bufferedBytes() - before).toBeLessThan(15 * 1024 * 1024)
  })

  const list = Buffer.from('<myanimelist><anime><series_title>A</series_title></anime></myanimelist>')
  const packed = gzipSync(list)
  const wrongSum = Buffer.from(packed)
  wrongSum[packed.length - 8]! ^= 1
  test.each([
    ['that is cut', packed.subarray(0, -9)],
    ['of its first bytes', packed.subarray(0, 4)],
    ['with a wrong checksum', wrongSum],
    ['with damaged content', Buffer.concat([packed.subarray(0, 12), Buffer.alloc(40, 255)])],
    ['of zeros', gzipSync(Buffer.alloc(31 * 1024 * 1024))],
    ['of a list with a tail of spaces', gzipSync(Buffer.concat([list, Buffer.alloc(2 * 1024 * 1024, ' ')]))],
    ['in a gzip', gzipSync(packed)],
    ['that holds a zip', gzipSync(zipOf({ 'animelist.xml': list }))],
  ])('a gzip %s', async (_, file) => {
    const before = bufferedBytes()
    await expect(openBytes(file)).rejects.toMatchObject(refused(messages.importGzip))
    expect(bufferedBytes() - before).toBeLessThan(2 * importFileBytesMax)
  })

  test('a gzip that inflates to more than a file may have, within the ratio', async () => {
    const part = Buffer.concat([randomBytes(32 * 1024), Buffer.alloc(96 * 1024)])
    const file = gzipSync(Buffer.alloc(importFileBytesMax + 1, part), { level: 1 })
    await expect(openBytes(file)).rejects.toMatchObject(refused(messages.importTooLarge, 'PAYLOAD_TOO_LARGE'))
  })

  test('a gzip of nothing, or of an unknown file', async () => {
    await expect(openBytes(gzipSync(''))).rejects.toMatchObject(refused(messages.importEmpty))
    await expect(openBytes(gzipSync('<svg/>'))).rejects.toMatchObject(refused(messages.importUnknown))
  })

  test('too many bytes, before the file is read', async () => {
    const missing = { path: join(tmpdir(), 'medley-missing'), bytes: importFileBytesMax + 1 }
    await expect(openFile(missing)).rejects.toMatchObject(
      refused(messages.importTooLarge, 'PAYLOAD_TOO_LARGE'),
    )
  })

  test.each([
    ['blank lines', () => `Title\nDune\n${'\n'.repeat(500_000)}`],
    ['lines of commas', () => `Title\nDune\n${',\n'.repeat(500_000)}`],
    [
      'values that no list of an export has',
      () => `{"format":"medley","version":1,"x":[${'1,'.repeat(500_000)}1]}`,
    ],
    ['blank lines of a journal', () => zipOf({ 'journal.ndjson': `{}\n${'\n'.repeat(500_000)}` })],
  ])('too many records, although none is kept: %s', async (_name, content) => {
    await expect(openBytes(content()).then((opened) => read(opened))).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: messages.importTooManyLines,
    })
  })

  test('too many lines, while they are read', async () => {
    const opened = await openBytes(`Title\n${'a\n'.repeat(importLinesMax + 1)}`)
    await expect(Array.fromAsync(opened.records)).rejects.toMatchObject(refused(messages.importTooManyLines))
    const most = await openBytes(`Title\n${'a\n'.repeat(importLinesMax)}`)
    expect(await Array.fromAsync(most.records)).toHaveLength(importLinesMax)
  })
})

describe('damaged CSV', () => {
  test('an unclosed quote costs its line only', async () => {
    const csv = await read(await openFixture('bad/unclosed-quote.csv'))
    expect(csv.records.size).toBe(10)
    expect(csv.unreadable).toEqual([{ file: 'ratings.csv', line: 12, problem: 'A quote is never closed.' }])
  })

  test('lines after an unclosed quote are read, and their numbers are right', async () => {
    const csv = await read(
      await openBytes('Title,Year,Rating\n"A\nB",1999,4\n"C,1999,4\nD,1999,4\nE,1999,"4"\nF,2\n\nG\n'),
    )
    expect([...csv.records.keys()]).toEqual(['A B', 'D', 'E', 'F'])
    expect(csv.unreadable).toEqual([
      { file: '', line: 4, problem: 'A quote is never closed.' },
      { file: '', line: 9, problem: 'This line has 1 of 3 cells.' },
    ])
  })

  test('more cells than columns are noted, far fewer make a line unreadable', async () => {
    const csv = await read(await openFixture('bad/ragged.csv'))
    expect([...csv.records.values()].map(({ name, notes }) => [name, notes])).toEqual([
      ['The Matrix', ['The line has more cells than the file has columns; the last ones are left out.']],
    ])
    expect(csv.unreadable).toEqual([{ file: 'ratings.csv', line: 3, problem: 'This line has 2 of 5 cells.' }])
  })

  test('NUL characters are left out with a note', async () => {
    const csv = await read(await openFixture('bad/nul-bytes.csv'))
    expect(csv.records.get('Fight Club')!.notes).toEqual(['The line has NUL characters, which are left out.'])
    expect(csv.records.size).toBe(10)
  })

  test('a text that is too long is left out if the member wants it', async () => {
    const content = `Title,Year,Rating,Review\nAlien,1979,4,${'x'.repeat(10_001)}\n`
    const { records } = await read(await openBytes(content), { longTexts: 'skip' })
    expect(records.get('Alien')).toMatchObject({
      rating: { stars: 4 },
      review: null,
      notes: ['The text is longer than 10,000 characters and is left out.'],
    })
  })

  test('a huge field is cut with a note, and the other fields of its line stay', async () => {
    const csv = await read(
      await openBytes(
        `Date,Name,Year,Letterboxd URI,Rating,Rewatch,Review,Tags,Watched Date\n2023-01-01,The Matrix,1999,https://boxd.it/e,5,,${'long '.repeat(60_000)},,2023-01-01\n`,
      ),
    )
    const length = Object.values(csv.rows[0]!.raw).reduce((sum, { length }) => sum + length, 0)
    expect(length).toBeLessThanOrEqual(importFieldMax)
    const record = csv.records.get('The Matrix')!
    expect(record.notes).toEqual(['The text is longer than 10,000 characters and is cut.'])
    expect(record.review!.text.length).toBeLessThanOrEqual(10_000)
    expect(record.entries[0]).toMatchObject({ finishedOn: '2023-01-01' })
  })
})

variation('files with random damage are read or refused in words', { timeout: 180_000 }, async () => {
  // A linear congruential generator: the same damage in each run.
  let seed = 7
  const random = (max: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return seed % max
  }
  const files = globSync(`{${importServices.join(',')}}/*`, { cwd: fixtures })
  const outcomes = { read: 0, refused: 0 }
  for (const file of files.sort()) {
    const bytes = readFileSync(join(fixtures, file))
    for (let round = 0; round < 10; round += 1) {
      const damaged = Buffer.from(bytes)
      for (let change = 0; change <= round; change += 1) damaged[random(damaged.length)] = random(256)
      try {
        await read(await openBytes(round % 3 === 0 ? damaged.subarray(0, random(damaged.length)) : damaged))
        outcomes.read += 1
      } catch (error) {
        expect(error, file).toMatchObject({ code: 'BAD_REQUEST' })
        outcomes.refused += 1
      }
    }
  }
  expect(outcomes.read).toBeGreaterThan(50)
  expect(outcomes.refused).toBeGreaterThan(20)
})

test('the summary of a file counts each record once', async () => {
  const opened = await openFixture('igdb/played.csv')
  await Array.fromAsync(opened.records)
  expect(opened.summary().shelves).toEqual([{ name: 'IGDB list', count: 1 }])
})
