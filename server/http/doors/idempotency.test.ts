import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type Caller, prepareCalls, roleOf } from '#scripts/testing/calls.ts'
import { checkResponses } from '#scripts/testing/conformance.ts'
import { messages } from '#shared/texts/messages.ts'
import { removeExpiredKeys, runOnce } from './idempotency.ts'
import { buildApp } from '#server/app.ts'
import { type Db, sameDatabase } from '#server/db/open.ts'
import { appRouter } from '#server/router.ts'
import { aServer, aTitle } from '#server/testing.ts'
import type { Context } from '#server/calls/context.ts'
import { type RestMeta, restProcedures } from '#server/calls/described.ts'
import { noWeb } from '#server/http/pages/web.ts'

const server = await aServer({ RATE_LIMITS: 'off' })
const { db } = server
const app = await buildApp(server.services, { web: noWeb })
/** Another process on the same database. */
const other = await buildApp(server.services, { web: noWeb })
await checkResponses(app)
afterAll(() => Promise.all([app.close(), other.close()]))
const { calls, newAccessToken, newCaller, titles } = await prepareCalls(server)

let member: Caller
beforeEach(async () => {
  member = await newCaller()
})

type Sent = { url?: string; key?: string; payload?: object | string; as?: Caller | null; via?: typeof app }
/** Comments on a review of the friend. If the request ran twice, there would be two comments. */
function post({ url, key, payload = { text: 'Agreed.' }, as = member, via = app }: Sent = {}) {
  return via.inject({
    method: 'POST',
    url: url ?? `/reviews/${reviewId}/comments`,
    headers: {
      'content-type': 'application/json',
      ...(as && { authorization: `Bearer ${as.token}` }),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    payload,
  })
}
const author = await newCaller()
const { review } = await server.as(author).reviews.save({ movieId: titles.movie, rating: 4, text: 'Good.' })
const reviewId = review.id
const commentsOf = ({ id }: Caller) =>
  db.selectFrom('comments').select(['id', 'text']).where('user_id', '=', id).execute()
const rowsOf = ({ id }: Caller) =>
  db.selectFrom('idempotency_keys').selectAll().where('user_id', '=', id).execute()

describe('a POST with an idempotency key', () => {
  test('is run once, and repeated requests get the same response', async () => {
    const first = await post({ key: 'one' })
    expect(first.statusCode).toBe(201)
    expect(first.headers['idempotency-replayed']).toBeUndefined()
    for (const via of [app, other]) {
      const again = await post({ key: 'one', via })
      expect([again.statusCode, again.json()]).toEqual([201, first.json()])
      expect(again.headers).toMatchObject({
        'idempotency-replayed': 'true',
        'content-type': first.headers['content-type'],
        location: `/comments/${first.json().comment.id}`,
        'cache-control': 'no-store',
      })
    }
    expect(await commentsOf(member)).toHaveLength(1)
  })

  test('leaves no hash in the database from which a password of its body could be guessed: it depends on the key', async () => {
    const confirm = { url: '/users/me/confirmation', payload: { password: 'six-or-more' } }
    for (const key of ['one', 'two']) expect((await post({ ...confirm, key })).statusCode).toBe(200)
    const [one, two] = await rowsOf(member)
    expect(one!.request_hash).not.toBe(two!.request_hash)
  })

  test('without the key, or with another one, is run again', async () => {
    for (const key of [undefined, undefined, 'a', 'b']) {
      const sent = key === undefined ? {} : { key }
      expect((await post(sent)).headers['idempotency-replayed']).toBeUndefined()
    }
    expect(await commentsOf(member)).toHaveLength(4)
  })

  test('is 422 if the body, the path or the operation differs, and then changes nothing', async () => {
    await post({ key: 'one' })
    for (const changed of [
      { payload: { text: 'Something else.' } },
      { payload: { text: 'Agreed.', hasSpoilers: true } },
      { url: `/reviews/${reviewId + 1}/comments` },
      { url: `/reviews/${reviewId}/reactions` },
      { url: '/diary', payload: { movieId: titles.movie, status: 'want' } },
    ]) {
      const response = await post({ key: 'one', ...changed })
      expect([response.statusCode, response.json()]).toEqual([
        422,
        { code: 'UNPROCESSABLE_CONTENT', message: messages.idempotencyKeyReused },
      ])
    }
    expect(await commentsOf(member)).toHaveLength(1)
    expect((await post({ key: 'one' })).statusCode).toBe(201)
  })

  test('does not show an access token without read the response of a login, nor the reverse', async () => {
    const { token } = await newAccessToken(member, ['reviews:write'])
    const narrow = { ...member, token }
    const write = { url: '/reviews', payload: { movieId: titles.movie, rating: 3 } }
    for (const [key, first, second] of [
      ['one', member, narrow],
      ['two', narrow, member],
    ] as const) {
      const sent = { ...write, key }
      const response = await post({ ...sent, as: first })
      expect((await post({ ...sent, as: second })).statusCode).toBe(422)
      const again = await post({ ...sent, as: first })
      expect([again.headers['idempotency-replayed'], again.json()]).toEqual(['true', response.json()])
    }
  })

  test('does not meet the same key of another member', async () => {
    const stranger = await newCaller()
    const [mine, theirs] = [await post({ key: 'one' }), await post({ key: 'one', as: stranger })]
    expect(theirs.headers['idempotency-replayed']).toBeUndefined()
    expect(mine.json().comment.author.id).toBe(member.id)
    expect(theirs.json().comment.author.id).toBe(stranger.id)
  })

  test('is run once if many arrive at the same time, on two processes', async () => {
    const sent = Array.from({ length: 12 }, (_, at) => post({ key: 'one', via: at % 2 ? app : other }))
    const statuses = (await Promise.all(sent)).map(({ statusCode, headers }) => {
      if (statusCode === 409) expect(headers['retry-after']).toBe('1')
      return statusCode
    })
    expect(new Set(statuses)).toEqual(statuses.includes(409) ? new Set([201, 409]) : new Set([201]))
    expect(await commentsOf(member)).toHaveLength(1)
  })

  test('repeats an error that the request caused', async () => {
    const sent = { key: 'one', url: '/reviews/999999999/comments' }
    const first = await post(sent)
    const again = await post(sent)
    expect([again.statusCode, again.json()]).toEqual([404, first.json()])
    expect(again.headers['idempotency-replayed']).toBe('true')
    const invalid = { key: 'two', payload: { text: '' } }
    expect((await post(invalid)).json()).toEqual((await post(invalid)).json())
  })

  test('is run again after an error that the request did not cause', async () => {
    let isFull = true
    const failing = sameDatabase(db, {
      async beforeCommit() {
        if (isFull) throw Object.assign(new Error('The disk is full.'), { code: 'SQLITE_FULL' })
      },
    })
    const full = await buildApp({ ...server.services, db: failing }, { web: noWeb })
    onTestFinished(() => full.close())
    const first = await post({ key: 'one', via: full })
    isFull = false
    expect(first.statusCode).toBe(503)
    expect(await rowsOf(member)).toEqual([])
    const again = await post({ key: 'one', via: full })
    expect([again.statusCode, again.headers['idempotency-replayed']]).toEqual([201, undefined])
  })

  test('is run again after a limit has refused it', async () => {
    const hook = { url: 'https://example.org/hook', events: ['review'] }
    const { webhook } = (await post({ url: '/users/me/webhooks', payload: hook })).json()
    const sendTest = (sent: Sent = {}) =>
      post({ url: `/users/me/webhooks/${webhook.id}/test`, payload: {}, ...sent })
    for (let waiting = 0; waiting < 10; waiting++) expect((await sendTest()).statusCode).toBe(200)
    expect((await sendTest({ key: 'one' })).statusCode).toBe(429)
    await db.deleteFrom('webhook_deliveries').where('webhook_id', '=', webhook.id).execute()
    const again = await sendTest({ key: 'one' })
    expect([again.statusCode, again.headers['idempotency-replayed']]).toEqual([200, undefined])
  })

  test.each(['', ' ', 'two words', 'ä', 'x'.repeat(256), 'a\tb', '\x7f'])(
    'is 400 if the key is %j, and changes nothing',
    async (key) => {
      const response = await post({ key })
      expect([response.statusCode, response.json().message]).toEqual([400, messages.idempotencyKeyInvalid])
      expect(await commentsOf(member)).toEqual([])
    },
  )

  test('accepts all visible ASCII characters', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({
          unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
          minLength: 1,
          maxLength: 255,
        }),
        async (key) => {
          const sent = { key, url: '/users/unfollow', payload: { userIdToUnfollow: author.id } }
          expect((await post(sent)).statusCode).toBe(200)
          expect((await post(sent)).headers['idempotency-replayed']).toBe('true')
        },
      ),
      { numRuns: 30, seed: 5 },
    )
  })

  test('is ignored for visitors, and for calls that need no member', async () => {
    const visitor = await post({ key: 'one', as: null })
    expect([visitor.statusCode, visitor.json().message]).toEqual([401, messages.pleaseLogIn])
    const sent = { key: 'one', url: '/auth/forgot-password', payload: { email: 'nobody@example.org' } }
    for (const response of [await post(sent), await post(sent)]) {
      expect(response.statusCode).toBe(200)
      expect(response.headers['idempotency-replayed']).toBeUndefined()
    }
    expect(await rowsOf(member)).toEqual([])
  })

  test('stores neither the key nor the text of the request', async () => {
    await post({ key: 'a-secret-key' })
    const [row] = await rowsOf(member)
    expect(JSON.stringify(row)).not.toContain('a-secret-key')
    expect(row!.key_hash).toMatch(/^[\w-]{43}$/)
  })
})

describe('after a crash of the first request', () => {
  /** Leaves a key in the state in which a killed process leaves it. */
  async function crashed({ isApplied, ageMs }: { isApplied: boolean; ageMs: number }) {
    await post({ key: 'one' })
    await db
      .updateTable('idempotency_keys')
      .set({
        status: null,
        body: null,
        is_applied: Number(isApplied),
        claimed_at: new Date(Date.now() - ageMs).toISOString(),
      })
      .where('user_id', '=', member.id)
      .execute()
    if (!isApplied) await db.deleteFrom('comments').where('user_id', '=', member.id).execute()
  }

  test('a retry is 409 for a minute, and then runs', async () => {
    await crashed({ isApplied: false, ageMs: 50_000 })
    const early = await post({ key: 'one' })
    expect([early.statusCode, early.json().message, early.headers['retry-after']]).toEqual([
      409,
      messages.idempotencyKeyRunning,
      '1',
    ])
    await crashed({ isApplied: false, ageMs: 61_000 })
    const late = await post({ key: 'one' })
    expect([late.statusCode, late.headers['idempotency-replayed']]).toEqual([201, undefined])
    expect((await post({ key: 'one' })).headers['idempotency-replayed']).toBe('true')
    expect(await commentsOf(member)).toHaveLength(1)
  })

  test('a retry does not run again if the first request was committed', async () => {
    await crashed({ isApplied: true, ageMs: 61_000 })
    const response = await post({ key: 'one' })
    expect([response.statusCode, response.json().message]).toEqual([409, messages.idempotencyKeySpent])
    expect(await commentsOf(member)).toHaveLength(1)
  })

  /** Runs a request with the key `one`. `change` gets the database to write to. */
  const runWith = (change: (db: Db) => Promise<string>) =>
    runOnce(
      { headers: { 'idempotency-key': 'one' } } as unknown as FastifyRequest,
      { header() {} } as unknown as FastifyReply,
      { db, now: new Date(), log: app.log } as unknown as Context,
      { content: () => '' },
      async ({ claimKey }) => ({ status: 201, body: await change(await claimKey!(member)) }),
    )
  const makeClaimsOld = () =>
    db
      .updateTable('idempotency_keys')
      .set({ claimed_at: new Date(Date.now() - 61_000).toISOString() })
      .where('user_id', '=', member.id)
      .execute()

  test('a request that fails after it has changed something keeps its key', async () => {
    const run = () =>
      runWith(async (marking) => {
        await marking.transaction().execute(async () => {})
        throw new Error('It failed afterwards.')
      })
    await expect(run()).rejects.toThrow('It failed afterwards.')
    await expect(run()).rejects.toThrow(messages.idempotencyKeyRunning)
    await makeClaimsOld()
    await expect(run()).rejects.toThrow(messages.idempotencyKeySpent)
  })

  test('a request that was only slow cannot commit once a retry has claimed its key', async () => {
    const reached = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const comment = (marking: Db) =>
      marking.transaction().execute(async (trx) => {
        const { id } = await trx
          .insertInto('comments')
          .values({
            review_id: reviewId,
            user_id: member.id,
            text: 'Well.',
            created_at: new Date().toISOString(),
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        return String(id)
      })
    const slow = runWith(async (marking) => {
      reached.resolve()
      await gate.promise
      return comment(marking)
    })
    await reached.promise
    await expect(runWith(comment)).rejects.toThrow(messages.idempotencyKeyRunning)
    await makeClaimsOld()
    const retry = await runWith(comment)
    expect(retry.status).toBe(201)
    gate.resolve()
    await expect(slow).rejects.toThrow(messages.idempotencyKeyRunning)
    expect(await commentsOf(member)).toHaveLength(1)
    expect(await runWith(comment)).toEqual(retry)
  })
})

test('every POST of a member is carried out once, and its transactions mark the key', async () => {
  const marked: string[] = []
  for (const [path, procedure] of restProcedures(appRouter)) {
    const { openapi, requiresMember, hasSecret } = procedure._def.meta as RestMeta
    if (openapi.method !== 'POST' || !requiresMember) continue
    const caller = await newCaller(roleOf(procedure))
    const given = { ...((await calls[path]!(caller)) as Record<string, unknown> | undefined) }
    const url = openapi.path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = String(given[name])
      delete given[name]
      return encodeURIComponent(value)
    })
    const first = await post({ url, key: 'one', payload: given, as: caller })
    expect(first.statusCode, `${path} ${first.body}`).toBeLessThan(300)
    // A logout ends the session, so that the retry is a visitor’s.
    if (path === 'accounts.logout') continue
    const [row] = await rowsOf(caller)
    if (row?.is_applied === 1) marked.push(path)
    const again = await post({ url, key: 'one', payload: given, as: caller })
    const expected = hasSecret ? [409, null] : [first.statusCode, first.body]
    expect([path, again.statusCode, hasSecret ? row!.body : again.body]).toEqual([path, ...expected])
    if (hasSecret) continue
    expect([path, again.headers.location]).toEqual([path, first.headers.location])
    expect([path, again.headers['idempotency-replayed']]).toEqual([path, 'true'])
  }
  expect(marked).toEqual(
    expect.arrayContaining([
      'reviews.save',
      'reviews.react',
      'reviews.addComment',
      'diary.create',
      'movies.create',
      'webhooks.test',
      'lists.create',
      'invites.create',
      'admin.sendTestMail',
      'admin.approve',
      'moderation.decide',
    ]),
  )
})

test('a response with a secret is declared as such, and is not stored', async () => {
  const declared = restProcedures(appRouter).flatMap(([path, procedure]) => {
    const { output, meta } = procedure._def as unknown as { output?: z.ZodObject; meta: RestMeta }
    const isOfMember = meta.openapi.method === 'POST' && meta.requiresMember
    return isOfMember && 'secret' in (output?.shape ?? {}) ? [[path, meta.hasSecret]] : []
  })
  expect(declared).toEqual(declared.map(([path]) => [path, true]))

  const request = { headers: { 'idempotency-key': 'secret' } } as unknown as FastifyRequest
  const ctx = { db, now: new Date(), log: app.log } as unknown as Context
  let runs = 0
  const run = () =>
    runOnce(
      request,
      { header() {} } as unknown as FastifyReply,
      ctx,
      { content: () => '', hasSecret: true },
      async ({ claimKey }) => {
        await claimKey!(member)
        return { status: 201, body: JSON.stringify({ secret: `mdl_${++runs}` }) }
      },
    )
  expect((await run()).body).toBe('{"secret":"mdl_1"}')
  await expect(run()).rejects.toThrow(messages.idempotencyKeySpent)
  expect([runs, JSON.stringify(await rowsOf(member))]).toEqual([1, expect.not.stringContaining('mdl_')])
})

test('keys are removed after a day, and with their member', async () => {
  const old = await newCaller()
  await post({ key: 'one', as: old })
  await post({ key: 'one' })
  const before = new Date(Date.now() - 25 * 3_600_000)
  await db
    .updateTable('idempotency_keys')
    .set({ claimed_at: before.toISOString() })
    .where('user_id', '=', old.id)
    .execute()
  // Expired keys count as new even before they are removed.
  const again = await post({ key: 'one', as: old, payload: { text: 'A day later.' } })
  expect([again.statusCode, again.headers['idempotency-replayed']]).toEqual([201, undefined])
  await db
    .updateTable('idempotency_keys')
    .set({ claimed_at: before.toISOString() })
    .where('user_id', '=', old.id)
    .execute()
  await removeExpiredKeys(db, new Date())
  expect([await rowsOf(old), (await rowsOf(member)).length]).toEqual([[], 1])
})

test('a member has at most 5,000 keys: the oldest are dropped, and none of others', async () => {
  const stranger = await newCaller()
  await post({ key: 'one', as: stranger })
  const claimed_at = new Date(Date.now() - 2_000_000).toISOString()
  await db.updateTable('idempotency_keys').set({ claimed_at }).where('user_id', '=', stranger.id).execute()
  const rows = Array.from({ length: 5_000 }, (_, at) => ({
    user_id: member.id,
    key_hash: `key ${at}`,
    request_hash: '',
    attempt: '',
    claimed_at: new Date(Date.now() - 1_000_000 + at).toISOString(),
  }))
  for (let at = 0; at < rows.length; at += 500)
    await db
      .insertInto('idempotency_keys')
      .values(rows.slice(at, at + 500))
      .execute()
  await post({ key: 'one' })
  const left = await rowsOf(member)
  expect(left).toHaveLength(5_000)
  expect(left.some(({ key_hash: hash }) => hash === 'key 0')).toBe(false)
  expect(await rowsOf(stranger)).toHaveLength(1)
})

test('of the responses of a member above 1 KB, the last 200 are kept, and a retry of an earlier one does not run', async () => {
  const payload = { text: 'Agreed. '.repeat(200) }
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
  const first = await post({ key: 'first', payload })
  const short = await post({ key: 'short' })
  await db
    .updateTable('idempotency_keys')
    .set({ claimed_at: ago(60) })
    .where('user_id', '=', member.id)
    .execute()
  const row = { user_id: member.id, request_hash: '', attempt: '', claimed_at: ago(30), status: 201 }
  const rows = Array.from({ length: 199 }, (_, at) => ({
    ...row,
    key_hash: `key ${at}`,
    body: 'x'.repeat(2_000),
  }))
  await db.insertInto('idempotency_keys').values(rows).execute()
  expect((await post({ key: 'first', payload })).body).toBe(first.body)
  const last = await post({ key: 'last', payload })
  expect(last.statusCode).toBe(201)
  const retried = await post({ key: 'first', payload })
  expect([retried.statusCode, retried.json().message]).toEqual([409, messages.idempotencyKeySpent])
  expect((await post({ key: 'last', payload })).body).toBe(last.body)
  expect((await post({ key: 'short' })).body).toBe(short.body)
  expect(await commentsOf(member)).toHaveLength(3)
})

/** A proxy that passes requests on, and drops the connection instead of some of the responses. */
async function aProxy(target: number, dropsResponse: () => boolean) {
  const proxy = createServer((client: Socket) => {
    const upstream = connect(target, '127.0.0.1')
    const isDropped = dropsResponse()
    client.pipe(upstream)
    // Waits for the response, so that the request has certainly been processed.
    upstream.on('data', (chunk) => (isDropped ? client.destroy() : client.write(chunk)))
    upstream.on('close', () => client.destroy())
    client.on('close', () => upstream.destroy())
    for (const socket of [client, upstream]) socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve))
  return { port: (proxy.address() as AddressInfo).port, close: () => proxy.close() }
}

test('200 POSTs through a proxy that drops responses, retried until they succeed: nothing happens twice', async () => {
  await app.listen({ port: 0, host: '127.0.0.1' })
  const random = fc.sample(fc.boolean(), { numRuns: 4_000, seed: 7 })
  let at = 0
  let drops = 0
  const proxy = await aProxy((app.server.address() as AddressInfo).port, () => {
    const isDropped = random[at++ % random.length]!
    if (isDropped) drops++
    return isDropped
  })
  let replays = 0
  const send = async (url: string, key: string, body: object) => {
    for (;;) {
      const response = await fetch(`http://127.0.0.1:${proxy.port}${url}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${member.token}`,
          'content-type': 'application/json',
          'idempotency-key': key,
          connection: 'close',
        },
        body: JSON.stringify(body),
      }).catch(() => undefined)
      if (response?.headers.has('idempotency-replayed')) replays++
      if (response?.status === 201) return response.json()
      // The first request may still run when its connection is lost.
      if (response) expect(response.status).toBe(409)
      await wait(1)
    }
  }
  const movie = await aTitle(db)
  const sent = Array.from({ length: 200 }, (_, index) =>
    index % 2
      ? () =>
          send(`/reviews/${reviewId}/comments`, `comment ${index}`.replace(' ', '-'), {
            text: `Number ${index}`,
          })
      : () =>
          send('/diary', `diary-${index}`, { movieId: movie, status: 'finished', finishedOn: '2026-01-02' }),
  )
  while (sent.length > 0) await Promise.all(sent.splice(0, 10).map((one) => one()))
  proxy.close()
  const comments = await commentsOf(member)
  expect(comments).toHaveLength(100)
  expect(new Set(comments.map(({ text }) => text)).size).toBe(100)
  const entries = await db
    .selectFrom('diary_entries')
    .select('id')
    .where('user_id', '=', member.id)
    .where('media_id', '=', movie)
    .execute()
  expect(entries).toHaveLength(100)
  // With fewer lost responses, this test would prove little.
  expect(drops).toBeGreaterThan(100)
  expect(replays).toBeGreaterThan(50)
})
