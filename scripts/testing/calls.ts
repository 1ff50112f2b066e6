import { randomBytes } from 'node:crypto'
import type { AnyProcedure } from '@trpc/server'
import { Secret, TOTP } from 'otpauth'
import { insertCredential, insertStep, setPassword } from '#server/accounts/credentials-store.ts'
import { addStep } from '#server/accounts/provider-login.ts'
import { newLoginLink } from '#server/accounts/log-in.ts'
import { hashPassword } from '#server/accounts/passwords.ts'
import { hashToken, joinScopes, newAccessToken as newSecret } from '#server/accounts/rules.ts'
import { insertMailToken } from '#server/accounts/mail-store.ts'
import { forgetSettings } from '#server/members/settings.ts'
import { insertSetupCode } from '#server/site/setup-store.ts'
import { confirmSession, insertAccessToken } from '#server/accounts/sessions-store.ts'
import { newFacts } from '#server/imports/facts.ts'
import { ensureTitles } from '#server/imports/match/titles-store.ts'
import { insertImport } from '#server/imports/store.ts'
import { insertLines } from '#server/imports/read/lines-store.ts'
import { restProcedures } from '#server/calls/described.ts'
import { appRouter } from '#server/router.ts'
import { loadStarter } from '#server/titles/load-starter.ts'
import { aMember, aSession, aTitle, browserKey, type TestServer } from '#server/testing.ts'
import { someEpisodes } from './episodes.ts'
import type { Meta } from '#server/calls/procedures.ts'
import type { TokenPurpose } from '#server/members/tables.ts'
import { type Kind, kinds } from '#shared/domain/kinds.ts'
import type { Role } from '#shared/domain/roles.ts'
import type { Scope } from '#shared/domain/scopes.ts'
import { anAuthenticator } from './authenticator.ts'
import { inputOfExamples } from './inputs.ts'
import type { ImportState } from '#shared/domain/import-states.ts'

export type Caller = { id: number; username: string; token: string; role: Role }
type Input = object | undefined

export function roleOf(procedure: AnyProcedure): Role {
  return (procedure._def.meta as Meta | undefined)?.role ?? 'member'
}

/** Of all inputs: a test that is repeated prepares calls in the same database. */
let names = 0

type PrepareInput = (caller: Caller) => Input | Promise<Input>

/** Creates the rows that a call needs and returns a valid input, from the examples of the schema unless `special` has another. */
export async function prepareCalls(server: TestServer) {
  const { db } = server
  await loadStarter(db, new Date())
  const password = 'six-or-more'
  const passwordHash = await hashPassword(password)
  const friend = await aMember(db)
  const titles = {} as Record<Kind, number>
  for (const { kind, idKey } of Object.values(kinds)) {
    titles[kind] = await aTitle(db, kind)
    const call = server.as(friend)
    await call.reviews.save({ [idKey]: titles[kind], rating: 4, text: `About a ${kind}.` } as never)
    await call[kinds[kind].favorites.router].add({ [idKey]: titles[kind] } as never)
  }

  const episodes = await someEpisodes(db, titles.tvShow)

  const asSession = (caller: Caller) => server.as({ ...caller, sessionHash: hashToken(caller.token) })
  const newToken = () => randomBytes(32).toString('base64url')

  async function newCaller(role: Role = 'member'): Promise<Caller> {
    const { id, username } = await aMember(db)
    await db.updateTable('users').set({ role }).where('id', '=', id).execute()
    await setPassword(db, id, passwordHash, new Date())
    const token = await aSession(db, { id })
    await server.as({ id, username }).social.follow({ userIdToFollow: friend.id })
    return { id, username, token, role }
  }

  async function newAccessToken({ id: userId }: Caller, scopes: readonly Scope[]) {
    const secret = newSecret()
    const token = { userId, tokenHash: hashToken(secret), name: 'Test', scopes: joinScopes(scopes) }
    const { id } = await insertAccessToken(db, { ...token, expiresAt: null }, new Date())
    return { id, token: secret }
  }

  async function mailedToken({ id }: Caller, purpose: TokenPurpose): Promise<string> {
    const token = newToken()
    await insertMailToken(db, {
      tokenHash: hashToken(token),
      userId: id,
      purpose,
      expiresAt: new Date(Date.now() + 1e6),
    })
    return token
  }

  const confirm = (caller: Caller) => confirmSession(db, hashToken(caller.token), new Date())
  const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  /** Returns the secret of a second factor that no code has confirmed yet. */
  async function begunFactor(caller: Caller) {
    await confirm(caller)
    return (await asSession(caller).accounts.startTotp()).secret
  }
  const withFactor = async (caller: Caller) =>
    asSession(caller).accounts.confirmTotp({ code: codeOf(await begunFactor(caller)) })

  const passkeySite = { origin: server.config.publicUrl, rpId: new URL(server.config.publicUrl).hostname }
  async function newPasskey(caller: Caller) {
    await confirm(caller)
    const { options } = await asSession(caller).accounts.newPasskeyOptions()
    const authenticator = anAuthenticator(options.user.id)
    const response = authenticator.create({ ...options, ...passkeySite })
    return { authenticator, input: { name: 'My phone', response } }
  }
  async function withPasskey(caller: Caller) {
    const { authenticator, input } = await newPasskey(caller)
    return { authenticator, id: (await asSession(caller).accounts.addPasskey(input)).passkey.id }
  }

  /** A login of the caller at the provider of the test’s server. */
  const loginAtProvider = (caller: Caller) => ({
    provider: 'example',
    browser: hashToken(browserKey),
    identity: {
      provider: 'example',
      key: hashToken(`example ${caller.id}`),
      sid: null,
      email: emailOf(caller),
      names: [],
      role: 'member' as const,
    },
  })
  const soon = () => ({ expiresAt: new Date(Date.now() + 1e6) })
  async function withProvider(caller: Caller) {
    await confirm(caller)
    const { key: identifier } = loginAtProvider(caller).identity
    const details = JSON.stringify({ issuer: server.config.issuers[0]!.url, role: 'member' })
    const link = { user_id: caller.id, kind: 'provider' as const, identifier, name: 'example', details }
    await insertCredential(db, link, new Date())
    return { name: 'example' }
  }

  const ownReview = async (caller: Caller) =>
    (await server.as(caller).reviews.save({ movieId: titles.movie, rating: 2, text: 'My own.' })).review
  async function ownImport(caller: Caller, state: ImportState): Promise<number> {
    const at = new Date().toISOString()
    const facts = {
      ...newFacts({ columns: [], shelves: [], unclear: [], lines: 1 }),
      titles: 1,
      counts: { notFound: 1 },
    }
    const id = await insertImport(db, {
      user_id: caller.id,
      service: 'imdb',
      file_name: 'ratings.csv',
      file_hash: '0'.repeat(64),
      options: '{}',
      facts: JSON.stringify(facts),
      state,
      created_at: at,
      updated_at: at,
      applied_at: state === 'done' ? at : null,
    })
    const raw = { const: 'tt9000001', title: 'A Film', year: '1950', 'your rating': '7' }
    const line = { file: '', line: 2, raw: JSON.stringify(raw), state: null, note: null }
    await insertLines(db, [{ import_id: id, title_id: null, ...line }])
    const title = { title_key: 'imdb:tt9000001', kind: 'movie' as const, name: 'A Film' }
    const { ids } = await ensureTitles(db, id, [title])
    await db
      .updateTable('import_titles')
      .set({ search_text: 'a film', state: 'notFound', matched: '{"mediaId":null,"reason":null}' })
      .where('id', 'in', [...ids.values()])
      .execute()
    return id
  }
  const marked = async (caller: Caller) =>
    (await server.as(caller).progress.mark({ id: titles.tvShow, season: 1, again: true })).batch!.id
  const ownPlay = async (caller: Caller) => {
    await marked(caller)
    return (await server.as(caller).progress.plays({ id: titles.tvShow })).plays[0]!.id
  }
  const ownStep = async (caller: Caller) => {
    const call = server.as(caller).diary
    const { entry } = (await call.mine({ gameId: titles.game })).entries.some(
      ({ status }) => status === 'started',
    )
      ? { entry: (await call.mine({ gameId: titles.game })).entries[0]! }
      : await call.create({ gameId: titles.game, status: 'started' })
    const { step } = await call.addStep({ id: entry.id, hours: 12.5, on: '2026-05-04' })
    return { id: entry.id, stepId: step.id }
  }
  const anImport =
    (state: ImportState, more = {}): PrepareInput =>
    async (caller) => ({ id: await ownImport(caller, state), ...more })
  const ownList = async (caller: Caller) => {
    const call = server.as(caller).lists
    const { list } = await call.create({ title: 'My own', visibility: 'public' })
    await call.addItem({ id: list.id, itemId: titles.movie })
    return { id: list.id }
  }
  async function newCase() {
    const author = await aMember(db)
    const { review } = await server
      .as(author)
      .reviews.save({ movieId: titles.movie, rating: 1, text: 'Buy!' })
    const target = { type: 'review' as const, id: review.id }
    await server.as(await aMember(db)).moderation.report({ target, category: 'spam' })
    const { id } = await db
      .selectFrom('cases')
      .select('id')
      .where('target_id', '=', review.id)
      .where('target_type', '=', 'review')
      .executeTakeFirstOrThrow()
    return { id, target }
  }
  async function newModerator() {
    const admin = await aMember(db)
    await db.updateTable('users').set({ role: 'admin' }).where('id', '=', admin.id).execute()
    return server.as({ ...admin, role: 'admin' }).moderation
  }
  const warn = { action: 'warn', reason: 'Please stop.' } as const
  async function warned(member: { id: number; username: string }) {
    const { review } = await server.as(member).reviews.save({ bookId: titles.book, rating: 1, text: 'Buy!' })
    const moderator = await newModerator()
    const opened = await moderator.open({ target: { type: 'review', id: review.id } })
    return { id: (await moderator.decide({ id: opened.case.id, ...warn })).decisionId }
  }
  const ownInvite = async (caller: Caller) => {
    const call = asSession(caller).invites
    return (await call.list()).invites[0] ?? (await call.create({})).invite
  }
  const anApplicant = async () => {
    const { id } = await aMember(db)
    const at = new Date().toISOString()
    await db.updateTable('users').set({ verified_at: null, pending_since: at }).where('id', '=', id).execute()
    return { id }
  }
  const emailOf = ({ username }: Caller) => `${username}@example.org`

  async function aRequest(caller: Caller) {
    const { id, username } = await aMember(db)
    await db.updateTable('users').set({ is_private: 1 }).where('id', '=', caller.id).execute()
    await server.as({ id, username }).social.follow({ userIdToFollow: caller.id })
    return { userId: id }
  }

  async function anImportedReview(caller: Caller): Promise<number> {
    const { id } = await ownReview(caller)
    const import_id = await ownImport(caller, 'done')
    const title = db.selectFrom('import_titles').select('id').where('import_id', '=', import_id)
    const change = {
      import_id,
      title_id: (await title.executeTakeFirstOrThrow()).id,
      user_id: caller.id,
      media_id: titles.movie,
      what: 'review' as const,
      target_id: id,
      before: JSON.stringify({ rating: 40, rating_given: null, text: '', has_spoilers: 0 }),
      after: JSON.stringify({ rating: 20, rating_given: null, text: 'My own.', has_spoilers: 0 }),
    }
    await db.insertInto('import_changes').values(change).execute()
    const { title_id } = change
    await db.updateTable('import_lines').set({ title_id }).where('import_id', '=', import_id).execute()
    return id
  }
  async function aRoundedRating(caller: Caller) {
    const { id } = await ownReview(caller)
    const reviews = db.updateTable('reviews').set({ rating: 50, rating_given: '4.5/5' })
    await reviews.where('id', '=', id).execute()
    return undefined
  }

  /** For these procedures the examples of the schema are not enough. */
  const special: Record<string, PrepareInput> = {
    'accounts.register': () => ({
      username: `new.one${++names}`,
      email: `new${names}@example.org`,
      password,
    }),
    'accounts.login': (caller) => ({ email: emailOf(caller), password }),
    'accounts.verifyEmail': async (caller) => ({ token: await mailedToken(caller, 'verify') }),
    'accounts.firstLogin': async (caller) => {
      const [token, loginKey] = [await mailedToken(caller, 'verify'), newToken()]
      await server.as().accounts.verifyEmail({ token })
      await db
        .updateTable('users')
        .set({ login_key_hash: hashToken(loginKey) })
        .where('id', '=', caller.id)
        .execute()
      return { token, loginKey }
    },
    'accounts.secondFactor': async (caller) => {
      const { recoveryCodes } = await withFactor(caller)
      const ticket = newToken()
      const step = { keyHash: hashToken(ticket), kind: 'second-factor', userId: caller.id } as const
      await insertStep(db, { ...step, expiresAt: new Date(Date.now() + 1e6) })
      return { ticket, code: recoveryCodes[0] }
    },
    'accounts.loginByLink': async ({ id }) => {
      const link = await newLoginLink(db, server.config, id, new Date())
      return { token: link.replace(/.*=/, '') }
    },
    'accounts.passkeyOptions': () => undefined,
    'accounts.passkeyLogin': async (caller) => {
      const { authenticator } = await withPasskey(caller)
      const { options } = await server.as().accounts.passkeyOptions()
      return authenticator.get({ ...options, ...passkeySite })
    },
    'accounts.newPasskeyOptions': async (caller) => void (await confirm(caller)),
    'accounts.addPasskey': async (caller) => (await newPasskey(caller)).input,
    'accounts.renamePasskey': async (caller) => ({ id: (await withPasskey(caller)).id, name: 'My phone' }),
    'accounts.removePasskey': async (caller) => ({ id: (await withPasskey(caller)).id }),
    'accounts.confirmSelf': () => ({ password }),
    'accounts.startTotp': async (caller) => void (await confirm(caller)),
    'accounts.confirmTotp': async (caller) => ({ code: codeOf(await begunFactor(caller)) }),
    'accounts.renewRecoveryCodes': async (caller) => void (await withFactor(caller)),
    'accounts.removeTotp': async (caller) => void (await withFactor(caller)),
    'accounts.providerLogin': async (caller) => {
      await withProvider(caller)
      const result = { ...loginAtProvider(caller), purpose: 'login' as const }
      return { code: await addStep(db, 'oidc-result', result, soon()) }
    },
    'accounts.providerLink': async (caller) => {
      const step = { ...soon(), userId: caller.id }
      return { ticket: await addStep(db, 'oidc-link', loginAtProvider(caller), step), password }
    },
    'accounts.linkProvider': async (caller) => {
      await confirm(caller)
      return { name: 'example' }
    },
    'accounts.unlinkProvider': withProvider,
    'accounts.confirmByProvider': withProvider,
    'accounts.resendVerification': (caller) => ({ email: emailOf(caller) }),
    'accounts.forgotPassword': (caller) => ({ email: emailOf(caller) }),
    'accounts.resetPassword': async (caller) => ({
      token: await mailedToken(caller, 'reset'),
      newPassword: 'another-one',
    }),
    'accounts.updateProfile': () => ({ username: `renamed${++names}` }),
    'accounts.updatePassword': () => ({ currentPassword: password, newPassword: 'another-one' }),
    'accounts.requestDeletion': () => ({ currentPassword: password }),
    'accounts.keepAccount': async (caller) => ({ token: await mailedToken(caller, 'keep-account') }),
    'accounts.endSession': async (caller) => {
      const { sessions } = await asSession(caller).accounts.listSessions()
      return { id: sessions[0]!.id }
    },
    'sources.syncBookByIsbn': () => ({ isbn13: '978-0-7432-7356-5' }),
    'sources.syncGame': () => ({ igdbId: 72 }),
    'reviews.list': () => ({ movieId: titles.movie, scope: 'network', sortBy: 'rating', order: 'asc' }),
    'reviews.mine': async (caller) => ({ movieId: (await ownReview(caller)).itemId }),
    'reviews.mineFor': async (caller) => ({ ids: `${(await ownReview(caller)).itemId},${titles.book}` }),
    'imports.reviewOrigin': async (caller) => ({ id: await anImportedReview(caller) }),
    'imports.entryOrigin': async (caller) => ({
      id: (await server.as(caller).diary.create({ gameId: titles.game, status: 'finished' })).entry.id,
    }),
    'imports.origins': async (caller) => {
      await anImportedReview(caller)
      return { itemId: titles.movie }
    },
    'imports.originals': aRoundedRating,
    'imports.restoreOriginals': aRoundedRating,
    'imports.decide': async (caller) => {
      const id = await ownImport(caller, 'ready')
      const rows = db.selectFrom('import_titles').select('id').where('import_id', '=', id)
      const { id: titleId } = await rows.executeTakeFirstOrThrow()
      return { id, titleId, decision: { mediaId: titles.movie } }
    },
    'imports.decideAll': anImport('ready', { state: 'notFound', decision: 'skip' }),
    'imports.stop': anImport('matching'),
    'imports.resume': anImport('stopped'),
    'imports.undo': anImport('done'),
    'imports.previewUndo': anImport('done'),
    'progress.episode': () => ({ id: episodes[0]! }),
    'progress.mark': () => ({ id: titles.tvShow, upTo: episodes[2]! }),
    'progress.unmark': async (caller) => {
      await marked(caller)
      return { id: titles.tvShow, season: 1 }
    },
    'progress.plays': async (caller) => {
      await marked(caller)
      return { id: titles.tvShow }
    },
    'progress.upNext': async (caller) => {
      await server.as(caller).progress.mark({ id: titles.tvShow, upTo: episodes[1]! })
      return {}
    },
    'progress.ofUser': async (caller) => {
      await marked(caller)
      return { id: caller.id }
    },
    'progress.editPlay': async (caller) => ({ id: await ownPlay(caller), watchedOn: '2026-05-04' }),
    'progress.removePlay': async (caller) => ({ id: await ownPlay(caller) }),
    'progress.batch': async (caller) => ({ id: await marked(caller) }),
    'progress.undo': async (caller) => ({ id: await marked(caller) }),
    'diary.create': () => ({ gameId: titles.game, status: 'finished', finishedOn: '2026-05-04' }),
    'diary.addStep': async (caller) => ({
      id: (await server.as(caller).diary.create({ bookId: titles.book, status: 'want' })).entry.id,
      page: 120,
      on: '2026-05-04',
      text: 'The whale.',
    }),
    'diary.steps': async (caller) => ({ id: (await ownStep(caller)).id }),
    'diary.removeStep': ownStep,
    'diary.marks': () => ({ itemIds: `${titles.movie},${titles.book}` }),
    ...Object.fromEntries(
      ['byId', 'edit', 'remove', 'copy', 'items', 'like', 'unlike', 'follow', 'unfollow', 'renewLink'].map(
        (name) => [`lists.${name}`, ownList],
      ),
    ),
    'lists.addItem': async (caller) => ({ ...(await ownList(caller)), itemId: titles.book }),
    'lists.invite': async (caller) => ({ ...(await ownList(caller)), userId: friend.id }),
    'lists.editItem': async (caller) => ({
      ...(await ownList(caller)),
      itemId: titles.movie,
      note: 'Twice.',
      position: 1,
    }),
    'lists.removeItem': async (caller) => ({ ...(await ownList(caller)), itemId: titles.movie }),
    'lists.changeItems': async (caller) => ({
      ...(await ownList(caller)),
      items: [{ itemId: titles.book }, { itemId: titles.game, note: 'Twice.' }],
    }),
    'lists.removeEditor': async (caller) => {
      const { id } = await ownList(caller)
      await server.as(caller).lists.invite({ id, userId: friend.id })
      return { id, userId: friend.id }
    },
    'lists.accept': async (caller) => {
      const { list } = await server.as(friend).lists.create({ title: 'Ours', visibility: 'public' })
      await server.as(friend).lists.invite({ id: list.id, userId: caller.id })
      return { id: list.id }
    },
    'changes.activity': async (caller) => {
      // On Postgres a change is listed when no earlier write is running.
      while (!(await server.as(caller).changes.activity()).follows);
    },
    'moderation.report': async () => ({
      target: (await newCase()).target,
      category: 'spam',
      comment: 'See.',
    }),
    'moderation.myDecision': warned,
    'moderation.confirm': warned,
    'moderation.appeal': async (caller) => ({ ...(await warned(caller)), text: 'Why?' }),
    'moderation.correctTitle': () => ({ id: titles.movie, name: 'Corrected' }),
    'moderation.open': async () => ({ target: (await newCase()).target }),
    'moderation.byId': async () => ({ id: (await newCase()).id }),
    'moderation.decide': async () => ({ id: (await newCase()).id, action: 'remove', reason: 'Spam.' }),
    'moderation.assign': async () => ({ id: (await newCase()).id, userId: null }),
    'moderation.undo': async () => warned(await aMember(db)),
    'moderation.answer': async () => {
      const member = await aMember(db)
      const { id } = await warned(member)
      await server.as(member).moderation.appeal({ id, text: 'Why?' })
      return { id, accepts: false, answer: 'Because.' }
    },
    'social.followStatus': () => ({ id: friend.id }),
    'privacy.change': () => ({ hidesFollows: true }),
    'privacy.accept': aRequest,
    'privacy.reject': aRequest,
    'social.tasteMatch': () => ({ id: friend.id }),
    'admin.approve': anApplicant,
    'admin.reject': anApplicant,
    'site.page': async () => {
      const row = {
        key: 'pages',
        value: '{"about":"Hello."}',
        version: 1_000 + ++names,
        updated_at: new Date().toISOString(),
      }
      await db
        .insertInto('settings')
        .values(row)
        .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
        .execute()
      forgetSettings(db)
      return { name: 'about' }
    },
    'site.setUp': async () => {
      const code = newToken()
      await insertSetupCode(db, hashToken(code), new Date())
      return { code }
    },
    'notifications.unsubscribe': async (caller) => ({ token: await mailedToken(caller, 'unsubscribe') }),
    // The test’s server has no source that knows streaming services.
    'offers.changeSettings': () => ({ country: 'DE', subscriptions: [] }),
    'invites.create': () => ({ maxUses: 2, expiresInDays: 3, note: 'For Ada' }),
    'invites.find': async (caller) => ({ id: (await ownInvite(caller)).code }),
    'social.searchUsers': () => ({ q: friend.username }),
  }
  for (const { kind, favorites } of Object.values(kinds))
    Object.assign(special, {
      [`${favorites.router}.list`]: () => ({ id: friend.id }),
      [`${favorites.router}.isFavorite`]: () => ({ id: titles[kind] }),
      [`${favorites.router}.remove`]: () => ({ id: titles[kind] }),
    } satisfies Record<string, PrepareInput>)
  const calls: Record<string, PrepareInput> = {
    // Without a REST path: they serve the web app.
    'reviews.snapshot': async (caller) => ({ movieId: (await ownReview(caller)).itemId }),
    'reviews.restore': async (caller) => {
      const { itemId } = await ownReview(caller)
      const { snapshot } = await server.as(caller).reviews.snapshot({ movieId: itemId })
      return snapshot!
    },
    'accounts.openPages': () => ({}),
    'accounts.closePages': () => ({}),
    'sources.search': () => ({ q: 'matrix', tab: 'screen' }),
    'sources.sync': () => ({ kind: 'movie', source: 'tmdb-movie', id: '603' }),
  }
  for (const [path, procedure] of restProcedures(appRouter))
    calls[path] =
      special[path] ??
      (async (caller) =>
        inputOfExamples(path, procedure, {
          titles,
          memberId: procedure._def.type === 'query' ? caller.id : (await aMember(db)).id,
          importId: () => ownImport(caller, 'ready'),
          call: async (creator) => {
            const [router, name] = creator.split('.') as ['reviews', 'save']
            return asSession(caller)[router][name]((await calls[creator]!(caller)) as never)
          },
        }))
  return { calls, newCaller, newAccessToken, titles }
}
