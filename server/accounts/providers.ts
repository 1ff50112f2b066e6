import { includesRole, type Role } from '#shared/domain/roles.ts'
import { messages } from '#shared/texts/messages.ts'
import type { Config } from '#server/config.ts'
import { audit } from '#server/calls/audit.ts'
import type { Db } from '#server/db/open.ts'
import type { Context } from '#server/calls/context.ts'
import { ReasonedError } from '#server/calls/errors.ts'
import { found } from '#server/calls/procedures.ts'
import { credentialKinds } from '#server/members/tables.ts'
import * as credentials from './credentials-store.ts'
import { highest, type Identity, issuerOf } from './identity.ts'
import { tellOwner } from './second-factor.ts'
import { isLastAdmin, setRole } from './store.ts'

/** The identifier of a link is the hash of issuer and subject; `role` is of the member’s groups at the last login. */
type Details = { issuer: string; role: Role }

/** The providers that a member has linked. */
export async function listLinks(db: Db, userId: number) {
  const rows = await credentials.listCredentials(db, userId, 'provider')
  return rows.map(({ details, ...row }) => ({ ...row, details: JSON.parse(details) as Details }))
}

type Row = Awaited<ReturnType<typeof listLinks>>[number]

/** Whether the site still has the provider of a link. */
export const isUsable = (config: Pick<Config, 'issuers'>, name: string, { issuer }: { issuer: string }) =>
  issuerOf(config, name)?.url === issuer

export function presentProvider(config: Pick<Config, 'issuers'>, { name, created_at }: Row) {
  return { name, label: issuerOf(config, name)?.label ?? name, linkedAt: created_at }
}

/** Throws LAST_WAY_IN if a member could not log in any more. Codes of a second factor alone are not sufficient. */
export async function requireWayIn(
  { config }: Pick<Context, 'config'>,
  trx: Db,
  userId: number,
): Promise<void> {
  const rows = await credentials.listCredentials(trx, userId)
  const isWayIn = ({ kind, name, details }: (typeof rows)[number]) =>
    credentialKinds[kind].logsIn &&
    (kind !== 'password' || !config.oidcOnly) &&
    (kind !== 'provider' || isUsable(config, name, JSON.parse(details) as Details))
  if (!rows.some(isWayIn)) throw new ReasonedError('CONFLICT', 'LAST_WAY_IN', messages.lastWayIn)
}

/**
 * Links a login at a provider to a member, notifies them, and gives them the role of their groups. Returns the member. Throws
 * LINKED_TO_ANOTHER or LINKED_ALREADY. The account must be locked.
 */
export async function linkIdentity(
  ctx: Pick<Context, 'config' | 'now'>,
  trx: Db,
  userId: number,
  identity: Identity,
) {
  await insertIdentity(ctx, trx, userId, identity)
  const user = found(await credentials.lockOwner(trx, userId))
  await tellOwner(trx, user.email, 'provider-linked', ctx.now)
  return applyGroups(ctx, trx, user.id)
}

/** As `linkIdentity`, for an account that the login creates. */
export async function insertIdentity(
  { config, now }: Pick<Context, 'config' | 'now'>,
  trx: Db,
  userId: number,
  { provider: name, key, role }: Identity,
): Promise<void> {
  const issuer = found(issuerOf(config, name), messages.providerNotFound).url
  const linked = await listLinks(trx, userId)
  const isSame = (row: Row) => row.name === name && row.details.issuer === issuer
  if (linked.some((row) => isSame(row) && row.identifier !== key))
    throw new ReasonedError('CONFLICT', 'LINKED_ALREADY', messages.linkedAlready)
  // Of another provider that had the same name.
  if (!linked.some(isSame))
    await credentials.removeCredential(trx, { user_id: userId, kind: 'provider', name })
  const details = JSON.stringify({ issuer, role })
  const row = { user_id: userId, kind: 'provider' as const, identifier: key, name, details }
  if (
    !(await credentials.insertCredential(trx, row, now)) &&
    (await credentials.findCredential(trx, 'provider', key))?.user_id !== userId
  )
    throw new ReasonedError('CONFLICT', 'LINKED_TO_ANOTHER', messages.linkedToAnother)
}

/** Stores the login of a member with a linked provider, and gives them the role of their groups. The account must be locked. */
export async function recordLogin(
  ctx: Pick<Context, 'config' | 'now'>,
  trx: Db,
  userId: number,
  identity: Identity,
) {
  const row = found(await credentials.findCredential(trx, 'provider', identity.key))
  const details = { ...(JSON.parse(row.details) as Details), role: identity.role }
  await credentials.replaceDetails(trx, row, JSON.stringify(details), ctx.now)
  return applyGroups(ctx, trx, userId)
}

/**
 * Gives a member the highest of the role given by hand and the roles of their groups at the last login with each provider. The last admin
 * stays. Returns the member. The account must be locked.
 */
export async function applyGroups({ config, now }: Pick<Context, 'config' | 'now'>, trx: Db, userId: number) {
  const user = found(await credentials.lockOwner(trx, userId))
  const links = (await listLinks(trx, userId)).filter(
    ({ name, details }) => isUsable(config, name, details) && issuerOf(config, name)!.groups.length > 0,
  )
  const ownRole = user.own_role ?? user.role
  const granted = links.map(({ name, details }) =>
    // Not above what the configuration names now.
    highest(
      issuerOf(config, name)!
        .groups.map(({ role }) => role)
        .filter((role) => includesRole(details.role, role)),
    ),
  )
  const role = highest([ownRole, ...granted])
  if (role === user.role) return user
  if (user.role === 'admin' && (await isLastAdmin(trx, userId))) return user
  await audit(trx, {
    by: `OpenID Connect (${links.map(({ name }) => name).join(', ')})`.slice(0, 100),
    action: 'role.change',
    target: { type: 'user', id: userId, name: user.username },
    before: { role: user.role },
    after: { role },
    at: now,
  })
  await setRole(trx, userId, role, role === ownRole ? null : ownRole)
  return { ...user, role }
}
