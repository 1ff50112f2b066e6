import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { describeFailure } from '#server/process/failure.ts'
import commands from '../../bin/commands.json' with { type: 'json' }
import { aDataFolder, outsideEnvironment } from '#scripts/testing/program.ts'
import { openIssuers } from '#scripts/testing/provider.ts'

const root = join(import.meta.dirname, '../..')
const { folder, remove } = aDataFolder()
const { issuer, json } = await openIssuers()
const closers: (() => void)[] = []
afterAll(() => {
  for (const close of closers) close()
  remove()
})

type Command = keyof typeof commands
const all = Object.keys(commands) as Command[]
const without = (...names: Command[]) => all.filter((name) => !names.includes(name))
type Result = { code: number; stdout: string; stderr: string }

/** Runs a command as an operator does. `env` adds variables to a shell’s. */
function medley(command: string[], env: Record<string, string>): Promise<Result> {
  const options = {
    cwd: folder,
    env: { ...outsideEnvironment(), PORT: '0', DEMO: 'off', OPEN_LIBRARY_URL: 'http://127.0.0.1:1', ...env },
  }
  return new Promise((resolve) => {
    execFile(process.execPath, [join(root, 'bin/medley.js'), ...command], options, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
  })
}

/** These use a data folder alone, so the test runs them one after the other. */
const exclusive: Command[] = ['start', 'migrate', 'seed', 'restore', 'move']

/** The arguments that a command needs. */
const required: Partial<Record<Command, string[]>> = {
  restore: [join(folder, 'backup')],
  'verify-email': ['somebody'],
  'login-link': ['somebody'],
}

/** Creates a data folder with a migrated database, which `change` changes. */
function aDatabase(name: string, change: string = '', parent = folder): string {
  const dataDir = join(parent, name)
  mkdirSync(dataDir, { recursive: true })
  const file = join(dataDir, 'medley.sqlite')
  copyFileSync(inject('migratedSqlite'), file)
  const sqlite = new Sqlite(file)
  sqlite.exec(change)
  sqlite.close()
  return dataDir
}
const newer = `insert into kysely_migration (name, timestamp) values ('9999-from-the-future', '2999-01-01T00:00:00.000Z')`
const older = `delete from kysely_migration where name > '0002'`

function aDisk(name: string, prepare: (path: string) => void, isReadOnly = false): string {
  const path = join(folder, name)
  mkdirSync(path)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'none', path])
  closers.push(() => execFileSync('umount', ['-l', path]))
  prepare(path)
  if (isReadOnly) execFileSync('mount', ['-o', 'remount,ro', path])
  return path
}

function fill(path: string): void {
  for (const size of [65_536, 4_096])
    for (let file = 0; ; file++)
      try {
        writeFileSync(join(path, `filler-${size}-${file}`), Buffer.alloc(size))
      } catch {
        break
      }
}

beforeAll(() => void aDatabase('backup'))

type Circumstance = {
  name: string
  commands: Command[]
  args?: string[]
  env: () => Record<string, string>
  /** What the line says. */
  says: RegExp
}
const isRoot = process.platform === 'linux' && process.getuid?.() === 0
const circumstances: Circumstance[] = [
  {
    name: 'an invalid variable',
    commands: all,
    env: () => ({ MAIL_FROM: 'nonsense' }),
    says: /^MAIL_FROM: must be a sender/,
  },
  {
    name: 'an unknown option',
    commands: all,
    args: ['--no-such-option'],
    env: () => ({}),
    says: /no-such-option/,
  },
  {
    name: 'too many arguments',
    commands: without('start'),
    args: ['one', 'two', 'three'],
    env: () => ({}),
    says: /^Too many arguments: .*one two three\./,
  },
  {
    name: 'a DATA_DIR below a file',
    commands: without('move'),
    env: () => ({ DATA_DIR: '/dev/null/data' }),
    says: /Check DATA_DIR|^DATA_DIR \(.* cannot be created by this user/,
  },
  {
    name: 'a DATA_DIR in a folder of the system',
    commands: ['start', 'doctor'],
    env: () => ({ DATA_DIR: '/proc/medley' }),
    says: /Check DATA_DIR|^DATA_DIR \(.* cannot be created by this user/,
  },
  {
    name: 'a DATA_DIR without a database',
    commands: ['backup', 'verify', 'verify-email'],
    env: () => ({ DATA_DIR: join(folder, 'nothing') }),
    says: /medley\.sqlite does not exist\. Check DATA_DIR\.$/,
  },
  {
    name: 'a file that is no database',
    commands: without('move', 'restore'),
    env: () => {
      const dataDir = join(folder, 'damaged')
      mkdirSync(dataDir, { recursive: true })
      writeFileSync(join(dataDir, 'medley.sqlite'), 'This is not a database. '.repeat(1_000))
      return { DATA_DIR: dataDir }
    },
    says: /The database is damaged: restore a backup\. Check DATA_DIR \(.*damaged\)/,
  },
  {
    name: 'a newer database',
    commands: without('backup', 'restore', 'move'),
    env: () => ({ DATA_DIR: aDatabase('newer', newer) }),
    says: /The database is newer than this version of Medley, which does not know 9999-from-the-future\./,
  },
  {
    name: 'a database that is not migrated',
    commands: ['verify', 'verify-email'],
    env: () => ({ DATA_DIR: aDatabase('older', older) }),
    says: /^The database is older than this version of Medley: \d+ migrations are pending\. Run medley migrate/,
  },
  {
    name: 'a Postgres that does not respond',
    commands: without('backup', 'restore', 'move'),
    env: () => ({ DATABASE_URL: 'postgres://medley:secret@127.0.0.1:1/none' }),
    says: /The database cannot be opened or migrated\. Check DATABASE_URL \(postgres:\/\/127\.0\.0\.1:1, user medley, a password\): .*ECONNREFUSED/,
  },
  {
    name: 'a Postgres that the command is not for',
    commands: ['backup', 'restore'],
    env: () => ({ DATABASE_URL: 'postgres://medley:secret@127.0.0.1:1/none' }),
    says: /^DATABASE_URL is a Postgres database\..* pg_(dump|restore) /,
  },
]
const onDisks: Circumstance[] = [
  {
    name: 'a full disk',
    commands: ['start', 'migrate', 'seed'],
    env: () => ({ DATA_DIR: aDisk('full', fill) }),
    says: /^The disk is full\. Check DATA_DIR/,
  },
  {
    name: 'a full disk beside the database',
    commands: ['backup', 'restore', 'doctor'],
    env: () => ({
      DATA_DIR: aDisk('beside', (path) => {
        aDatabase('.', '', path)
        fill(path)
      }),
    }),
    says: /The disk is full\. Check DATA_DIR|Free some space\./,
  },
  {
    name: 'a read-only disk',
    commands: without('move'),
    env: () => ({ DATA_DIR: aDisk('read-only', (path) => void aDatabase('.', '', path), true) }),
    says: /(The data cannot be written|The database cannot be opened or migrated)\. Check DATA_DIR|cannot be (created|written) by this user/,
  },
]

describe.each([...circumstances, ...(isRoot ? onDisks : [])])(
  'with $name',
  ({ commands, args = [], env, says }) => {
    test(`${commands.join(', ')} exit with 1 and one line that says what to change`, async () => {
      const variables = { DATA_DIR: join(folder, 'absent'), ...env() }
      const run = (command: Command) => medley([command, ...(required[command] ?? []), ...args], variables)
      const others = commands
        .filter((command) => !exclusive.includes(command))
        .map(async (command) => ({ command, ...(await run(command)) }))
      const results: (Result & { command: Command })[] = []
      for (const command of commands.filter((one) => exclusive.includes(one)))
        results.push({ command, ...(await run(command)) })
      for (const { command, code, stdout, stderr } of [...results, ...(await Promise.all(others))]) {
        expect({ command, code }).toEqual({ command, code: 1 })
        const broken = stdout.split('\n').flatMap((line) => /^broken +(.*)/.exec(line)?.[1] ?? [])
        const lines = [...broken, ...stderr.trimEnd().split('\n').filter(Boolean)]
        // A line for each finding.
        if (command !== 'doctor') expect(lines, command).toHaveLength(1)
        for (const line of lines) expect(line, command).toMatch(says)
        expect(`${stdout}${stderr}`, command).not.toMatch(/secret|^ +at /m)
      }
    })
  },
)

test('every command has a help text, and a line in the list of commands', async () => {
  const list = (await medley(['--help'], {})).stdout
  for (const command of without('start')) {
    const { code, stdout, stderr } = await medley([command, '--help'], {})
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain(`medley ${command}`)
    expect(list).toContain(`\n  ${command} `)
  }
})

test('a variable whose name is close to one of Medley’s is reported', async () => {
  const { code, stderr } = await medley(['migrate'], {
    DATA_DIR: join(folder, 'misspelled'),
    SMTPURL: 'x',
    HOSTNAME: 'x',
  })
  expect([code, stderr]).toEqual([0, 'SMTPURL is not a variable of Medley. Did you mean SMTP_URL?\n'])
})

test('a lock that another program holds for too long is named', () => {
  const config = { databaseUrl: 'postgres://127.0.0.1/medley', dataDir: '/data' }
  const error = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' })
  expect(describeFailure(error, config)).toBe(
    'Another program has locked the database for too long: try again later. Check DATABASE_URL (postgres://127.0.0.1): canceling statement due to lock timeout',
  )
})

describe('backup --keep', () => {
  const backups = () => readdirSync(join(folder, 'nightly')).sort()

  test('removes the oldest backups, and no other folder', async () => {
    const env = { DATA_DIR: aDatabase('kept') }
    const backup = (name: string, ...args: string[]) =>
      medley(['backup', ...args, join(folder, 'nightly', name)], env)
    await backup('z-first')
    // What an earlier version, or the operator, has put there.
    mkdirSync(join(folder, 'nightly/0-photos'))
    writeFileSync(join(folder, 'nightly/0-notes.txt'), '')
    aDatabase('nightly/0-without-marker')
    for (const name of ['b', 'c']) await backup(name)
    expect((await backup('a-last', '--keep', '2')).stdout).toMatch(/Backed up [^]*Removed the backup/)
    expect(backups()).toEqual(['0-notes.txt', '0-photos', '0-without-marker', 'a-last', 'c'])
    for (const keep of ['0', '1.5', 'all', ''])
      expect(await backup('d', '--keep', keep)).toMatchObject({ code: 1, stderr: /^--keep: must be a whole/ })
    expect(existsSync(join(folder, 'nightly/d'))).toBe(false)
  })

  test('removes nothing if the new backup fails', async () => {
    const before = backups()
    const { code } = await medley(['backup', '--keep', '1', join(folder, 'nightly/e')], {
      DATA_DIR: join(folder, 'damaged'),
    })
    expect([code, backups()]).toEqual([1, before])
  })
})

describe('restore', () => {
  const names = (dataDir: string) => {
    const sqlite = new Sqlite(join(dataDir, 'medley.sqlite'), { readonly: true })
    const rows = sqlite.prepare('select name from kysely_migration_lock_copy').pluck().all()
    sqlite.close()
    return rows
  }
  const marked = (text: string) =>
    `create table kysely_migration_lock_copy (name text); insert into kysely_migration_lock_copy values ('${text}')`

  test('replaces the database, adds the pictures, and keeps what it replaces as a folder that can be restored', async () => {
    const dataDir = aDatabase('restored', marked('current'))
    const backup = aDatabase('restored-from', marked('backup'))
    for (const path of [dataDir, backup]) {
      mkdirSync(join(path, 'uploads'))
      writeFileSync(join(path, 'uploads', `${path === backup ? 'old' : 'new'}-160.webp`), '')
    }
    const { code, stdout } = await medley(['restore', backup], { DATA_DIR: dataDir })
    expect(code).toBe(0)
    expect(names(dataDir)).toEqual(['backup'])
    expect(readdirSync(join(dataDir, 'uploads')).sort()).toEqual(['new-160.webp', 'old-160.webp'])
    const [, aside] = /The replaced data is in (\S+)/.exec(stdout)!
    expect(names(aside!)).toEqual(['current'])
    expect(readdirSync(join(aside!, 'uploads'))).toEqual(['new-160.webp'])
    expect((await medley(['restore', aside!], { DATA_DIR: dataDir })).code).toBe(0)
    expect(names(dataDir)).toEqual(['current'])
  })

  test.each([
    ['a newer version', () => aDatabase('bad-newer', newer), /^The database is newer than this version/],
    ['another program', () => aDatabase('bad-other', 'delete from kysely_migration'), /is not one of Medley/],
    ['nothing', () => join(folder, 'nowhere'), /is not a backup/],
    [
      'a damaged disk',
      () => {
        const path = aDatabase('bad-damaged')
        const file = join(path, 'medley.sqlite')
        writeFileSync(file, readFileSync(file).fill(7, 8_192, 400_000))
        return path
      },
      /damaged/,
    ],
  ])('changes nothing if the backup is of %s', async (_name, backup, says) => {
    const dataDir = aDatabase('unchanged', marked('current'))
    const path = backup()
    const { code, stderr } = await medley(['restore', path], { DATA_DIR: dataDir })
    expect([code, stderr]).toEqual([1, expect.stringMatching(says)])
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    expect(names(dataDir)).toEqual(['current'])
    expect(readdirSync(dataDir).filter((name) => /restore/.test(name))).toEqual([])
    rmSync(dataDir, { recursive: true })
  })
})

test('verify-email lets a member log in, and says if there is no such member', async () => {
  const member = `insert into users (username, username_folded, search_text, email, email_folded, created_at)
    values ('Ann', 'ann', 'ann', 'ann@example.org', 'ann@example.org', '2026-01-01T00:00:00.000Z')`
  const env = { DATA_DIR: aDatabase('members', member) }
  expect(await medley(['verify-email', 'ANN'], env)).toMatchObject({
    code: 0,
    stdout: 'Ann can log in now.\n',
  })
  expect((await medley(['verify-email', 'ann'], env)).stdout).toBe('Ann was already verified.\n')
  for (const args of [['bob'], []])
    expect(await medley(['verify-email', ...args], env)).toMatchObject({ code: 1, stdout: '' })
})

test('login-link prints a link for a verified member, and says if there is none', async () => {
  const member = (name: string, verified: string) =>
    `insert into users (username, username_folded, search_text, email, email_folded, created_at, verified_at)
      values ('${name}', '${name.toLowerCase()}', 'x', '${name}@example.org', '${name}@example.org', '2026-01-01', ${verified});`
  const dataDir = aDatabase('links', member('Ann', "'2026-01-01'") + member('Bea', 'null'))
  const env = { DATA_DIR: dataDir, PUBLIC_URL: 'https://medley.example.org' }
  const { code, stdout } = await medley(['login-link', 'ANN'], env)
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^https:\/\/medley\.example\.org\/login#link=[\w-]{43}\n$/),
  ])
  for (const args of [['bea'], ['nobody'], []])
    expect(await medley(['login-link', ...args], env)).toMatchObject({ code: 1, stdout: '' })
})

describe('doctor', () => {
  /** A server that responds to any request, with the time that `now` returns. */
  async function aSource(status: number, now = new Date()): Promise<string> {
    const server = createServer((_request, response) =>
      response.writeHead(status, { date: now.toUTCString(), 'content-type': 'application/json' }).end('{}'),
    )
    closers.push(() => server.close())
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  async function aMailServer(): Promise<{ port: number; received: () => number }> {
    let received = 0
    const server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      authOptional: true,
      onAuth: ({ password }, _session, done) =>
        password === 'right' ? done(null, { user: 'medley' }) : done(new Error('Wrong password.')),
      onData: (stream, _session, done) => {
        received++
        stream.resume()
        done()
      },
    })
    server.listen(0, '127.0.0.1')
    await once(server.server, 'listening')
    closers.push(() => server.close(() => {}))
    return { port: (server.server.address() as AddressInfo).port, received: () => received }
  }

  test('says what to change and what is broken, and sends no email', async () => {
    const mail = await aMailServer()
    const [another, fast] = [issuer('another'), issuer('fast')]
    another.on('/.well-known/openid-configuration', json({ issuer: 'https://another.invalid' }))
    fast.on('', (_request, response) => {
      response.writeHead(404, { date: new Date(Date.now() + 3_600_000).toUTCString() }).end()
    })
    const env = {
      ...another.env({ LABEL: 'Another ID' }),
      ...fast.env({ LABEL: 'Fast ID' }),
      DATA_DIR: aDatabase('examined'),
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://medley.invalid',
      SMTP_URL: `smtp://medley:wrong@127.0.0.1:${mail.port}`,
      TMDB_TOKEN: 'revoked',
      TMDB_API_URL: await aSource(401),
      OPEN_LIBRARY_URL: await aSource(200, new Date(Date.now() - 3_600_000)),
      TVMAZE_URL: await aSource(503),
      RATE_LIMITS: 'off',
      HTTPS_PROXY: 'http://u:wrong@127.0.0.1:1',
      NO_PROXY: '127.0.0.1',
    }
    const { code, stdout } = await medley(['doctor'], env)
    expect(code).toBe(1)
    for (const finding of [
      /^change +RATE_LIMITS is off: /m,
      /^change +MAIL_FROM is /m,
      /^ok +.*medley\.sqlite responds and has the current schema\.$/m,
      /^ok +\d+ MB are free in DATA_DIR/m,
      /^broken +SMTP_URL \(smtp:\/\/127\.0\.0\.1:\d+, user medley, a password\): .* It refuses the login \(535\)/m,
      /^ok +Links in emails, .* start with https:\/\/medley\.invalid \(PUBLIC_URL\)\./m,
      /^broken +HTTPS_PROXY: .* go through http:\/\/127\.0\.0\.1:1, user u, a password, except of 127\.0\.0\.1 \(NO_PROXY\), which does not respond \(ECONNREFUSED\)/m,
      /^broken +TMDB_TOKEN: the source refuses the search/m,
      /^change +Games are searched in the starter catalogue only/m,
      /^change +TVMAZE_URL: the source does not respond/m,
      /^broken +OIDC_ANOTHER_ISSUER: logins with Another ID do not work \(.*to the last slash/m,
      /^ok +OIDC_FAST_ISSUER: Fast ID responds\. .* redirects to https:\/\/medley\.invalid\/auth\/oidc\/fast\/callback, and after logouts to /m,
      /^broken +OIDC_FAST_ISSUER: the clocks here and there differ by 3[56]\d\d seconds/m,
      /^change +PUBLIC_URL is https, .* Set TRUST_PROXY=on/m,
      /^change +PUBLIC_URL: Medley does not respond/m,
      /^broken +The clock is 36\d\d seconds fast\./m,
    ])
      expect(stdout).toMatch(finding)
    expect(stdout).not.toMatch(/wrong|revoked|client-secret/)
    expect(mail.received()).toBe(0)
  })

  test('exits with 0 if everything works', async () => {
    const mail = await aMailServer()
    const { code, stdout } = await medley(['doctor'], {
      DATA_DIR: aDatabase('healthy'),
      SMTP_URL: `smtp://medley:right@127.0.0.1:${mail.port}`,
      ...issuer('healthy').env(),
    })
    expect(stdout).toMatch(/^ok +OIDC_HEALTHY_ISSUER: Healthy responds/m)
    expect(stdout).toMatch(/^ok +SMTP_URL \(.*\): the mail server accepts/m)
    expect(stdout).toMatch(/^ok +Links in emails, .* start with http:\/\/127\.0\.0\.1:0 /m)
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('broken')])
  })
})
