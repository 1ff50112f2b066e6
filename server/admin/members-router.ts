import { TRPCError } from '@trpc/server'
import * as schema from '#shared/admin.ts'
import { messages } from '#shared/messages.ts'
import { audit } from '#server/trpc/audit.ts'
import { adminProcedure, found, router } from '#server/trpc/procedures.ts'
import * as store from './members-store.ts'

const tags = ['Administration']

/** The members of the site, for moderators and admins. */
export const membersRouter = router({
  setRole: adminProcedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/admin/members/{id}',
        operationId: 'changeRole',
        tags,
        summary: 'Change the role of a member',
        description: 'The last admin keeps the role (409).',
        protect: true,
        errorResponses: [403, 404, 409],
      },
    })
    .input(schema.setRole.input)
    .output(schema.setRole.output)
    .mutation(({ ctx, input: { id, role, reason } }) =>
      ctx.db.transaction().execute(async (trx) => {
        const member = found(await store.lockMember(trx, id), messages.userNotFound)
        if (!member.verified_at) throw new TRPCError({ code: 'CONFLICT', message: messages.memberUnverified })
        if (role !== 'admin' && (await store.isLastAdmin(trx, id)))
          throw new TRPCError({ code: 'CONFLICT', message: messages.lastAdmin })
        if (role !== member.role) {
          await audit(trx, {
            by: ctx.member,
            action: 'role.change',
            target: { type: 'user', id, name: member.username },
            before: { role: member.role },
            after: { role },
            reason,
            at: ctx.now,
          })
          await store.setRole(trx, id, role)
        }
        return { message: messages.roleChanged }
      }),
    ),
})
