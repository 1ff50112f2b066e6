import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import Sqlite from 'better-sqlite3'
import { afterAll, expect, test } from 'vitest'
import { aDataFolder, startProgram } from '#scripts/testing/program.ts'
import { createFolder, listOpen, makePrivate } from './private-files.ts'

const { folder, remove } = aDataFolder()
afterAll(remove)

/** The files and folders on which other users of the machine have rights. */
const openPaths = (root: string) =>
  ['', ...readdirSync(root, { recursive: true, encoding: 'utf8' })].filter(
    (path) => (statSync(join(root, path)).mode & 0o077) !== 0,
  )

test('whatever the umask, others can read neither the data nor backups, also where an earlier version let them', async () => {
  const dataDir = join(folder, 'data')
  mkdirSync(join(dataDir, 'uploads'), { recursive: true })
  mkdirSync(join(dataDir, 'backups/first/uploads'), { recursive: true })
  const sqlite = new Sqlite(join(dataDir, 'medley.sqlite'))
  sqlite.exec('create table of_an_earlier_version (id integer)')
  sqlite.close()
  writeFileSync(join(dataDir, 'uploads/a-160.webp'), '')
  writeFileSync(join(dataDir, 'backups/first/medley.sqlite'), '')
  for (const path of openPaths(dataDir)) chmodSync(join(dataDir, path), 0o777)

  const umask = (command: string) => ['sh', '-c', `umask 000; exec ${process.execPath} ${command}`]
  const server = await startProgram({ DATA_DIR: dataDir }, { command: umask('server/main.ts') })
  expect(readdirSync(dataDir)).toContain('medley.sqlite-wal')
  expect(openPaths(dataDir)).toEqual([])
  const run = async (command: string) => {
    const [shell, ...args] = umask(command)
    await promisify(execFile)(shell!, args, { env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '' } })
  }
  const backup = join(folder, 'elsewhere/backup')
  await run(`scripts/commands/backup.ts ${backup}`)
  expect(openPaths(join(folder, 'elsewhere'))).toEqual([])
  await server.end()

  // A copy from another machine.
  for (const path of ['', 'medley.sqlite', 'uploads']) chmodSync(join(backup, path), 0o755)
  await run(`scripts/commands/restore.ts ${backup}`)
  expect(openPaths(dataDir)).toEqual([])
})

test('a folder that contains files of other programs stays as it is, and only what Medley stored there is closed', async () => {
  const shared = join(folder, 'shared')
  mkdirSync(join(shared, 'uploads'), { recursive: true })
  for (const name of ['medley.sqlite', 'of-another-program']) writeFileSync(join(shared, name), '')
  symlinkSync('of-another-program', join(shared, 'medley.sqlite-link'))
  const open = async () => (await listOpen(shared)).map((path) => relative(shared, path))
  expect(await open()).toEqual(['medley.sqlite', 'uploads', ''])
  expect(await makePrivate(shared)).toEqual([shared])
  expect(openPaths(shared)).toEqual(['', 'medley.sqlite-link', 'of-another-program'])
  expect(await makePrivate(join(folder, 'missing'))).toEqual([])
})

test.runIf(process.platform === 'linux')('a folder that cannot be created is an error', () => {
  expect(() => createFolder('/proc/medley/data')).toThrow('ENOENT')
  expect(() => createFolder('/dev/null/data')).toThrow('ENOTDIR')
})
