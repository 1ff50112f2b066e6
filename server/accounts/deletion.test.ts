import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { messages } from '#shared/texts/messages.ts'
import { seeded } from '#scripts/testing/random.ts'
import { insertMany, isSqlite } from '#server/db/dialect.ts'
import {
  aSignedInMember,
  aMember,
  anUpload,
  aServer,
  aTitle,
  mailsTo,
  plansOf,
  rate,
  memberColumns,
  findCounterFaults,
} from '#server/testing.ts'
import type { Member } from '#server/calls/context.ts'
import { countContents } from './store.ts'
import { openDeletions, removeAccount } from './deletion.ts'
import { setPassword } from './credentials-store.ts'
import { hashPassword } from './passwords.ts'

const server = await aServer()
const { db, as, config } = server
const { services } = server
const start = new Date('2026-05-01T12:00:00.000Z')
const day = 24 * 60 * 60_000
const later = (ms: number) => new Date(start.getTime() + ms)
const due = later(7 * day)
const time = start.toISOString()
const currentPassword = 'correct horse'
const passwordHash = await hashPassword(currentPassword)

/** Creates a member with a password and a session. */
async function aReader(username?: string): Promise<Member> {
  const member = await aSignedInMember(db, username)
  await setPassword(db, member.id, passwordHash, start)
  return member
}

const accountOf = (member: Member, now = start) => as(member, { now }).accounts
const mailsOf = ({ username }: Member) => mailsTo(db, `${username}@example.org`)
const tokenIn = ({ text }: { text: string }) => /keep-account\?token=([\w-]+)/.exec(text)![1]!
const exists = async ({ id }: Member) =>
  (await db.selectFrom('users').select('id').where('id', '=', id).execute()).length === 1
const schedule = ({ id }: Member) =>
  db.updateTable('users').set({ deletion_at: due.toISOString() }).where('id', '=', id).execute()

const remove = ({ id }: Member, signal?: AbortSignal) => removeAccount(db, services, id, due, signal)

/**
 * Removes an account, with interruptions after varying numbers of batches, as if the process ended. Expects correct
 * counters each time. Returns the number of interruptions.
 */
async function removeInterrupted(member: Member): Promise<number> {
  let runs = 0
  // A run checks the signal once for each step, even if the step has nothing left to do.
  while (!(await remove(member, abortedAfter(1 + (runs % 60))))) {
    expect(await findCounterFaults(db)).toEqual([])
    if (++runs > 500) throw new Error('The deletion does not end.')
  }
  expect(await findCounterFaults(db)).toEqual([])
  return runs
}

async function runDeletions(now: Date): Promise<void> {
  const deletions = openDeletions(services, { db, log: { ...console, info() {} }, now: () => now })
  await deletions.runDue()
  await deletions.close()
}

/** A signal that is aborted after `steps` reads of `aborted`. */
function abortedAfter(steps: number): AbortSignal {
  let asked = 0
  return {
    get aborted() {
      return asked++ >= steps
    },
  } as AbortSignal
}

describe('a request to delete an account', () => {
  test('requires the password, and emails a link that cancels the deletion', async () => {
    const member = await aReader()
    const call = accountOf(member)
    await expect(call.requestDeletion({ currentPassword: 'wrong' })).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: messages.currentPasswordWrong,
    })
    expect((await call.deletion()).deletionAt).toBeNull()
    const requested = await call.requestDeletion({ currentPassword })
    expect(requested).toEqual({ message: messages.deletionScheduled, deletionAt: due.toISOString() })
    expect((await call.deletion()).deletionAt).toBe(due.toISOString())
    expect((await call.me()).user.deletionAt).toBe(due.toISOString())
    // A second call changes nothing and sends no email.
    const again = accountOf(member, later(day))
    expect((await again.requestDeletion({ currentPassword })).deletionAt).toBe(due.toISOString())
    const mails = await mailsOf(member)
    expect(mails.map(({ subject }) => subject)).toEqual(['Your Medley account will be deleted'])
    expect(mails[0]!.text).toContain('will be deleted on 8 May 2026')

    const token = tokenIn(mails[0]!)
    const visitor = as(null, { now: later(6 * day) }).accounts
    expect(await visitor.keepAccount({ token })).toEqual({ message: messages.deletionCanceled })
    expect((await call.deletion()).deletionAt).toBeNull()
    await expect(visitor.keepAccount({ token })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      reason: 'LINK_USED',
      message: messages.deletionLinkFailed,
    })
    // After the next request, the account does not stay, so the earlier link no longer says that.
    const next = accountOf(member, later(6 * day))
    await next.requestDeletion({ currentPassword })
    await expect(visitor.keepAccount({ token })).rejects.not.toHaveProperty('reason')
    await next.cancelDeletion()
    await expect(visitor.keepAccount({ token: '' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('Too small'),
    })
    expect(await remove(member)).toBe(false)
    await runDeletions(due)
    expect(await exists(member)).toBe(true)
  })

  test('can be canceled in the settings, which uses up the link', async () => {
    const member = await aReader()
    const call = accountOf(member)
    await call.requestDeletion({ currentPassword })
    expect(await call.cancelDeletion()).toEqual({ message: messages.deletionCanceled })
    expect((await call.me()).user.deletionAt).toBeNull()
    const [mail] = await mailsOf(member)
    await expect(
      as(null, { now: later(day) }).accounts.keepAccount({ token: tokenIn(mail!) }),
    ).rejects.toMatchObject({
      message: messages.deletionLinkFailed,
      reason: 'LINK_USED',
    })
    // The limit of one email a minute applies, because the deletion needs an email with its link.
    await expect(call.requestDeletion({ currentPassword })).rejects.toMatchObject({
      code: 'TOO_MANY_REQUESTS',
    })
    expect((await call.deletion()).deletionAt).toBeNull()
    await accountOf(member, later(60_000)).requestDeletion({ currentPassword })
    expect(await mailsOf(member)).toHaveLength(2)
    await call.cancelDeletion()
  })

  test('is refused for demo accounts, and for sessions that have ended', async () => {
    const demo = await aReader()
    await db.updateTable('users').set({ is_demo: 1 }).where('id', '=', demo.id).execute()
    await expect(accountOf(demo).requestDeletion({ currentPassword })).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: messages.demoAccountStays,
    })
    const member = await aReader()
    await db.deleteFrom('sessions').where('user_id', '=', member.id).execute()
    await expect(accountOf(member).requestDeletion({ currentPassword })).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    })
    expect((await accountOf(member).deletion()).deletionAt).toBeNull()
  })
})

/** Creates a member with rows in all tables, and other members. Follows, reactions and comments exist in both directions. */
async function aLife(random: () => number) {
  const member = await aReader()
  const others = await Promise.all(Array.from({ length: 4 }, () => aReader()))
  const everyone = [member, ...others]
  const titles: number[] = []
  for (let count = 0; count < 6; count++) titles.push(await aTitle(db))
  for (const one of everyone) {
    for (const another of everyone)
      if (one !== another && random() < 0.7) await as(one).social.follow({ userIdToFollow: another.id })
    for (const movieId of titles)
      if (random() < 0.8) {
        await as(one).reviews.save({ movieId, rating: 1 + Math.floor(random() * 5), text: 'Seen.' })
        if (random() < 0.5) await as(one).favoriteMovies.add({ movieId })
        if (random() < 0.5) await as(one).diary.create({ movieId, status: 'want' })
      }
  }
  const reviews = await db.selectFrom('reviews').select('id').where('media_id', 'in', titles).execute()
  for (const one of everyone)
    for (const { id } of reviews) {
      if (random() < 0.4) await as(one).reviews.react({ id, reaction: random() < 0.5 ? 'like' : 'dislike' })
      if (random() < 0.4) await as(one).reviews.addComment({ id, text: 'Me too.' })
    }
  const { movie } = await as(member).movies.create({ name: 'Made here' })
  await rate(server, movie.id, [[others[0]!, 4]])
  const { id: importId } = await db
    .insertInto('imports')
    .values({
      user_id: member.id,
      service: 'goodreads',
      file_name: 'books.csv',
      file_hash: 'x',
      options: '{}',
      facts: '{}',
      state: 'applying',
      next_at: time,
      created_at: time,
      updated_at: time,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: titleId } = await db
    .insertInto('import_titles')
    .values({
      import_id: importId,
      title_key: 'x',
      kind: 'book',
      name: 'X',
      search_text: 'x',
      record: '{}',
      state: 'new',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertMany(
    db,
    'import_lines',
    Array.from({ length: 120 }, (_, line) => ({
      import_id: importId,
      title_id: titleId,
      file: 'books.csv',
      line,
      raw: '{}',
    })),
  )
  await insertMany(db, 'import_keys', [
    { user_id: member.id, key: 'x', media_id: titles[0], import_id: importId },
  ])
  await as(member).accounts.createAccessToken({ name: 'Backup', scopes: ['read'] })
  await as(member).webhooks.create({ url: 'https://example.org/hook', events: ['review', 'comment'] })
  await as(member).webhooks.test({ id: (await as(member).webhooks.list()).webhooks[0]!.id })
  return { member, others, titles, created: movie.id }
}

/** Returns the rows that belong to a member, by table. */
async function rowsOf({ id }: Member) {
  const counts: Record<string, number> = {}
  for (const [table, column] of [...(await memberColumns(db)), ['users', 'id'] as const]) {
    const rows = await db
      .selectFrom(table)
      .selectAll()
      .where(column as never, '=', id as never)
      .execute()
    if (rows.length > 0) counts[table] = rows.length
  }
  return counts
}

describe('a deletion that is due', () => {
  test('removes everything of the member in batches, each of which keeps the counters correct', async () => {
    for (const seed of [1, 2]) {
      const { member, others, created } = await aLife(seeded(seed))
      const { id } = member
      const before = await rowsOf(member)
      expect(Object.keys(before)).toEqual(expect.arrayContaining(['reviews', 'comments', 'imports', 'media']))
      await accountOf(member).requestDeletion({ currentPassword })
      const { removes, keeps } = await accountOf(member).deletion()
      expect(removes).toMatchObject({
        reviews: before.reviews,
        comments: before.comments,
        reactions: before.reactions,
        diaryEntries: before.diary_entries,
        favorites: before.favorites,
        imports: 1,
      })
      expect(keeps).toEqual({ titles: 1 })
      await runDeletions(new Date(due.getTime() - 1))
      expect(await rowsOf(member)).toMatchObject(before)

      expect(await removeInterrupted(member)).toBeGreaterThan(3)
      expect(await rowsOf(member)).toEqual({})
      expect(await mailsOf(member)).toEqual([])
      const text = JSON.stringify([
        await db.selectFrom('users').selectAll().execute(),
        await db.selectFrom('mail_counts').selectAll().execute(),
      ])
      expect(text).not.toMatch(new RegExp(`${member.username}"|\\[deleted`))
      for (const other of others) expect(await exists(other)).toBe(true)
      // The title stays, with the ratings of others.
      const title = await db.selectFrom('media').selectAll().where('id', '=', created).executeTakeFirst()
      expect(title).toMatchObject({ name: 'Made here', created_by: null, rating_count: 1 })
      await expect(as().accounts.profile({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
  })

  test('is carried out by the queue', async () => {
    const member = await aReader()
    await accountOf(member).requestDeletion({ currentPassword })
    await runDeletions(due)
    expect(await exists(member)).toBe(false)
    expect(await db.selectFrom('tasks').select('key').where('queue', '=', 'deletions').execute()).toEqual([])
  })

  test('ends the sessions and frees the username and the email in its first step', async () => {
    const member = await aReader('Leaving')
    await schedule(member)
    const visitor = as(null, { now: due }).accounts
    const person = { username: 'leaving', email: 'leaving@example.org', password: currentPassword }
    await expect(visitor.register(person)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await remove(member, abortedAfter(1))).toBe(false)
    expect(await exists(member)).toBe(true)
    expect(await db.selectFrom('sessions').selectAll().where('user_id', '=', member.id).execute()).toEqual([])
    await expect(visitor.login({ email: person.email, password: currentPassword })).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    })
    await expect(visitor.profile({ id: member.id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await visitor.register(person)
    expect(await remove(member)).toBe(true)
    expect(await exists(member)).toBe(false)
  })

  test('removes the pictures of the member, and keeps the pictures of titles', async () => {
    const member = await aReader()
    mkdirSync(join(config.dataDir, 'uploads'), { recursive: true })
    const aPicture = async (ownerId: number | null) => {
      const path = await anUpload(db, { ownerId })
      const file = join(config.dataDir, path.slice(1))
      writeFileSync(file, '')
      return { path, file }
    }
    const [portrait, unused, poster] = [
      await aPicture(null),
      await aPicture(member.id),
      await aPicture(member.id),
    ]
    await db.updateTable('users').set({ picture: portrait.path }).where('id', '=', member.id).execute()
    await as(member).movies.create({ name: 'With a poster', imageUrl: poster.path })
    await schedule(member)
    expect(await remove(member)).toBe(true)
    expect([portrait, unused, poster].map(({ file }) => existsSync(file))).toEqual([false, false, true])
    const uploads = await db.selectFrom('uploads').select(['path', 'owner_id']).execute()
    expect(uploads).toEqual([{ path: poster.path, owner_id: null }])
  })

  test('removes more comments, reactions and followers than fit into a batch', async () => {
    const member = await aReader()
    const movieId = await aTitle(db)
    const { review } = await as(member).reviews.save({ movieId, rating: 5, text: 'Famous.' })
    const fans: Member[] = []
    for (let count = 0; count < 250; count++) fans.push(await aMember(db))
    const of = (make: (fan: Member) => object) => fans.map(make)
    await insertMany(
      db,
      'comments',
      of(({ id }) => ({
        review_id: review.id,
        user_id: id,
        text: 'Yes.',
        has_spoilers: 0,
        created_at: time,
      })),
    )
    await insertMany(
      db,
      'reactions',
      of(({ id }) => ({ review_id: review.id, user_id: id, reaction: id % 3 ? 'like' : 'dislike' })),
    )
    await insertMany(
      db,
      'follows',
      of(({ id }) => ({ follower_id: id, followee_id: member.id, created_at: time })),
    )
    const likes = fans.filter(({ id }) => id % 3).length
    await db
      .updateTable('reviews')
      .set({ comment_count: 250, like_count: likes, dislike_count: 250 - likes })
      .where('id', '=', review.id)
      .execute()
    await db.updateTable('users').set({ follower_count: 250 }).where('id', '=', member.id).execute()
    await db
      .updateTable('users')
      .set({ following_count: 1 })
      .where(
        'id',
        'in',
        fans.map(({ id }) => id),
      )
      .execute()
    expect(await findCounterFaults(db)).toEqual([])
    await schedule(member)
    await removeInterrupted(member)
    expect(await rowsOf(member)).toEqual({})
  })

  test('happens once if two processes work on it, while members use what it removes', async () => {
    const random = seeded(5)
    const { member, others, titles } = await aLife(random)
    await schedule(member)
    const reviews = await db.selectFrom('reviews').select('id').where('user_id', '=', member.id).execute()
    const busy = others.map(async (other) => {
      for (const { id } of reviews) {
        await as(other)
          .reviews.react({ id, reaction: 'like' })
          .catch((error: { code: string }) => expect(error.code).toBe('NOT_FOUND'))
        await as(other)
          .reviews.addComment({ id, text: 'Wait!' })
          .catch((error: { code: string }) => expect(error.code).toBe('NOT_FOUND'))
      }
      for (const movieId of titles) await as(other).reviews.save({ movieId, rating: 3 })
    })
    const removals = await Promise.all([remove(member), remove(member)])
    await Promise.all(busy)
    expect(removals.filter(Boolean)).toHaveLength(1)
    expect(await rowsOf(member)).toEqual({})
    expect(await findCounterFaults(db)).toEqual([])
  })
})

test('the preview of a deletion counts rows by indexes', async () => {
  const member = await aReader()
  const plans = await plansOf(db, (recorded) => countContents(recorded, member.id))
  // Postgres reads small tables as a whole.
  const scan = isSqlite(db) ? /^SCAN (?!CONSTANT)/ : /^(?!)/
  expect(plans.filter((line) => scan.test(line))).toEqual([])
})
