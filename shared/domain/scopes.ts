import { includesRole, type Role, roles } from './roles.ts'
import { t } from './message.ts'

export const scopes = {
  read: t`See what you see: your account, reviews, diary and feed, private ones too.`,
  'reviews:write': t`Rate, review, react, comment, and add titles.`,
  'diary:write': t`Add, edit and remove diary entries.`,
  'social:write': t`Follow, mute and block members, answer follow requests, and change your favorites.`,
  'lists:write': t`Create, change and delete lists, and like and follow other members’ lists.`,
  imports: t`Import files, and apply or undo an import.`,
  account: t`Change your name, your picture and who sees you and your diary, mark notifications as read, and upload pictures.`,
  moderate: t`Decide reports and look after members, as long as you are a moderator or an admin.`,
  admin: t`Change the settings of the site and the roles of members, as long as you are an admin.`,
} as const

/** A token loses the scope while its owner lacks the role. */
export const scopeRoles: Partial<Record<Scope, Role>> = { moderate: 'moderator', admin: 'admin' }

export type Scope = keyof typeof scopes

export const scopeNames = Object.keys(scopes) as [Scope, ...Scope[]]

/** `session`: no access token is enough. */
export type RequiredScope = Scope | 'session'

/** Null is a login session, which may use all roles. */
export function roleWithin(role: Role, scopes: readonly Scope[] | null): Role {
  if (scopes === null) return role
  const allowed = scopes.flatMap((scope) => scopeRoles[scope] ?? [])
  return roles.findLast((one) => includesRole(role, one) && allowed.includes(one)) ?? 'member'
}
