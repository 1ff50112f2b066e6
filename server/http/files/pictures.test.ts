import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { uploadWidths } from '#shared/domain/images.ts'
import { buildApp } from '#server/app.ts'
import { noWeb } from '#server/http/pages/web.ts'
import { pictureOf, portraitOf, starterTitles } from '#server/starter/titles.ts'
import { aServer } from '#server/testing.ts'
import { resizeInChild } from '#server/uploads/decoder.ts'

const { services, config } = await aServer({ RATE_LIMITS: 'off' })
/** An app with the same data folder, as another process of the server has it. */
const anApp = (overrides: Partial<typeof config> = {}) =>
  buildApp({ ...services, config: { ...config, ...overrides } }, { web: noWeb })
const app = await anApp()
afterAll(() => app.close())

const made = join(config.dataDir, 'starter')
const decode = vi.mocked(resizeInChild)
beforeEach(() => rmSync(made, { recursive: true, force: true }))
beforeEach(() => void decode.mockClear())

const movies = starterTitles.movie.slice(0, 30)
const poster = (at: number, width: number) => withWidth(pictureOf('movie', movies[at]!, 'poster'), width)
const backdrop = (at: number, width: number) => withWidth(pictureOf('movie', movies[at]!, 'backdrop'), width)
const withWidth = (url: string, width: number) => url.replace(/\d+\.webp$/, `${width}.webp`)
const widthOf = async (bytes: Buffer) => (await sharp(bytes).metadata()).width

const year = 'public, max-age=31536000, immutable'
const minute = 'public, max-age=60'

/** Decoding waits until `open` is called. */
function closeGate() {
  const gate = Promise.withResolvers<void>()
  const real = decode.getMockImplementation()!
  let running = 0
  let most = 0
  decode.mockImplementation(async (...picture) => {
    most = Math.max(most, ++running)
    await gate.promise
    return real(...picture).finally(() => running--)
  })
  onTestFinished(() => {
    gate.resolve()
    decode.mockReset()
  })
  return { open: () => gate.resolve(), most: () => most }
}

test('a width of a starter picture is made when it is first asked for, and stored in the data folder', async () => {
  for (const [url, largest] of [
    [poster(0, 640), 640],
    [backdrop(0, 1280), 1280],
    [portraitOf(1), 320],
  ] as const)
    for (const width of uploadWidths.filter((one) => one <= largest)) {
      const first = await app.inject(withWidth(url, width))
      expect([first.statusCode, first.headers['content-type'], await widthOf(first.rawPayload)]).toEqual([
        200,
        'image/webp',
        width,
      ])
      expect(first.headers['cache-control']).toBe(year)
      const second = await app.inject({ method: 'HEAD', url: withWidth(url, width) })
      expect(second.headers).toMatchObject({ etag: first.headers.etag, 'cache-control': year })
    }
  expect(decode).toHaveBeenCalledTimes(3)
  expect(readdirSync(made)).toHaveLength(2 + 3 + 1)
})

test('concurrent first requests of all widths make a picture once', async () => {
  const urls = Array.from({ length: 30 }, (_, at) => backdrop(1, [160, 320, 640][at % 3]!))
  const responses = await Promise.all(urls.map((url) => app.inject(url)))
  expect(await Promise.all(responses.map(({ rawPayload }) => widthOf(rawPayload)))).toEqual(
    urls.map((url) => Number(/(\d+)\.webp$/.exec(url)![1])),
  )
  expect(decode).toHaveBeenCalledTimes(1)
})

test('a picture that another process has made is not made again', async () => {
  await app.inject(poster(2, 160))
  const other = await anApp()
  onTestFinished(() => other.close())
  expect((await other.inject(poster(2, 320))).headers['cache-control']).toBe(year)
  expect(decode).toHaveBeenCalledTimes(1)
})

test('names and widths that the catalogue does not have are missing, and nothing is decoded for them', async () => {
  for (const url of [
    poster(0, 1280),
    poster(0, 161),
    poster(0, 0),
    poster(0, 640).replace('640', '0160'),
    withWidth(portraitOf(1), 640),
    withWidth(portraitOf(999), 160),
    poster(0, 160).replace('poster-1', 'poster-2'),
    poster(0, 160).replace('poster', 'backdrop').replace('160', '1280160'),
    '/starter/poster-160.webp',
    '/starter/-160.webp',
    '/starter/poster-1-..%2f..%2fmovies-160.webp',
  ]) {
    const { statusCode } = await app.inject(url)
    expect([url, statusCode === 404 || statusCode === 403]).toEqual([url, true])
  }
  expect(decode).not.toHaveBeenCalled()
})

test('of many first requests, a few wait, one picture is made at a time, and the others get the committed width for a minute', async () => {
  const gate = closeGate()
  const waiting = [3, 4, 5, 6].map((at) => app.inject(poster(at, 320)))
  await vi.waitFor(() => expect(decode).toHaveBeenCalled())
  const others = await Promise.all([7, 8, 9, 10, 11, 12].map((at) => app.inject(poster(at, 320))))
  for (const { statusCode, headers, rawPayload } of others)
    expect([statusCode, headers['cache-control'], await widthOf(rawPayload)]).toEqual([200, minute, 640])
  gate.open()
  for (const response of await Promise.all(waiting))
    expect([response.headers['cache-control'], await widthOf(response.rawPayload)]).toEqual([year, 320])
  // The others are made meanwhile, and a client that asks again gets them.
  await vi.waitFor(() => expect(readdirSync(made).filter((name) => !name.startsWith('.'))).toHaveLength(20))
  const again = await app.inject({
    url: poster(12, 320),
    headers: { 'if-none-match': others[5]!.headers.etag },
  })
  expect([again.statusCode, await widthOf(again.rawPayload)]).toEqual([200, 320])
  expect([decode.mock.calls.length, gate.most()]).toEqual([10, 1])
})

test('if a width cannot be made or stored, the committed width is sent, and it is not tried again soon', async () => {
  decode.mockRejectedValueOnce(new Error('The decoder crashed.'))
  for (const url of [poster(13, 320), poster(13, 160), poster(13, 320)]) {
    const { statusCode, headers, rawPayload } = await app.inject(url)
    expect([statusCode, headers['cache-control'], await widthOf(rawPayload)]).toEqual([200, minute, 640])
  }
  expect(decode).toHaveBeenCalledTimes(1)

  const unwritable = join(config.dataDir, 'unwritable')
  mkdirSync(unwritable)
  writeFileSync(join(unwritable, 'starter'), 'a file in the place of the folder')
  for (const overrides of [{ dataDir: unwritable }, { diskReserveBytes: Number.MAX_SAFE_INTEGER }]) {
    const other = await anApp(overrides)
    onTestFinished(() => other.close())
    const { statusCode, rawPayload } = await other.inject(poster(14, 320))
    expect([statusCode, await widthOf(rawPayload)]).toEqual([200, 640])
  }
})
