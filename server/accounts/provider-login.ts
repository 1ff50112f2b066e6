import { z } from 'zod'
import { providerCodeSeconds } from '#shared/domain/limits.ts'
import { urlHere } from '#shared/domain/url-here.ts'
import { messages } from '#shared/texts/messages.ts'
import { readSettings } from '#server/members/settings.ts'
import type { StepKind } from '#server/members/tables.ts'
import type { Db } from '#server/db/open.ts'
import type { Context, MemberContext } from '#server/calls/context.ts'
import { ReasonedError } from '#server/calls/errors.ts'
import { found } from '#server/calls/procedures.ts'
import type { Issuer } from '#server/text/issuers.ts'
import * as credentials from './credentials-store.ts'
import { type Identity, identitySchema, issuerOf, usernamesOf } from './identity.ts'
import { checkMayLogIn, expired, findPendingStep, stepEnd } from './log-in.ts'
import { joined } from './notify-store.ts'
import { insertIdentity, isUsable, listLinks, recordLogin } from './providers.ts'
import type { Confirm } from './reauthenticate.ts'
import { hashToken, isBlockedAddress, isReservedName, newToken } from './rules.ts'
import * as store from './store.ts'

const purpose = z.enum(['login', 'link', 'confirm'])
/** What all steps of a login with a provider know. `session` is the session of the member who links or confirms. */
const base = { provider: z.string(), browser: z.string(), session: z.string().optional() }
const stepDetails = {
  'oidc-begin': z.object({ ...base, purpose, redirect: z.string() }),
  'oidc-state': z.object({
    ...base,
    purpose,
    redirect: z.string(),
    nonce: z.string(),
    verifier: z.string(),
  }),
  'oidc-result': z.object({ ...base, purpose, identity: identitySchema }),
  'oidc-link': z.object({ ...base, identity: identitySchema }),
} satisfies Partial<Record<StepKind, z.ZodType>>
type ProviderStep = keyof typeof stepDetails
type Details<Kind extends ProviderStep> = z.infer<(typeof stepDetails)[Kind]>

export async function addStep<Kind extends ProviderStep>(
  db: Db,
  kind: Kind,
  details: Details<Kind>,
  { userId = null, expiresAt }: { userId?: number | null; expiresAt: Date },
): Promise<string> {
  const key = newToken()
  const step = { keyHash: hashToken(key), kind, userId, details: JSON.stringify(details), expiresAt }
  await credentials.insertStep(db, step)
  return key
}

/** Returns a step of this browser, which `take` consumes. Undefined if there is none: it may be of another browser. */
export async function findProviderStep<Kind extends ProviderStep>(ctx: Context, kind: Kind, key: string) {
  const step = await findPendingStep(ctx, key, kind)
  if (!step) return undefined
  const details = stepDetails[kind].parse(JSON.parse(step.details)) as Details<Kind>
  if (ctx.browserKey === undefined || details.browser !== hashToken(ctx.browserKey)) return undefined
  return { ...step, details }
}

export function resultEnd(now: Date): Date {
  return new Date(now.getTime() + providerCodeSeconds * 1_000)
}

/** The key of the caller’s browser, which the response sets as a cookie. Two tabs share it. */
export function browserOf(ctx: Pick<Context, 'browserKey' | 'response'>): string {
  const key = ctx.browserKey ?? newToken()
  ctx.response.browserKey = key
  return hashToken(key)
}

/** Begins to link a provider, or to confirm the caller with it. Returns the page to open in this browser. */
export async function begin(
  ctx: MemberContext,
  issuer: Issuer,
  asked: 'link' | 'confirm',
  redirect = '/settings?tab=account',
): Promise<string> {
  const details = {
    provider: issuer.name,
    browser: browserOf(ctx),
    session: ctx.member.sessionHash,
    purpose: asked,
    redirect: pathOf(redirect),
  }
  const lifetime = { userId: ctx.member.id, expiresAt: stepEnd(ctx.now) }
  return `/auth/oidc/${issuer.name}?step=${await addStep(ctx.db, 'oidc-begin', details, lifetime)}`
}

/** The path of this site, without a fragment; the start page for another address. */
export function pathOf(given: string): string {
  const url = /^[^\p{Cc}]{1,500}$/u.test(given) ? urlHere(given) : undefined
  return url ? url.pathname + url.search : '/'
}

type Entry =
  | { step: 'enter' | 'link' | 'ask'; userId: number; email: string }
  | { step: 'sign-up'; email: string; unverifiedId: number | undefined }

/**
 * Finds what a login at a provider leads to: the linked member, an account with the address, or a new account. Throws FORBIDDEN or CONFLICT
 * with the reason why it leads to nothing. Run it again in the transaction, with the account locked.
 */
export async function findEntry(
  { db, config }: Pick<Context, 'config' | 'db'>,
  identity: Identity,
): Promise<Entry> {
  const issuer = found(issuerOf(config, identity.provider), messages.providerNotFound)
  const linked = await credentials.findCredential(db, 'provider', identity.key)
  if (linked) {
    const owner = found(await credentials.lockOwner(db, linked.user_id))
    checkMayLogIn(owner)
    return { step: 'enter', userId: owner.id, email: owner.email }
  }
  const { email } = identity
  if (email === undefined)
    throw new ReasonedError('FORBIDDEN', 'EMAIL_UNVERIFIED', messages.providerEmailUnverified)
  const account = await store.lockByEmail(db, email)
  if (account?.verified_at) return entryOfAccount(db, config, issuer, account)
  // Its owner has verified the address, and waits for a moderator.
  if (account?.pending_since) checkMayLogIn(account)
  const { registration } = await readSettings(db)
  if (!issuer.canSignUp || isBlockedAddress(email, registration.blockedEmailDomains)) {
    if (account) checkMayLogIn(account)
    throw new ReasonedError('FORBIDDEN', 'SIGN_UP_CLOSED', messages.providerSignUpClosed)
  }
  return { step: 'sign-up', email, unverifiedId: account?.id }
}

/**
 * A second provider never takes an account over that a provider logs in to, nor one with a second factor, which the provider would replace:
 * the password is asked even if the host links verified addresses.
 */
async function entryOfAccount(
  db: Db,
  config: Context['config'],
  issuer: Issuer,
  { id: userId, email }: { id: number; email: string },
): Promise<Entry> {
  const links = await listLinks(db, userId)
  const taken = () => new ReasonedError('CONFLICT', 'EMAIL_TAKEN', messages.providerEmailTaken)
  const { is_demo: isDemo } = found(await store.findAccount(db, userId))
  if (isDemo || links.some(({ name, details }) => name === issuer.name && isUsable(config, name, details)))
    throw taken()
  if (issuer.linksVerified && links.length === 0 && !(await credentials.findTotp(db, userId)))
    return { step: 'link', userId, email }
  if (!(await credentials.hasPassword(db, userId))) throw taken()
  return { step: 'ask', userId, email }
}

/**
 * Returns the member of a login at a provider, whose account it creates if need be. Throws as `findEntry` does, and TICKET_EXPIRED if the
 * password must be asked now. `link` has yet to be linked.
 */
export async function enter(ctx: Context, trx: Db, identity: Identity) {
  const entry = await findEntry({ db: trx, config: ctx.config }, identity)
  if (entry.step === 'ask') throw expired()
  if (entry.step === 'enter') return recordLogin(ctx, trx, entry.userId, identity)
  if (entry.step !== 'sign-up')
    return { ...found(await credentials.lockOwner(trx, entry.userId)), mustLink: true }
  return signUp(ctx, trx, identity, entry)
}

/** An account whose address nobody has verified goes, with its password: a stranger may have made it. */
async function signUp(
  ctx: Context,
  trx: Db,
  identity: Identity,
  { email, unverifiedId }: Extract<Entry, { step: 'sign-up' }>,
) {
  if (unverifiedId !== undefined) await store.removeAccounts(trx, ctx.features, [unverifiedId])
  const username = await freeName(trx, identity.names)
  const account = {
    username,
    email,
    language: ctx.browserLanguage?.(),
    picture: null,
    loginKeyHash: null,
    reason: null,
    invitedBy: null,
  }
  const { id } = await store.insertUser(trx, account, ctx.now)
  await store.verifyUser(trx, id, ctx.now)
  await insertIdentity(ctx, trx, id, identity)
  await joined(trx, id, ctx.now)
  return recordLogin(ctx, trx, id, identity)
}

async function freeName(db: Db, names: readonly string[]): Promise<string> {
  const { name: site } = await readSettings(db)
  let last = ''
  for (last of usernamesOf(names)) {
    if (!isReservedName(last, site) && (await store.isUsernameFree(db, last))) break
  }
  return last
}

/** Checks the code of a fresh login with a linked provider, which the caller’s session has begun. Throws PROVIDER_REFUSED. */
export async function confirmByLogin(ctx: MemberContext, code: string): Promise<Confirm> {
  const refused = () => new ReasonedError('FORBIDDEN', 'PROVIDER_REFUSED', messages.providerRefused)
  const step = await findProviderStep(ctx, 'oidc-result', code)
  if (!step || step.details.purpose !== 'confirm' || step.details.session !== ctx.member.sessionHash)
    throw refused()
  return async (trx) => {
    await step.take(trx)
    const link = await credentials.findCredential(trx, 'provider', step.details.identity.key)
    if (link?.user_id !== ctx.member.id) throw refused()
  }
}
