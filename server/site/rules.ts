import { randomBytes } from 'node:crypto'
import type { InviteRow } from './tables.ts'
import { offeredLanguages } from '#shared/domain/languages.ts'
import type { Settings } from '#shared/contracts/site.ts'

export function shownAnnouncement(settings: Settings, now: Date): Settings {
  const until = settings.announcement?.until
  return until && new Date(until) <= now ? { ...settings, announcement: null } : settings
}

export function siteLanguages({ languages }: Pick<Settings, 'languages'>) {
  const offered = offeredLanguages(languages.offer)
  return {
    languages: offered.map(({ code, name, isReviewed }) => ({ code, name, isReviewed })),
    defaultLanguage: languages.default,
  }
}

export function changedParts(
  before: Settings,
  changes: Partial<Settings>,
): { before: object; after: object } {
  const parts = { before: {}, after: {} } as Record<'before' | 'after', Record<string, unknown>>
  for (const [name, value] of Object.entries(changes) as [string, unknown][]) {
    const old = before[name as keyof Settings] as unknown
    if (!isPlain(old) || !isPlain(value)) {
      parts.before[name] = old
      parts.after[name] = value
      continue
    }
    for (const key of Object.keys(value).filter((one) => !isSame(old[one], value[one]))) {
      parts.before[`${name}.${key}`] = old[key]
      parts.after[`${name}.${key}`] = value[key]
    }
  }
  return parts
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function newInviteCode(): string {
  return randomBytes(12).toString('base64url')
}

export function presentInvite(row: InviteRow, publicUrl: string) {
  const { code } = row
  return { ...withoutCode(row), code, url: `${publicUrl}/signup?invite=${code}` }
}

type AnyInvite = InviteRow & {
  username: string
  picture: string | null
  is_open: number
  joined: number | null
}

export function presentAnyInvite(row: AnyInvite) {
  const { created_by: id, username, picture: profilePicture } = row
  return {
    ...withoutCode(row),
    isOpen: row.is_open === 1,
    createdBy: { id, username, profilePicture },
    joined: Number(row.joined),
  }
}

function withoutCode(row: InviteRow) {
  return {
    id: row.id,
    maxUses: row.max_uses,
    uses: row.uses,
    note: row.note,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
