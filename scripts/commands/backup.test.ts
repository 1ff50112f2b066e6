import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { buildApp } from '#server/app.ts'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { aSignedInMember, aServer, aTitle, findCounterFaults } from '#server/testing.ts'
import { noWeb } from '#server/http/pages/web.ts'

const server = await aServer({ RATE_LIMITS: 'off' })
const { db, config } = server
const folder = mkdtempSync(join(tmpdir(), 'medley-backup-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function backup(
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ['scripts/commands/backup.ts', ...args], {
    env: { ...process.env, DATA_DIR: config.dataDir, DATABASE_URL: '', ...env },
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })))
}

async function upload(app: Awaited<ReturnType<typeof buildApp>>): Promise<string> {
  const picture = await sharp({ create: { width: 700, height: 400, channels: 3, background: '#a33' } })
    .png()
    .toBuffer()
  const head = '--x\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\n\r\n'
  const answer = await app.inject({
    method: 'POST',
    url: '/upload',
    payload: Buffer.concat([Buffer.from(head), picture, Buffer.from('\r\n--x--\r\n')]),
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
  })
  return answer.json().imageUrl
}

test('a backup made while the server writes can be restored and is consistent', async () => {
  const app = await buildApp(server.services, { web: noWeb })
  const titles = await Promise.all(Array.from({ length: 50 }, () => aTitle(db)))
  const members = await Promise.all(Array.from({ length: 40 }, () => aSignedInMember(db)))
  const state = { isOver: false, written: 0 }
  const writing = (async () => {
    while (!state.isOver) {
      const { written } = state
      const [member, movieId] = [members[written % 40]!, titles[Math.floor(written / 40) % 50]!]
      const as = server.as(member)
      await as.reviews.save({ movieId, rating: (written % 5) + 1, text: `Review ${written} `.repeat(40) })
      if (written % 20 === 10) await as.accounts.updateProfile({ profilePicture: await upload(app) })
      state.written++
      await new Promise((resolve) => setImmediate(resolve))
    }
  })()
  while (state.written < 60) await new Promise((resolve) => setTimeout(resolve, 5))
  const before = state.written
  const target = join(folder, 'backup')
  writeFileSync(join(config.dataDir, 'uploads', '.half-160.webp.00000000'), 'unfinished')
  const { code, output } = await backup([target])
  const after = state.written
  state.isOver = true
  await writing
  await app.close()
  expect(output).toMatch(/^Backed up the database and \d+ picture files to /)
  expect(code).toBe(0)
  expect(after).toBeGreaterThan(before)
  expect(statSync(target).mode & 0o077).toBe(0)
  expect(readdirSync(target).sort()).toEqual(['medley-backup.json', 'medley.sqlite', 'uploads'])
  expect(readdirSync(join(target, 'uploads'))).not.toContain('.half-160.webp.00000000')

  // Restores as documented: the folder replaces the DATA_DIR.
  const dataDir = join(folder, 'restored')
  cpSync(target, dataDir, { recursive: true })
  const sqlite = new Sqlite(join(dataDir, 'medley.sqlite'), { readonly: true })
  expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(sqlite.pragma('foreign_key_check')).toEqual([])
  sqlite.close()
  const restored = openDatabase({ databaseUrl: undefined, dataDir })
  expect(await migrate(restored)).toEqual([])
  expect(await findCounterFaults(restored)).toEqual([])
  const { reviews } = await restored
    .selectFrom('reviews')
    .select((eb) => eb.fn.countAll<number>().as('reviews'))
    .executeTakeFirstOrThrow()
  expect(reviews).toBeGreaterThanOrEqual(before)
  // One more review may be committed than has been counted.
  expect(reviews).toBeLessThanOrEqual(after + 1)
  const again = await buildApp(
    { ...server.services, db: restored, config: { ...config, dataDir } },
    { web: noWeb },
  )
  expect((await again.inject(`/movies/${titles[0]}`)).json().stats.count).toBeGreaterThan(0)
  const pictures = await restored
    .selectFrom('users')
    .select('picture')
    .where('picture', 'is not', null)
    .execute()
  expect(pictures.length).toBeGreaterThan(1)
  for (const { picture } of pictures) expect((await again.inject(picture!)).statusCode).toBe(200)
  expect((await again.inject({ method: 'POST', url: '/auth/login', payload: {} })).statusCode).toBe(400)
  await again.close()
  await restored.destroy()
})

test('the default folder is in the data folder', async () => {
  const { code, output } = await backup([])
  expect(output).toContain(join(config.dataDir, 'backups'))
  expect(code).toBe(0)
  expect(readdirSync(join(config.dataDir, 'backups'))).toHaveLength(1)
})

test('an existing folder is never overwritten', async () => {
  const { code, output } = await backup([folder])
  expect([code, output]).toEqual([1, `${folder} already exists. Choose a folder that does not exist.\n`])
})

test('without a database the error names DATA_DIR', async () => {
  const target = join(folder, 'nothing')
  const { code, output } = await backup([target], { DATA_DIR: join(folder, 'nowhere') })
  expect(code).toBe(1)
  expect(output).toContain('DATA_DIR')
  expect(existsSync(target)).toBe(false)
})

test('with Postgres the error recommends pg_dump and does not contain the password', async () => {
  const { code, output } = await backup([], { DATABASE_URL: 'postgres://somebody:secret@127.0.0.1:1/none' })
  expect(code).toBe(1)
  expect(output).toContain('pg_dump')
  expect(output).not.toContain('secret')
})
