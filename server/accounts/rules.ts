import { hash, randomBytes } from 'node:crypto'
import { domainToASCII } from 'node:url'
import type { z } from 'zod'
import type * as accounts from '#shared/contracts/accounts.ts'
import type { languageSettings } from '#shared/contracts/languages.ts'
import { languageCodes } from '#shared/domain/languages.ts'
import {
  accessTokenYearsMax,
  deletionGraceDays,
  loginKeyMinutes,
  resetTokenHours,
  sessionDays,
  verifyTokenHours,
} from '#shared/domain/limits.ts'
import { type Scope, scopeNames } from '#shared/domain/scopes.ts'
import { dayMs } from '#shared/domain/days.ts'
import { caseless, confusableKey } from '#server/db/fold.ts'
import type {
  AccessTokenRow,
  LinkPurpose,
  MeRow,
  ProfileRow,
  SessionRow,
  UserRow,
} from '#server/members/tables.ts'

/** 256 random bits as base64url: 43 characters. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Scanners for leaked secrets recognize it. */
const accessTokenPrefix = 'mdl_'
const sessionTokenLength = 43
export const sessionTokenPattern = new RegExp(`^[\\w-]{${sessionTokenLength}}$`)

export function newAccessToken(): string {
  return accessTokenPrefix + newToken()
}

/** The length too: a random session token, which is shorter, can start with the prefix. */
export function isAccessToken(token: string): boolean {
  return token.startsWith(accessTokenPrefix) && token.length > sessionTokenLength
}

/** Plain SHA-256 is enough for 256 random bits. */
export function hashToken(token: string): string {
  return hash('sha256', token)
}

export function loginKeyStart(now: Date): Date {
  return new Date(now.getTime() - loginKeyMinutes * 60_000)
}

export function sessionEnd(now: Date): Date {
  return new Date(now.getTime() + sessionDays * dayMs)
}

export function presentProfile(
  { isOpen = true, ...row }: ProfileRow & { isOpen?: boolean },
  isOwner: boolean,
): z.infer<typeof accounts.profile> {
  return {
    id: row.id,
    username: row.username,
    profilePicture: row.picture,
    reviewCount: row.review_count,
    followersCount: row.follower_count,
    followingCount: row.following_count,
    bio: isOpen ? row.bio : '',
    // To a member who is blocked, the profile looks like a private one.
    ...((row.is_private === 1 || !isOpen) && { isPrivate: true as const }),
    ...(!isOpen && { isClosed: true as const }),
    ...(isOwner ? { email: row.email } : {}),
  }
}

export function presentMe(row: MeRow): z.infer<typeof accounts.me> {
  return {
    ...presentProfile(row, true),
    email: row.email,
    pendingEmail: row.pending_email,
    deletionAt: row.deletion_at,
    halfStars: row.half_stars > 0,
    ...(row.role !== 'member' && row.standing === 'active' && { role: row.role }),
    ...(row.standing !== 'active' && { standing: row.standing }),
  }
}

/** A language that this version no longer has counts as none. */
export function presentLanguage(
  row: Pick<UserRow, 'language' | 'title_names'>,
): z.infer<typeof languageSettings> {
  const isKnown = row.language !== null && languageCodes.includes(row.language)
  return { language: isKnown ? row.language : null, titles: row.title_names }
}

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

/** The id is the start of the token's hash, which distinguishes a member's own sessions. */
export function presentSession(row: SessionRow, currentHash: string): z.infer<typeof accounts.session> {
  return {
    id: row.token_hash.slice(0, 16),
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    userAgent: row.user_agent,
    isCurrent: row.token_hash === currentHash,
  }
}

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

export function isTokenExpiry(expiresAt: Date, now: Date): boolean {
  const last = new Date(now)
  last.setUTCFullYear(now.getUTCFullYear() + accessTokenYearsMax)
  return expiresAt > now && expiresAt <= last
}

export const linkHours: Record<LinkPurpose, number> = {
  verify: verifyTokenHours,
  'change-email': verifyTokenHours,
  reset: resetTokenHours,
  'keep-account': deletionGraceDays * 24,
}

export function linkExpiry(purpose: LinkPurpose, now: Date): Date {
  return new Date(now.getTime() + linkHours[purpose] * 60 * 60_000)
}

/** The emails of one kind to one mailbox within `mailWindowMs`, with a minimum pause between two. */
const mailsMax = 5
const mailPauseMs = 60_000
export const mailRetrySeconds = mailPauseMs / 1_000
/**
 * As long as a link to set a password is valid: at the limit, the mailbox contains the counted emails with valid links, so it cannot lock
 * an owner out. Therefore a new link must not invalidate earlier ones, and code that removes links must also remove the counts
 * (`mailKeysOf`).
 */
const mailWindowMs = resetTokenHours * 60 * 60_000

export function mailLimit(now: Date): { max: number; nextAt: Date; endsAt: Date } {
  const later = (ms: number) => new Date(now.getTime() + ms)
  return { max: mailsMax, nextAt: later(mailPauseMs), endsAt: later(mailWindowMs) }
}

/** Separate limits, so that a notice that an attacker causes does not delay another one. */
export const mailKinds = [
  'verify',
  'change-email',
  'reset',
  'keep-account',
  'notice',
  'token-notice',
  'sign-in-notice',
  'webhook-notice',
  'report-notice',
  'decision-notice',
  'application-notice',
  'digest',
  'test-mail',
] as const
export type MailKind = (typeof mailKinds)[number]

/** A hash, so that addresses of strangers are not stored. */
export function mailKey(kind: MailKind, email: string): string {
  return hash('sha256', `${kind} ${mailboxOf(email)}`, 'base64url')
}

/** Providers that deliver `name+anything` to `name`; some ignore dots too. */
const plusDomains = new Set(
  'gmail.com googlemail.com outlook.com hotmail.com live.com icloud.com me.com mac.com fastmail.com proton.me protonmail.com pm.me'.split(
    ' ',
  ),
)
const dotDomains = new Set(['gmail.com', 'googlemail.com'])

/** The same for all addresses of one mailbox, as far as big providers are concerned. */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@')
  let name = caseless(email.slice(0, at))
  // An internationalized domain and its ASCII form are one mailbox.
  let domain = domainToASCII(email.slice(at + 1)) || caseless(email.slice(at + 1))
  if (plusDomains.has(domain)) name = name.replace(/\+.*/s, '') || name
  if (dotDomains.has(domain)) [name, domain] = [name.replaceAll('.', ''), 'gmail.com']
  return `${name}@${domain}`
}

export function mailKeysOf(email: string): string[] {
  return mailKinds.map((kind) => mailKey(kind, email))
}

/**
 * Look-alikes by full-width letters, case, a trailing dot or punycode become the same. A `*.` at the start is left out: subdomains are
 * blocked anyway.
 */
function canonicalDomain(domain: string): string {
  const folded = caseless(domain.normalize('NFKC')).replace(/^\*\.|\.+$/g, '')
  return domainToASCII(folded) || folded
}

export function isBlockedAddress(email: string, blocked: readonly string[]): boolean {
  if (blocked.length === 0) return false
  const list = new Set(blocked.map(canonicalDomain))
  const labels = canonicalDomain(email.slice(email.lastIndexOf('@') + 1)).split('.')
  return labels.some((_, index) => list.has(labels.slice(index).join('.')))
}

const hostWords =
  'admin admins administrator administrators mod mods moderator moderators moderation support staff team help helpdesk system root security abuse postmaster webmaster medley'
/** Words that pose as the host only beside a name of the host. */
const besideHostWords = 'the official real site'

export function isReservedName(username: string, site: string): boolean {
  const own = plainKey(site)
  const words = [...hostWords.split(' ').map(plainKey), ...(own.length > 1 ? [own] : [])]
  const all = [...words, ...besideHostWords.split(' ').map(plainKey)]
  const name = plainKey(username)
  return new RegExp(`^(?:${all.join('|')})*(?:${words.join('|')})(?:${all.join('|')})*$`, 'u').test(name)
}

/** The letters as they look, without marks, separators and digits at the end. `1` is an `i` too. */
function plainKey(name: string): string {
  const letters = name.normalize('NFKD').replaceAll(/\p{M}/gu, '')
  return confusableKey(letters.replaceAll(/[^\p{L}\p{N}]/gu, '').replace(/\p{Nd}+$/u, ''))
    .replaceAll(/[i1|]/g, 'l')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}
