import { createHash, randomBytes } from 'node:crypto'
import type { z } from 'zod'
import type * as accounts from '#shared/accounts.ts'
import { resetTokenHours, sessionDays, verifyTokenHours } from '#shared/limits.ts'
import type { LinkPurpose, Mail, MeRow, ProfileRow, SessionRow } from './store.ts'

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

type LinkMail = { to: string; username: string; publicUrl: string; token: string }

/**
 * The mails that carry a link. Usernames are left out where the reader may be a stranger, since a username can look
 * like an address of the web, and out of every subject.
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
  reset: ({ to, username, publicUrl, token }) => ({
    to,
    subject: 'Set a new password for Medley',
    text: `Hello ${username},

you can set a new password here; the link works once, for ${hours('reset')}:

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
export function emailChangeNotice({ to, username, publicUrl }: Omit<LinkMail, 'token'>): Mail {
  return {
    to,
    subject: 'Your Medley email is about to change',
    text: `Hello ${username},

a new email address was asked for your Medley account. This one stays until the new one is verified.

If it was not you, set a new password now: that cancels the change and logs out everybody else.

${publicUrl}/login
`,
  }
}
