import { TRPCError } from '@trpc/server'
import * as admin from '#shared/admin.ts'
import { invitesMax } from '#shared/limits.ts'
import { messages } from '#shared/messages.ts'
import { includesRole, type Role } from '#shared/roles.ts'
import { message } from '#shared/scalars.ts'
import * as schema from '#shared/site.ts'
import { lockAccount } from '#server/accounts/store.ts'
import { readSettings } from '#server/db/settings.ts'
import { dayMs } from '#server/db/spans.ts'
import { audit } from '#server/trpc/audit.ts'
import { readCursor, writeCursor } from '#server/trpc/cursors.ts'
import {
  actsAsAdmin,
  adminProcedure,
  checkSession,
  found,
  memberProcedure,
  publicProcedure,
  roleMissing,
  restIn,
  router,
} from '#server/trpc/procedures.ts'
import * as store from './invites-store.ts'
import { newInviteCode, presentAnyInvite, presentInvite } from './rules.ts'

const rest = restIn('Site')
const administration = restIn('Administration')
const inviters: Record<schema.Settings['registration']['invitesBy'], Role> = {
  admins: 'admin',
  moderators: 'moderator',
  members: 'member',
}

/** Invites, which a registration may require. */
export const invitesRouter = router({
  create: memberProcedure
    .meta(
      rest('POST /invites', 'createInvite', {
        summary: 'Create an invite',
        description: `The settings say whether members may invite (403). A member has at most ${invitesMax} invites that can still be used (409).`,
        errors: [403, 409],
        scope: 'account',
        status: 201,
        location: '/invites/{invite.id}',
      }),
    )
    .input(schema.createInvite.input)
    .output(schema.createInvite.output)
    .mutation(({ ctx, input: { maxUses, expiresInDays, note } }) =>
      ctx.db.transaction().execute(async (trx) => {
        const { member, now } = ctx
        checkSession(await lockAccount(trx, member))
        const { registration } = await readSettings(trx)
        if (!mayInvite(member.role, registration)) throw roleMissing()
        if ((await store.countOpenInvites(trx, member.id, now)) >= invitesMax)
          throw new TRPCError({ code: 'CONFLICT', message: messages.tooManyInvites })
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

  list: memberProcedure
    .meta(
      rest('GET /invites', 'listInvites', {
        summary: 'List the caller’s own invites',
        description: 'Newest first. Expired invites stay in the list for 30 days.',
        shows: 'own',
      }),
    )
    .output(schema.listInvites.output)
    .query(async ({ ctx: { db, primary = db, member, config } }) => {
      const rows = await store.listInvites(db, member.id)
      const { registration } = await readSettings(primary)
      return {
        invites: rows.map((row) => presentInvite(row, config.publicUrl)),
        mayInvite: mayInvite(member.role, registration),
      }
    }),

  listAll: adminProcedure
    .meta(
      administration('GET /admin/invites', 'listAllInvites', {
        summary: 'List the invites of all members',
        description: 'Newest first, without their codes. `DELETE /invites/{id}` revokes one.',
        errors: [403],
      }),
    )
    .input(admin.listAllInvites.input)
    .output(admin.listAllInvites.output)
    .query(async ({ ctx: { db, now }, input: { isOpen, cursor, limit } }) => {
      const before = cursor === undefined ? undefined : readCursor(cursor, admin.invitesCursor)[1]
      const rows = await store.listAllInvites(db, { isOpen, before, limit: limit + 1, now })
      const shown = rows.slice(0, limit)
      return {
        invites: shown.map(presentAnyInvite),
        nextCursor: rows.length > limit ? writeCursor(['invites', shown.at(-1)!.id]) : null,
      }
    }),

  find: publicProcedure
    .meta(
      rest('GET /invites/{id}', 'getInvite', {
        summary: 'Get whether an invite can be used',
        description: '`id` is the code of the invite. An unknown code is like one that was used.',
        limit: 'mail',
        isAlwaysOpen: true,
        shows: 'own',
      }),
    )
    .input(schema.findInvite.input)
    .output(schema.findInvite.output)
    .query(async ({ ctx: { db, now }, input: { id } }) => {
      const inviter = await store.findInviter(db, id, now)
      return { invite: { isValid: inviter !== undefined, invitedBy: inviter?.username ?? null } }
    }),

  remove: memberProcedure
    .meta(
      rest('DELETE /invites/{id}', 'deleteInvite', {
        summary: 'Revoke an invite',
        description:
          'Members who have used it stay. Admins may revoke the invites of all members, with the scope `admin`.',
        errors: [404],
        scope: 'account',
      }),
    )
    .input(schema.removeInvite.input)
    .output(message)
    .mutation(({ ctx: { db, member, now }, input: { id } }) =>
      db.transaction().execute(async (trx) => {
        const invite = found(await store.findInvite(trx, id))
        const isOwn = invite.created_by === member.id
        found((isOwn || actsAsAdmin(member)) && (await store.removeInvite(trx, id)))
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
  return includesRole(role, inviters[invitesBy])
}
