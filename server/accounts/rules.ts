import { createHash, randomBytes } from 'node:crypto'
import { domainToASCII } from 'node:url'
import type { z } from 'zod'
import type * as accounts from '#shared/accounts.ts'
import { resetTokenHours, sessionDays, verifyTokenHours } from '#shared/limits.ts'
import {
  caseless,
  type LinkPurpose,
  type Mail,
  type MeRow,
  type ProfileRow,
  type SessionRow,
} from './store.ts'

/** 256 bits by chance. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** What the database keeps of a token. Plain SHA-256 does: nobody can try 2^256 tokens. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
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
    ...(isOwner ? { email: row.email } : {}),
  }
}

export function presentMe(row: MeRow): z.infer<typeof accounts.me> {
  return { ...presentProfile(row, true), email: row.email, pendingEmail: row.pending_email }
}

/** A session is named by the beginning of its hash: enough to tell a member's own apart. */
export function presentSession(row: SessionRow, currentHash: string): z.infer<typeof accounts.session> {
  return {
    id: row.token_hash.slice(0, 16),
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    userAgent: row.user_agent,
    isCurrent: row.token_hash === currentHash,
  }
}

const linkHours: Record<LinkPurpose, number> = {
  verify: verifyTokenHours,
  'change-email': verifyTokenHours,
  reset: resetTokenHours,
}

export function linkEnd(purpose: LinkPurpose, now: Date): Date {
  return new Date(now.getTime() + linkHours[purpose] * 60 * 60_000)
}

/** Mails of one kind that one mailbox is sent within `mailWindowMs`, and the pause between two of them. */
export const mailsMax = 5
export const mailPauseMs = 60_000
/**
 * As long as a link to set a password works, so that the limit locks nobody out of an account: when it is reached, all the
 * mails that it counts are in the mailbox, and their links still work. Earlier links must go on to work for that, and
 * whatever removes them must remove the count (`mailKeysOf`).
 */
export const mailWindowMs = resetTokenHours * 60 * 60_000

type MailKind = LinkPurpose | 'notice'

/** What mails of a kind to a mailbox are counted by: a hash, so that the database has no address of a stranger. */
export function mailKey(kind: MailKind, email: string): string {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1)
  // An internationalized domain and its ASCII form are one mailbox.
  const mailbox = `${caseless(email.slice(0, at))}@${domainToASCII(domain) || caseless(domain)}`
  return createHash('sha256').update(`${kind} ${mailbox}`).digest('base64url')
}

/** Keys of all the mails to a mailbox. */
export function mailKeysOf(email: string): string[] {
  const kinds: MailKind[] = ['verify', 'change-email', 'reset', 'notice']
  return kinds.map((kind) => mailKey(kind, email))
}

type LinkMail = { to: string; publicUrl: string; token: string }

/**
 * The mails that carry a link. No text that a user chose is in any of them: until an address is verified, its reader may
 * be a stranger, and a username can look like a web address.
 */
export const linkMails: Record<LinkPurpose, (about: LinkMail) => Mail> = {
  verify: ({ to, publicUrl, token }) => ({
    to,
    subject: 'Verify your email for Medley',
    text: `Welcome to Medley!

Please open this link to verify your email; it works once, for ${hours('verify')}:

${publicUrl}/verify-email?token=${token}

If you did not create an account, ignore this mail: nobody can log in to it without this link.
`,
  }),
  'change-email': ({ to, publicUrl, token }) => ({
    to,
    subject: 'Verify your new email for Medley',
    text: `Somebody wants to use this address for their Medley account.

If that is you, please open this link; it works once, for ${hours('change-email')}:

${publicUrl}/verify-email?token=${token}

If it is not, ignore this mail: nothing changes without this link.
`,
  }),
  reset: ({ to, publicUrl, token }) => ({
    to,
    subject: 'Set a new password for Medley',
    text: `Hello,

you can set a new password for your Medley account here; the link works once, for ${hours('reset')}:

${publicUrl}/reset-password?token=${token}

If you did not ask for it, ignore this mail: your password stays as it is.
`,
  }),
}

function hours(purpose: LinkPurpose): string {
  const count = linkHours[purpose]
  return count === 1 ? 'an hour' : `${count} hours`
}

/** To the address that is to be replaced. It does not name the new one, which may be a stranger's. */
export function emailChangeNotice({ to, publicUrl }: Omit<LinkMail, 'token'>): Mail {
  return {
    to,
    subject: 'Your Medley email is about to change',
    text: `Hello,

a new email address was asked for your Medley account. This one stays until the new one is verified.

If it was not you, set a new password now: that cancels the change and logs out everybody else.

${publicUrl}/login
`,
  }
}
