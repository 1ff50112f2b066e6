import { promises as fs, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { FileMigrationProvider, Migrator } from 'kysely/migration'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { messages } from '#shared/texts/messages.ts'
import { username as schema } from '#shared/contracts/scalars.ts'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { aSignedInMember, aMember, aServer, freshPostgres } from '#server/testing.ts'
import { confusableKey } from '#server/db/fold.ts'
import { setPassword } from './credentials-store.ts'
import { hashPassword } from './passwords.ts'
import { hashToken } from './rules.ts'
import { updateUser } from './store.ts'

const server = await aServer()
const { db } = server
const password = 'correct horse'
let count = 0
const register = (username: string) =>
  server.as().accounts.register({ username, email: `named-${++count}@example.org`, password })

describe('a username', () => {
  test.each([
    'lantern_moth',
    'J.-P_42',
    'Zoë',
    'Nguyễn',
    'Ελλάδα',
    'Борис_7',
    'מדלי',
    'مدلي',
    'नमस्ते',
    'สวัสดี',
    'தமிழ்',
    'ქართული',
    'ᏣᎳᎩ',
    'ひらがなカタカナー漢字',
    'さくらSakura',
    '漢字ㄅㄆ',
    '한국어漢字abc',
    '٣على',
    'Ọ\u0301ládìpọ',
    'S\u0331ora',
    'مُحَمَّد',
    'がぱあ\u3099',
    'Șerban',
    'İrem',
    'Αχιλλε\u0342ας',
  ])('in one writing system is accepted: %s', (name) => {
    expect(schema.parse(name)).toBe(name.normalize('NFKC'))
  })

  test.each([
    ['Hangul fillers', '\u3164\u3164'],
    ['a Hangul filler at its end', 'ada\u3164'],
    ['a half-width Hangul filler', 'ada\uffa0'],
    ['Hangul jamo fillers', '\u115f\u1160'],
    ['a zero-width joiner', 'a\u200dda'],
    ['a combining grapheme joiner', 'a\u034fda'],
    ['a variation selector', 'ada\ufe0f'],
    ['a tag character', 'ada\u{e0061}'],
    ['a soft hyphen', 'a\u00adda'],
    ['a text direction mark', 'ada\u202e'],
    ['marks alone', '\u0301\u0302'],
    ['a mark at its start', '\u0301ada'],
    ['a mark on a dot', 'a.\u0323b'],
    ['five marks on a letter', 'a\u0300\u0301\u0302\u0303\u0304'],
    ['the same mark twice', 'a\u0323\u0323'],
    ['a line under it', 'demo\u0332'],
    ['a double line under it', 'demo\u0333'],
    ['a line over it', 'demo\u0305'],
    ['a stroke through a letter', 'demo\u0335'],
    ['a slash through a letter', 'de\u0338mo'],
    ['a tilde through a letter', 'de\u0334mo'],
    ['an enclosing circle', 'demo\u20dd'],
    ['a long line through a letter', 'demo\u20d2'],
    ['an enclosing sign of Cyrillic', 'борис\u0488'],
    ['a dot on an i', 'admi\u0307n'],
    ['a dot on an i with a dot below', 'admi\u0323\u0307n'],
    ['a voicing mark on Latin', 'demo\u3099'],
    ['half a mark over it', 'demo\ufe20'],
    ['dots alone', '..'],
    ['signs alone', '-_-'],
    ['Cyrillic within Latin', 'p\u0430ypal'],
    ['Greek within Latin', 'm\u03bfth'],
    ['Cherokee within Latin', '\u13aada'],
    ['Armenian within Latin', 'm\u0585th'],
    ['a letterlike symbol that stands for Hebrew', 'm\u2135th'],
    ['Bengali digits within Latin', 'ada\u09ea'],
    ['Hangul with kana', '한국かな'],
    ['Bopomofo with kana', 'ㄅㄆかな'],
    ['Cyrillic with Han', 'борис漢'],
    ['a ligature of a whole sentence', '\ufdfa\ufdfa'],
    ['one letter', 'a'],
    ['31 letters', 'a'.repeat(31)],
  ])('is refused if it has %s', (_what, name) => {
    expect(schema.safeParse(name).error?.issues[0]?.message).toBe(messages.usernameInvalid)
  })

  test('is the same name in compatibility forms', async () => {
    const { user } = await register('ｆｕｌｌ＿ｗｉｄｔｈ')
    expect(user.username).toBe('full_width')
    for (const same of ['full_width', 'FULL_WIDTH', 'ＦＵＬＬ_width', '𝐟𝐮𝐥𝐥_𝓌𝒾𝒹𝓉𝒽'])
      await expect(register(same), same).rejects.toMatchObject({
        code: 'CONFLICT',
        message: messages.usernameTaken,
      })
  })

  test.each([
    ['the same in Cyrillic', 'scope', 'ѕсоре'],
    ['the same in Greek', 'OKTAH', 'ΟΚΤΑΗ'],
    ['the same in Lisu', 'BELT', 'ꓐꓰꓡꓔ'],
    ['a Cyrillic name in Latin', 'хасоу', 'xacoy'],
    ['digits for letters', 'lollipop', '1o11ip0p'],
    ['a capital I for an l', 'medleyclub', 'medIeycIub'],
    ['rn for m', 'moderntimes', 'modemtimes'],
  ])('conflicts with one that looks like it: %s', async (_what, existing, lookalike) => {
    await register(existing)
    const taken = { code: 'CONFLICT', message: messages.usernameTaken }
    await expect(register(lookalike)).rejects.toMatchObject(taken)
    const as = server.as(await aSignedInMember(db)).accounts
    await expect(as.updateProfile({ username: lookalike })).rejects.toMatchObject(taken)
  })

  test('of concurrent registrations with names that look alike, one succeeds', async () => {
    const results = await Promise.allSettled([
      register('caperace'),
      register('сарегасе'),
      register('сареrасе'),
    ])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})

describe('a name of the host', () => {
  const taken = { code: 'CONFLICT', message: messages.usernameTaken }
  beforeAll(async () => {
    const { id, username } = await aMember(db)
    await db.updateTable('users').set({ role: 'admin' }).where('id', '=', id).execute()
    await server.as({ id, username, role: 'admin' }).site.change({ name: 'Film Club' })
  })

  test.each([
    'admin',
    'Moderator',
    'support',
    'staff',
    'medley',
    'MEDLEY.Support',
    'the-official_team',
    'adm1n',
    'Admin_2',
    'ádmin',
    'a.d.m.i.n',
    'Ｓｔａｆｆ',
    'rnoderator',
    'Film_Club',
    'filmclub.help',
  ])('is refused to members, and what looks like it: %s', async (name) => {
    await expect(register(name)).rejects.toMatchObject(taken)
    const member = server.as(await aSignedInMember(db)).accounts
    await expect(member.updateProfile({ username: name })).rejects.toMatchObject(taken)
  })

  test.each(['adminton', 'staffordshire', 'modesty', 'teamwork', 'theo', 'supporter'])(
    'is not in %s',
    async (name) => {
      expect((await register(name)).user.username).toBe(name)
    },
  )

  test('stays with who has it, and an admin may take it', async () => {
    const holder = await aSignedInMember(db, 'support')
    const call = server.as(holder).accounts
    expect((await call.updateProfile({ username: 'Support', bio: 'Since 2024.' })).user.bio).toBe(
      'Since 2024.',
    )
    const admin = await aSignedInMember(db)
    const { user } = await server
      .as({ ...admin, role: 'admin' })
      .accounts.updateProfile({ username: 'Admin' })
    expect(user.username).toBe('Admin')
  })
})

test('an account whose name would be refused today keeps working', async () => {
  for (const username of ['\u3164\u3164', 'p\u0430ypal', '..']) {
    const { id } = await aMember(db, username)
    const email = `old-${id}@example.org`
    await db.updateTable('users').set({ email, email_folded: email }).where('id', '=', id).execute()
    await setPassword(db, id, await hashPassword(password), new Date())
    const { token, user } = await server.as().accounts.login({ email, password })
    const as = server.as({ ...user, sessionHash: hashToken(token) } as never).accounts
    expect((await as.updateProfile({ profilePicture: null })).user.username).toBe(username)
    expect((await server.as().accounts.profile({ id })).user.username).toBe(username)
    await as.updateProfile({ username: `plain-${id}` })
    expect((await as.me()).user.username).toBe(`plain-${id}`)
  }
})

test('the migration that adds keys preserves names that look alike, and the oldest gets the key', async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'medley-names-'))
  const postgresUrl = inject('postgresUrl')
  const old = openDatabase({
    dataDir,
    databaseUrl: postgresUrl ? await freshPostgres(postgresUrl) : undefined,
  })
  const migrationFolder = path.join(import.meta.dirname, '../../migrations')
  const provider = new FileMigrationProvider({ fs, path, migrationFolder, import: (file) => import(file) })
  const { error } = await new Migrator({ db: old, provider }).migrateTo('0004-wrote-at')
  expect(error).toBeUndefined()
  const names = ['scope', 'ѕсоре', 'SCOPE2', '\u3164\u3164', 'paypa1', 'paypal']
  const readers = Array.from({ length: 2_500 }, (_, index) => `reader-${index}`)
  for (const name of [...names, ...readers, 'PaypaI']) await aMember(old, name, { password_hash: 'none' })
  expect(await migrate(old)).toContain('0005-accounts')
  const rows = await old.selectFrom('users').select(['username', 'username_key']).orderBy('id').execute()
  expect(rows).toHaveLength(names.length + 2_501)
  const keyOf = (name: string) => rows.find(({ username }) => username === name)!.username_key
  expect(keyOf('scope')).toBe(confusableKey('scope'))
  expect(keyOf('paypa1')).toBe(confusableKey('paypal'))
  expect([keyOf('ѕсоре'), keyOf('paypal'), keyOf('PaypaI')]).toEqual([null, null, null])
  await old.destroy()
  rmSync(dataDir, { recursive: true })
})

test('a name without a key can change its case without getting one, and a new name gets one', async () => {
  const { id } = await aMember(db, 'holder')
  const key = async (of: number) =>
    (await db.selectFrom('users').select('username_key').where('id', '=', of).executeTakeFirstOrThrow())
      .username_key
  await updateUser(db, id, { username: 'HOLDER' })
  expect(await key(id)).toBeNull()
  await updateUser(db, id, { username: 'holder-two' })
  expect(await key(id)).toBe(confusableKey('holder-two'))
})

test.each([
  ['an invisible character', 'ad\u3164a@example.org'],
  ['a direction override', 'ada\u202egro.elpmaxe@example.org'],
  ['a soft hyphen in its domain', 'ada@exam\u00adple.org'],
  ['full-width letters in its domain', 'ada@ｅxample.org'],
  ['an ideographic full stop in its domain', 'ada@example。mail.org'],
])('an email with %s, which mail servers treat as another address, is refused', async (_what, email) => {
  await expect(server.as().accounts.register({ username: 'mailer', email, password })).rejects.toThrow(
    messages.emailInvalid,
  )
})
