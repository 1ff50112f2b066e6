import { randomInt } from 'node:crypto'
import { z } from 'zod'
import { email as emailSchema, username } from '#shared/contracts/scalars.ts'
import { usernameMax } from '#shared/domain/limits.ts'
import { rankOf, type Role } from '#shared/domain/roles.ts'
import type { Config } from '#server/config.ts'
import type { Issuer } from '#server/text/issuers.ts'
import { hashToken } from './rules.ts'

/** Who logged in at a provider: what its claims say, bounded and checked. */
export const identitySchema = z.object({
  provider: z.string(),
  /** The hash of issuer and subject, which identifies the person. */
  key: z.string(),
  /** The hash of issuer and session, if the provider names it. */
  sid: z.string().nullable(),
  /** Undefined if the provider does not call it verified. */
  email: z.string().optional(),
  names: z.array(z.string()),
  role: z.enum(['member', 'moderator', 'admin']),
})
export type Identity = z.infer<typeof identitySchema>

/** OpenID Connect Core, 2: at most 255 ASCII characters. Some providers send others. */
const subjectMax = 255
const nameMax = 100
const groupsMax = 10_000

/** Undefined if the subject is missing or not valid. Claims of another type than they should have do not count. */
export function identityOf(issuer: Issuer, claims: Readonly<Record<string, unknown>>): Identity | undefined {
  const { sub, sid, email, email_verified: isVerified, groups } = claims
  if (!isPlain(sub, subjectMax)) return undefined
  const address = emailSchema.safeParse(email)
  // Some providers send booleans as text.
  const isOwn = address.success && (isVerified === true || isVerified === 'true')
  const names = ['preferred_username', 'nickname', 'name', 'given_name']
    .map((name) => claims[name])
    .filter((name) => typeof name === 'string')
  return {
    provider: issuer.name,
    key: identityKey(issuer, 'sub', sub),
    sid: isPlain(sid, subjectMax) ? identityKey(issuer, 'sid', sid) : null,
    ...(isOwn && { email: address.data }),
    names: [...names, ...(isOwn ? [address.data.replace(/@.*/s, '')] : [])].map((name) =>
      name.slice(0, nameMax),
    ),
    role: roleOf(issuer, groups),
  }
}

export function identityKey({ url }: Pick<Issuer, 'url'>, claim: 'sub' | 'sid', value: string): string {
  return hashToken(JSON.stringify([url, claim, value]))
}

function isPlain(value: unknown, max: number): value is string {
  return typeof value === 'string' && value !== '' && value.length <= max && !/\p{Cc}/u.test(value)
}

/** The highest role of the groups that the configuration names. */
function roleOf(issuer: Issuer, groups: unknown): Role {
  const list = typeof groups === 'string' ? [groups] : Array.isArray(groups) ? groups.slice(0, groupsMax) : []
  const own = new Set<unknown>(list)
  return highest(issuer.groups.filter(({ group }) => own.has(group)).map(({ role }) => role))
}

export function highest(roles: readonly Role[]): Role {
  return roles.reduce<Role>((best, role) => (rankOf(role) > rankOf(best) ? role : best), 'member')
}

export function issuerOf({ issuers }: Pick<Config, 'issuers'>, name: string): Issuer | undefined {
  return issuers.find((issuer) => issuer.name === name)
}

/** Usernames to try for a new member, the best first. The last ones are free with near certainty. */
export function* usernamesOf(names: readonly string[]): Generator<string> {
  const plain = names.flatMap((name) => {
    const letters = name
      .normalize('NFKC')
      .replace(/@.*/s, '')
      .replaceAll(/[^\p{L}\p{M}\p{Nd}_.-]+/gu, '_')
    const trimmed = letters.replaceAll(/^[_.-]+|[_.-]+$/g, '')
    return isName(trimmed) ? [trimmed] : isName(start(trimmed)) ? [start(trimmed)] : []
  })
  yield* plain
  for (const name of plain.slice(0, 2)) for (let n = 2; n <= 4; n++) yield* named(`${start(name)}${n}`)
  for (let n = 0; n < 5; n++) yield* named(`${start(plain[0] ?? 'member')}_${randomInt(1_000_000)}`)
  for (let n = 0; n < 5; n++) yield `member_${randomInt(10 ** 12)}`
}

const isName = (name: string) => username.safeParse(name).success
const start = (name: string) => [...name].slice(0, usernameMax - 8).join('')

function* named(name: string): Generator<string> {
  if (isName(name)) yield name
}
