import { once } from 'node:events'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { useChildReader } from '#scripts/testing/doubles/children.ts'
import { childrenOf } from '#scripts/testing/processes.ts'
import { messages } from '#shared/texts/messages.ts'
import { buildApp } from '#server/app.ts'
import { noWeb } from '#server/http/pages/web.ts'
import { aServer, aSignedInMember } from '#server/testing.ts'

const temporary = mkdtempSync(join(tmpdir(), 'medley-uploads-'))
vi.stubEnv('TMPDIR', temporary)
await useChildReader()
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(temporary, { recursive: true })
})
const server = await aServer({ RATE_LIMITS: 'off', TRUST_PROXY: 'loopback' })
const { db, services } = server
const app = await buildApp(services, { web: noWeb })
await app.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => app.close())
const { port } = app.server.address() as AddressInfo
const writers = await Promise.all(Array.from({ length: 20 }, () => aSignedInMember(db)))
let members = 0
const aToken = () => writers[members++ % writers.length]!.token
let addresses = 0
const anAddress = () => `10.0.${(addresses += 1)}.1`

const partOf = (content: string) =>
  `--x\r\ncontent-disposition: form-data; name="file"; filename="films.csv"\r\n\r\n${content}`
const end = '\r\n--x--\r\n'

/** Opens a connection that has sent the headers of an upload and the start of its file. */
async function anUnfinishedUpload({
  token = aToken(),
  address = anAddress(),
  start = 'Title\n',
} = {}): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  open.add(socket)
  await once(socket, 'connect')
  socket.write(
    [
      'POST /imports HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${token}`,
      `X-Forwarded-For: ${address}`,
      'Content-Type: multipart/form-data; boundary=x',
      `Content-Length: 1000000`,
      '',
      partOf(start),
    ].join('\r\n'),
  )
  return socket
}

/** Uploads a file. Returns the status and the message. */
async function upload(content: string, { token = aToken(), address = anAddress() } = {}) {
  const response = await app.inject({
    method: 'POST',
    url: '/imports',
    headers: {
      authorization: `Bearer ${token}`,
      'x-forwarded-for': address,
      'content-type': 'multipart/form-data; boundary=x',
    },
    payload: partOf(content) + end,
  })
  return {
    status: response.statusCode,
    message: response.json().message,
    retryAfter: response.headers['retry-after'],
  }
}

const uploadsInTransit = () => globSync('medley-import-*/file', { cwd: temporary }).length
const open = new Set<Socket>()
afterEach(async () => {
  for (const socket of open) socket.destroy()
  // Nothing of an upload is left when its client has left.
  await expect.poll(uploadsInTransit).toBe(0)
})

const rowsOf = async (table: 'imports' | 'import_lines') => db.selectFrom(table).select('id').execute()

test('uploads that have not arrived delay no other', async () => {
  for (let count = 0; count < 6; count++) await anUnfinishedUpload()
  await expect.poll(uploadsInTransit).toBe(6)
  expect(await upload('Title\nDune\n')).toMatchObject({ status: 201 })
})

test('a member and an address have a limited number of concurrent uploads', async () => {
  const own = { token: aToken() }
  for (let count = 0; count < 2; count++) await anUnfinishedUpload(own)
  const shared = { address: anAddress() }
  for (let count = 0; count < 4; count++) await anUnfinishedUpload(shared)
  await expect.poll(uploadsInTransit).toBe(6)
  expect(await upload('Title\nDune\n', own)).toMatchObject({ status: 429, retryAfter: '5' })
  expect(await upload('Title\nDune\n', shared)).toMatchObject({ status: 429, retryAfter: '5' })
  expect(await upload('Title\nDune\n')).toMatchObject({ status: 201 })
})

test('more uploads than are read at once wait, and all are read', async () => {
  const statuses = await Promise.all(Array.from({ length: 6 }, () => upload('Title\nDune\n')))
  expect(statuses.map(({ status }) => status)).toEqual(Array(6).fill(201))
})

test('the upload of a client that leaves ends, and leaves nothing', async () => {
  const imports = (await rowsOf('imports')).length
  const lines = (await rowsOf('import_lines')).length
  const content = `Title\n${'Dune\n'.repeat(90_000)}`
  const socket = await anUnfinishedUpload({ start: '' })
  // The headers promise more than a million bytes; the rest is one cell.
  const sent = Buffer.byteLength(partOf('') + content + end)
  socket.write(content + 'x'.repeat(Math.max(0, 1_000_000 - sent)) + end)
  await expect.poll(async () => (await rowsOf('import_lines')).length).toBeGreaterThan(lines)
  socket.destroy()
  await expect.poll(async () => (await rowsOf('imports')).length).toBe(imports)
  expect(await rowsOf('import_lines')).toHaveLength(lines)
  if (process.platform === 'linux') await expect.poll(() => childrenOf(process.pid)).toEqual([])
})

test('a file that is refused is refused in words', async () => {
  expect(await upload('hello')).toMatchObject({ status: 400, message: messages.importUnknown })
})
