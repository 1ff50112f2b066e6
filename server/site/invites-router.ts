import * as admin from '#shared/contracts/admin.ts'
import { invitesMax } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import type { Role } from '#shared/domain/roles.ts'
import * as schema from '#shared/contracts/site.ts'
import { dayMs } from '#shared/domain/days.ts'
import { lockAccount } from '#server/accounts/store.ts'
import { readSettings } from '#server/members/settings.ts'
import { conflict } from '#server/calls/errors.ts'
import { audit } from '#server/calls/audit.ts'
import { pageOf, readCursor } from '#server/calls/cursors.ts'
import { callsIn, checkSession, found, roleMissing, router } from '#server/calls/procedures.ts'
import * as store from '#server/accounts/invites-store.ts'
import { newInviteCode, presentAnyInvite, presentInvite } from './rules.ts'

const { forAll, forMembers } = callsIn('Site')
const { forAdmins } = callsIn('Administration')

export const invitesRouter = router({
  create: forMembers('POST /invites', 'createInvite', schema.createInvite, {
    summary: 'Create an invite',
    description: `The settings say whether members may invite (403). A member has at most ${invitesMax} invites that can still be used (409).`,
    errors: [403, 409],
    scope: 'account',
    status: 201,
    location: '/invites/{invite.id}',
  }).mutation(({ ctx, input: { maxUses, expiresInDays, note } }) =>
    ctx.db.transaction().execute(async (trx) => {
      const { member, now } = ctx
      checkSession(await lockAccount(trx, member))
      const { registration } = await readSettings(trx)
      if (!mayInvite(member.role, registration)) throw roleMissing()
      if ((await store.countOpenInvites(trx, member.id, now)) >= invitesMax)
        throw conflict(messages.tooManyInvites)
      const row = await store.insertInvite(
        trx,
        {
          code: newInviteCode(),
          userId: member.id,
          maxUses,
          note,
          expiresAt: new Date(now.getTime() + expiresInDays * dayMs),
        },
        now,
      )
      return { invite: presentInvite(row, ctx.config.publicUrl) }
    }),
  ),

  list: forMembers('GET /invites', 'listInvites', schema.listInvites, {
    summary: 'List the caller’s own invites',
    description: 'Newest first. Expired invites stay in the list for 30 days.',
    returnsData: 'own',
  }).query(async ({ ctx: { db, primary = db, member, config } }) => {
    const rows = await store.listInvites(db, member.id)
    const { registration } = await readSettings(primary)
    return {
      invites: rows.map((row) => presentInvite(row, config.publicUrl)),
      mayInvite: member.standing === 'active' && mayInvite(member.role, registration),
    }
  }),

  listAll: forAdmins('GET /admin/invites', 'listAllInvites', admin.listAllInvites, {
    summary: 'List the invites of all members',
    description: 'Newest first, without their codes. `DELETE /invites/{id}` revokes one.',
    errors: [403],
  }).query(async ({ ctx: { db, primary = db, now }, input: { isOpen, cursor, limit } }) => {
    const before = readCursor(cursor, admin.invitesCursor)?.[1]
    const inviters = store.invitersBy((await readSettings(primary)).registration.invitesBy)
    const rows = await store.listAllInvites(db, { isOpen, before, limit: limit + 1, now, inviters })
    const { shown, nextCursor } = pageOf(rows, limit, ({ id }) => ['invites', id])
    return { invites: shown.map(presentAnyInvite), nextCursor }
  }),

  find: forAll('GET /invites/{id}', 'getInvite', schema.findInvite, {
    summary: 'Get whether an invite can be used',
    description:
      '`id` is the code of the invite. An unknown code is like one that was used, and so is one whose member is frozen, suspended or may no longer invite.',
    limit: 'signUp',
    isAlwaysOpen: true,
    hasSecret: true,
    returnsData: 'own',
  }).query(async ({ ctx: { db, primary = db, now }, input: { id } }) => {
    const { registration } = await readSettings(primary)
    const inviter = await store.findInviter(db, id, now, store.invitersBy(registration.invitesBy))
    return { invite: { isValid: inviter !== undefined, invitedBy: inviter?.username ?? null } }
  }),

  remove: forMembers('DELETE /invites/{id}', 'deleteInvite', schema.removeInvite, {
    summary: 'Revoke an invite',
    description:
      'Members who have used it stay. Admins may revoke the invites of all members, with the scope `admin`.',
    errors: [404],
    scope: 'account',
  }).mutation(({ ctx: { db, member, now }, input: { id } }) =>
    db.transaction().execute(async (trx) => {
      const invite = found(await store.findInvite(trx, id))
      const isOwn = invite.created_by === member.id
      found((isOwn || member.role === 'admin') && (await store.removeInvite(trx, id)))
      const { username: name, uses, max_uses: maxUses } = invite
      if (!isOwn)
        await audit(trx, {
          by: member,
          action: 'invite.revoke',
          target: { type: 'invite', id, name },
          before: { uses, maxUses },
          at: now,
        })
      return { message: messages.inviteRevoked }
    }),
  ),
})

function mayInvite(role: Role, { invitesBy }: schema.Settings['registration']): boolean {
  return store.invitersBy(invitesBy).includes(role)
}
