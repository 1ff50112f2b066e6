import { hash, randomBytes } from 'node:crypto'
import { domainToASCII } from 'node:url'
import type { z } from 'zod'
import type * as accounts from '#shared/accounts.ts'
import {
  accessTokenYearsMax,
  deletionGraceDays,
  loginKeyMinutes,
  resetTokenHours,
  sessionDays,
  verifyTokenHours,
} from '#shared/limits.ts'
import { type Scope, scopeNames } from '#shared/scopes.ts'
import { caseless } from '#server/db/fold.ts'
import type { AccessTokenRow, LinkPurpose, Mail, MeRow, ProfileRow, SessionRow } from '#server/db/tables.ts'

/** Returns 256 random bits as base64url: 43 characters. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** The prefix of access tokens. Scanners for leaked secrets recognize it. */
const accessTokenPrefix = 'mdl_'
/** The length of a session token, in characters. */
const sessionTokenLength = 43

export function newAccessToken(): string {
  return accessTokenPrefix + newToken()
}

/** Returns whether a token is an access token. Checks the length too: a random session token, which is shorter, can start with the same prefix. */
export function isAccessToken(token: string): boolean {
  return token.startsWith(accessTokenPrefix) && token.length > sessionTokenLength
}

/** Returns the hash of a token, which the database stores. Plain SHA-256 is enough for 256 random bits. */
export function hashToken(token: string): string {
  return hash('sha256', token)
}

/** Returns the earliest verification of an email whose login key still logs in. */
export function loginKeyStart(now: Date): Date {
  return new Date(now.getTime() - loginKeyMinutes * 60_000)
}

export function sessionEnd(now: Date): Date {
  return new Date(now.getTime() + sessionDays * 24 * 60 * 60_000)
}

export function presentProfile(row: ProfileRow, isOwner: boolean): z.infer<typeof accounts.profile> {
  return {
    id: row.id,
    username: row.username,
    profilePicture: row.picture,
    reviewCount: row.review_count,
    followersCount: row.follower_count,
    followingCount: row.following_count,
    bio: row.bio,
    ...(isOwner ? { email: row.email } : {}),
  }
}

export function presentMe(row: MeRow): z.infer<typeof accounts.me> {
  return {
    ...presentProfile(row, true),
    email: row.email,
    pendingEmail: row.pending_email,
    deletionAt: row.deletion_at,
    ...(row.role !== 'member' && { role: row.role }),
    ...(row.standing !== 'active' && { standing: row.standing }),
  }
}

/** Converts what a deletion removes and keeps to the response. */
export function presentDeletion(
  row: MeRow,
  { titles, ...counts }: Contents,
): z.infer<typeof accounts.getDeletion.output> {
  return {
    deletionAt: row.deletion_at,
    removes: { ...counts, following: row.following_count, followers: row.follower_count },
    keeps: { titles },
  }
}
type Removes = z.infer<typeof accounts.getDeletion.output>['removes']
type Contents = Omit<Removes, 'following' | 'followers'> & { titles: number }

/** Converts a session to the response. Its id is the start of the token's hash, which distinguishes a member's own sessions. */
export function presentSession(row: SessionRow, currentHash: string): z.infer<typeof accounts.session> {
  return {
    id: row.token_hash.slice(0, 16),
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    userAgent: row.user_agent,
    isCurrent: row.token_hash === currentHash,
  }
}

/** Returns the scopes as the database stores them: each once, in a fixed order. */
export function joinScopes(scopes: readonly Scope[]): string {
  return scopeNames.filter((name) => scopes.includes(name)).join(' ')
}

export function presentAccessToken(row: AccessTokenRow): z.infer<typeof accounts.accessToken> {
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes.split(' ') as Scope[],
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
  }
}

/** Returns whether an access token may expire at this time: in the future, within `accessTokenYearsMax` years. */
export function isTokenExpiry(expiresAt: Date, now: Date): boolean {
  const last = new Date(now)
  last.setUTCFullYear(now.getUTCFullYear() + accessTokenYearsMax)
  return expiresAt > now && expiresAt <= last
}

const linkHours: Record<LinkPurpose, number> = {
  verify: verifyTokenHours,
  'change-email': verifyTokenHours,
  reset: resetTokenHours,
  'keep-account': deletionGraceDays * 24,
}

export function linkExpiry(purpose: LinkPurpose, now: Date): Date {
  return new Date(now.getTime() + linkHours[purpose] * 60 * 60_000)
}

/** The maximum number of emails of one kind to one mailbox within `mailWindowMs`, and the minimum pause between two of them. */
const mailsMax = 5
const mailPauseMs = 60_000
/**
 * As long as a link to set a password is valid, so that the limit cannot lock an owner out: when it is reached, the mailbox contains
 * the counted emails, and their links are still valid. Therefore a new link must not invalidate earlier ones, and code that removes
 * links must also remove the counts (`mailKeysOf`).
 */
const mailWindowMs = resetTokenHours * 60 * 60_000

/** Returns the limit of emails of one kind to one mailbox, starting now. */
export function mailLimit(now: Date): { max: number; nextAt: Date; endsAt: Date } {
  const later = (ms: number) => new Date(now.getTime() + ms)
  return { max: mailsMax, nextAt: later(mailPauseMs), endsAt: later(mailWindowMs) }
}

/** Each kind has a separate limit, so that a notice that an attacker causes does not suppress another one. */
type MailKind = LinkPurpose | 'notice' | 'token-notice' | 'webhook-notice' | 'report-notice'

/** Returns the key for counting emails of a kind to a mailbox: a hash, so that addresses of strangers are not stored. */
export function mailKey(kind: MailKind, email: string): string {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1)
  // An internationalized domain and its ASCII form are one mailbox.
  const mailbox = `${caseless(email.slice(0, at))}@${domainToASCII(domain) || caseless(domain)}`
  return hash('sha256', `${kind} ${mailbox}`, 'base64url')
}

/** Returns the keys of all kinds of email to a mailbox. */
export function mailKeysOf(email: string): string[] {
  const kinds: MailKind[] = [
    'verify',
    'change-email',
    'reset',
    'keep-account',
    'notice',
    'token-notice',
    'webhook-notice',
    'report-notice',
  ]
  return kinds.map((kind) => mailKey(kind, email))
}

type LinkMail = { to: string; publicUrl: string; token: string; expiresAt: Date }

/**
 * The emails with a link. They contain no text that a user chose, because the reader of an unverified address may be a stranger, and
 * a username can look like a URL.
 */
export const linkMails: Record<LinkPurpose, (about: LinkMail) => Mail> = {
  verify: ({ to, publicUrl, token }) => ({
    to,
    subject: 'Verify your email for Medley',
    text: `Welcome to Medley!

Please open this link to verify your email; it works once, for ${hours('verify')}:

${publicUrl}/verify-email?token=${token}

If you did not create an account, ignore this email: the account cannot be used without this link.
`,
  }),
  'change-email': ({ to, publicUrl, token }) => ({
    to,
    subject: 'Verify your new email for Medley',
    text: `Someone asked to use this address for their Medley account.

If that was you, please open this link; it works once, for ${hours('change-email')}:

${publicUrl}/verify-email?token=${token}

If not, ignore this email: nothing changes without this link.
`,
  }),
  reset: ({ to, publicUrl, token }) => ({
    to,
    subject: 'Set a new password for Medley',
    text: `Hello,

You can set a new password for your Medley account here; the link works once, for ${hours('reset')}:

${publicUrl}/reset-password?token=${token}

If you did not ask for this, ignore this email: your password stays the same.
`,
  }),
  'keep-account': ({ to, publicUrl, token, expiresAt }) => ({
    to,
    subject: 'Your Medley account will be deleted',
    text: `Hello,

Your Medley account will be deleted on ${formatDay(expiresAt)}. Until then nothing changes, and you can download your data in the settings.

To keep the account, open this link before that day:

${publicUrl}/keep-account?token=${token}

If you did not ask for this, keep the account with the link, then set a new password:

${publicUrl}/forgot-password
`,
  }),
}

function formatDay(date: Date): string {
  return date.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
}

function hours(purpose: LinkPurpose): string {
  const count = linkHours[purpose]
  return count === 1 ? 'an hour' : `${count} hours`
}

/** Notifies the current address of a requested change. Does not contain the new address, which may be a stranger's. */
export function emailChangeNotice({ to, publicUrl }: Omit<LinkMail, 'token' | 'expiresAt'>): Mail {
  return {
    to,
    subject: 'Your Medley email is about to change',
    text: `Hello,

A new email address was requested for your Medley account. This one stays in use until the new one is verified.

If this was not you, set a new password now: that cancels the change and ends your other sessions.

${publicUrl}/login
`,
  }
}

/** Notifies the owner of a new access token. Does not contain its name, which an attacker could use as bait. */
export function accessTokenNotice({ to, publicUrl }: Omit<LinkMail, 'token' | 'expiresAt'>): Mail {
  return {
    to,
    subject: 'A new access token for your Medley account',
    text: `Hello,

An access token was created for your Medley account. Anyone with the token can use your account within its scopes.

You can see and revoke your access tokens here:

${publicUrl}/settings?tab=account

If this was not you, set a new password now: that revokes all access tokens and ends your other sessions.
`,
  }
}

/** Notifies the owner of a new webhook. Does not contain its URL, which an attacker could use as bait. */
export function webhookNotice({ to, publicUrl }: Omit<LinkMail, 'token' | 'expiresAt'>): Mail {
  return {
    to,
    subject: 'A new webhook for your Medley account',
    text: `Hello,

A webhook was created for your Medley account, or has a new URL. It receives everything that you change, including private notes.

You can see and remove your webhooks here:

${publicUrl}/settings?tab=account

If this was not you, set a new password now: that disables all webhooks and ends your other sessions.
`,
  }
}
