import { messages } from '#shared/texts/messages.ts'
import * as schema from '#shared/contracts/site.ts'
import { hashToken } from '#server/accounts/rules.ts'
import { lockAccount, setRole } from '#server/accounts/store.ts'
import { badRequest } from '#server/calls/errors.ts'
import { audit } from '#server/calls/audit.ts'
import { callsIn, checkSession, router } from '#server/calls/procedures.ts'
import { takeSetupCode } from './setup-store.ts'

const { forMembers } = callsIn('Site')

export const setupRouter = router({
  setUp: forMembers('POST /setup', 'setUp', schema.setUp, {
    summary: 'Become the first admin',
    description:
      'Takes the code of the link that the first start of an empty site prints, and that `medley role --setup` prints anew. It works once, for 24 hours.',
    scope: 'session',
    limit: 'login',
  }).mutation(({ ctx: { db, member, now }, input: { code } }) =>
    db.transaction().execute(async (trx) => {
      checkSession(await lockAccount(trx, member))
      if (!(await takeSetupCode(trx, hashToken(code), now))) throw badRequest(messages.setupFailed)
      await audit(trx, {
        by: 'setup link',
        action: 'role.change',
        target: { type: 'user', id: member.id, name: member.username },
        before: { role: member.role },
        after: { role: 'admin' },
        at: now,
      })
      await setRole(trx, member.id, 'admin')
      return { message: messages.setupDone }
    }),
  ),
})
