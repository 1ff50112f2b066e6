import { reportsPerDay } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import * as schema from '#shared/contracts/moderation.ts'
import { dayMs } from '#shared/domain/days.ts'
import { lockAccount } from '#server/accounts/store.ts'
import type { Db } from '#server/db/open.ts'
import { addTask } from '#server/accounts/notify-store.ts'
import { pageOf, readCursor } from '#server/calls/cursors.ts'
import { badRequest, conflict, notFound, TooManyRequests } from '#server/calls/errors.ts'
import { callsIn, found, router } from '#server/calls/procedures.ts'
import { isAppealable, presentOwnDecision, presentReport, snapshotOf } from './rules.ts'
import * as store from './store.ts'
import * as decisionsStore from './decisions-store.ts'
import { findTarget, mayReport } from './targets.ts'

const { forMembers } = callsIn('Moderation')
const ownDecisionsMax = 50

/** Members report, and read, confirm and appeal decisions about themselves. */
export const reportsRouter = router({
  report: forMembers('POST /reports', 'createReport', schema.createReport, {
    summary: 'Report a review, a comment, a member, a list or a title that a member created',
    description: `A member has one open report per target (409), and at most ${reportsPerDay} reports in 24 hours (429). Returns 400 for the caller’s own content, and 404 for what the caller may not read: a list that is shared by a link needs its \`key\`. After a block, both can still report each other’s comments on their own reviews, and what visitors may read.`,
    errors: [404, 409],
    scope: 'social:write',
    status: 201,
  }).mutation(async ({ ctx, input }) => {
    const { type, id: targetId } = input.target
    const target = await findTarget(ctx.db, type, targetId)
    const viewer = { id: ctx.member.id, key: input.key }
    if (!target || !(await mayReport(ctx.db, target, viewer))) throw notFound(messages.reportNoTarget)
    if (target.userId === ctx.member.id) throw badRequest(messages.reportSelf)
    const rules = await store.findRuleTexts(ctx.db, input.ruleIds)
    const now = ctx.now.toISOString()
    const row = await ctx.db.transaction().execute(async (trx) => {
      // One after the other, so that the number is right.
      await lockAccount(trx, ctx.member)
      if (
        (await store.countReports(trx, ctx.member.id, new Date(ctx.now.getTime() - dayMs))) >= reportsPerDay
      )
        throw new TooManyRequests(dayMs / 1_000, messages.tooManyReports)
      const case_id = await store.ensureCase(trx, {
        target_type: type,
        target_id: targetId,
        user_id: target.userId,
        snapshot: JSON.stringify(target.snapshot),
        opened_at: now,
      })
      const report = await store.insertReport(trx, {
        case_id,
        user_id: ctx.member.id,
        category: input.category,
        rules: JSON.stringify(rules),
        comment: input.comment,
        created_at: now,
      })
      if (!report) throw conflict(messages.reportOpen)
      await addTask(trx, 'case', [case_id], ctx.now)
      return report
    })
    return { report: presentReport({ ...row, target_type: type, target_id: targetId }) }
  }),

  myReports: forMembers('GET /users/me/reports', 'listMyReports', schema.listReports, {
    summary: 'List the caller’s own reports',
    description: 'Newest first. `outcome` says what became of each.',
    returnsData: 'own',
  }).query(async ({ ctx, input: { cursor, limit } }) => {
    const before = readCursor(cursor, schema.reportsCursor)?.[1]
    const rows = await store.listReportsBy(ctx.db, ctx.member.id, before, limit + 1)
    const { shown, nextCursor } = pageOf(rows, limit, ({ id }) => ['reports', id])
    return { reports: shown.map(presentReport), nextCursor }
  }),

  myDecisions: forMembers('GET /users/me/decisions', 'listMyDecisions', schema.listOwnDecisions, {
    summary: 'List the decisions of moderators about the caller',
    description: `Newest first, at most ${ownDecisionsMax}.`,
    isForSuspended: true,
    returnsData: 'own',
  }).query(async ({ ctx }) => {
    const rows = await decisionsStore.listDecisionsAbout(ctx.db, ctx.member.id, { limit: ownDecisionsMax })
    return {
      decisions: rows.map((row) => presentOwnDecision(row, snapshotOf(row), ctx.now)),
    }
  }),

  myDecision: forMembers('GET /decisions/{id}', 'getDecision', schema.decisionById, {
    summary: 'Get a decision about the caller',
    description: 'Returns 404 for decisions about others.',
    errors: [404],
    isForSuspended: true,
    returnsData: 'own',
  }).query(({ ctx, input }) => readOwn(ctx.db, input.id, ctx.member.id, ctx.now)),

  confirm: forMembers('POST /decisions/{id}/confirm', 'confirmDecision', schema.confirmDecision, {
    summary: 'Confirm a warning',
    description: 'Changes nothing if it is confirmed already.',
    errors: [404],
    scope: 'session',
    isForSuspended: true,
  }).mutation(({ ctx, input }) =>
    ctx.db.transaction().execute(async (trx) => {
      const row = await lockOwn(trx, input.id, ctx.member.id)
      if (row.confirmed_at === null)
        await decisionsStore.updateDecision(trx, row.id, { confirmed_at: ctx.now.toISOString() })
      return { message: messages.decisionConfirmed }
    }),
  ),

  appeal: forMembers('POST /decisions/{id}/appeal', 'appealDecision', schema.appealDecision, {
    summary: 'Appeal a decision about the caller',
    description: 'Once, within 30 days of the decision (409). Another moderator answers it, if there is one.',
    errors: [404, 409],
    scope: 'session',
    isForSuspended: true,
  }).mutation(({ ctx, input }) =>
    ctx.db.transaction().execute(async (trx) => {
      const row = await lockOwn(trx, input.id, ctx.member.id)
      if (!isAppealable(row, ctx.now)) throw conflict(messages.appealTooLate)
      await decisionsStore.updateDecision(trx, row.id, {
        appeal: input.text,
        appealed_at: ctx.now.toISOString(),
      })
      await addTask(trx, 'case', [row.case_id], ctx.now)
      return readOwn(trx, row.id, ctx.member.id, ctx.now)
    }),
  ),
})

async function lockOwn(trx: Db, id: number, userId: number) {
  const row = await decisionsStore.lockDecision(trx, id)
  return found(row && row.user_id === userId && row.action !== 'dismiss' && row, messages.decisionNotFound)
}

async function readOwn(db: Db, id: number, userId: number, now: Date) {
  const row = await decisionsStore.findDecision(db, id)
  const own = found(row?.user_id === userId && row.action !== 'dismiss' && row, messages.decisionNotFound)
  const about = found(await store.findCase(db, own.case_id))
  return { decision: presentOwnDecision(own, snapshotOf(about), now) }
}
