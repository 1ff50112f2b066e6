import { globSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { attemptWithFewDescriptors } from '#scripts/testing/descriptors.ts'
import { childrenOf } from '#scripts/testing/processes.ts'
import { messages } from '#shared/texts/messages.ts'
import { readFileLines } from './file.ts'
import type * as reader from './child.ts'

const { readInChild } = await vi.importActual<typeof reader>('./child.ts')

const fixtures = join(import.meta.dirname, '../fixtures')
const folder = mkdtempSync(join(tmpdir(), 'medley-reader-'))
afterAll(() => rmSync(folder, { recursive: true }))

const fileAt = (path: string) => ({ path, bytes: statSync(path).size })
/** A file of many lines, all of which are one message or more to read. */
const large = join(folder, 'large.csv')
writeFileSync(large, `Title,Year\n${'A Film,1999\n'.repeat(50_000)}`)
const staying = new AbortController().signal

test('a child reads a file as this process does, and refuses it with the same error', async () => {
  const paths = globSync('{letterboxd,goodreads,trakt,bad}/*', { cwd: fixtures }).sort()
  for (const path of [
    paths[0]!,
    ...paths.filter((each) => /export\.csv|empty|bomb|trakt-export\.zip/.test(each)),
  ]) {
    const file = fileAt(join(fixtures, path))
    const outcome = (reading: ReturnType<typeof readFileLines>) =>
      Array.fromAsync(reading).catch(({ code, message }) => ({ code, message }))
    expect(await outcome(readInChild(file, staying)), path).toEqual(await outcome(readFileLines(file)))
  }
})

test.each([
  ['time', { ms: 1, heapMb: 96 }],
  ['memory', { ms: 60_000, heapMb: 8 }],
])('a file that takes too much %s to read is refused as too large', async (_name, limits) => {
  await expect(Array.fromAsync(readInChild(fileAt(large), staying, limits))).rejects.toMatchObject({
    code: 'PAYLOAD_TOO_LARGE',
    message: messages.importTooComplex,
  })
})

test('a client that leaves ends the reading', async () => {
  const leaving = new AbortController()
  const reading = readInChild(fileAt(large), leaving.signal)
  await reading.next()
  leaving.abort()
  await expect(Array.fromAsync(reading)).rejects.toMatchObject({ code: 'TIMEOUT' })
  await expect(readInChild(fileAt(large), leaving.signal).next()).rejects.toMatchObject({ code: 'TIMEOUT' })
})

test.runIf(process.platform === 'linux')('nothing runs on when the caller stops reading', async () => {
  for await (const message of readInChild(fileAt(large), staying)) {
    expect(message).toMatchObject({ service: 'csv' })
    expect(childrenOf(process.pid)).toHaveLength(1)
    break
  }
  await expect.poll(() => childrenOf(process.pid)).toEqual([])
})

test('a process without free file descriptors refuses to read and keeps running', async () => {
  const attempt = `async ({ readInChild }) => {
    const reading = readInChild({ path: ${JSON.stringify(large)}, bytes: 1 }, new AbortController().signal)
    try {
      return (await reading.next()).value.service
    } finally {
      await reading.return()
    }
  }`
  const results = await attemptWithFewDescriptors(new URL('child.ts', import.meta.url), attempt, [0, 2, 2])
  expect(results).toEqual([...Array(3).fill('SERVICE_UNAVAILABLE'), 'csv'])
})
