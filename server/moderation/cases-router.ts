import { TRPCError } from '@trpc/server'
import { reportsShown } from '#shared/limits.ts'
import { messages } from '#shared/messages.ts'
import * as schema from '#shared/moderation.ts'
import type { Db } from '#server/db/open.ts'
import { audit } from '#server/trpc/audit.ts'
import { pageOf, readCursor } from '#server/trpc/cursors.ts'
import { callsIn, found, router } from '#server/trpc/procedures.ts'
import { answer, decide, undo } from './decide.ts'
import { auditName, personOf, presentCase, presentDecision } from './rules.ts'
import * as store from './store.ts'
import { findTarget } from './targets.ts'

const { forModerators } = callsIn('Moderation')
/** The number of earlier decisions about the member that a case shows. */
const historyMax = 20

/** What moderators do: they look at cases and decide them. */
export const casesRouter = router({
  list: forModerators('GET /moderation/cases', 'listCases', schema.listCases, {
    summary: 'List cases',
    description:
      'A case gathers the reports about one target. Open cases and those with an appeal that waits for an answer are listed oldest first, closed ones newest first.',
    scope: 'moderate',
  }).query(async ({ ctx, input: { cursor, limit, ...filter } }) => {
    const after = cursor === undefined ? undefined : readCursor(cursor, schema.casesCursor(filter.state))[1]
    const rows = await store.listCases(ctx.db, { ...filter, after, limit: limit + 1 })
    const { shown, nextCursor } = pageOf(rows, limit, ({ id }) => [`cases ${filter.state}`, id])
    const people = await store.listPeople(
      ctx.db,
      shown.flatMap((row) => [row.user_id, row.assignee_id]),
    )
    return { cases: shown.map((row) => presentCase(row, people)), nextCursor }
  }),

  open: forModerators('POST /moderation/cases', 'openCase', schema.openCase, {
    summary: 'Open a case without a report',
    description: 'Returns the open case about the target if there is one.',
    errors: [403, 404],
    scope: 'moderate',
    status: 201,
    location: '/moderation/cases/{case.id}',
  }).mutation(async ({ ctx, input }) => {
    const { type, id: targetId } = input.target
    const target = found(await findTarget(ctx.db, type, targetId), messages.reportNoTarget)
    return ctx.db.transaction().execute(async (trx) => {
      const caseId = await store.ensureCase(trx, {
        target_type: type,
        target_id: targetId,
        user_id: target.userId,
        snapshot: JSON.stringify(target.snapshot),
        opened_at: ctx.now.toISOString(),
      })
      const about = await readCase(trx, caseId, ctx.now)
      await audit(trx, {
        by: ctx.member,
        action: 'case.open',
        target: { type, id: targetId, name: nameOf(about.case) },
        after: { case: caseId },
        at: ctx.now,
      })
      return about
    })
  }),

  byId: forModerators('GET /moderation/cases/{id}', 'getCase', schema.caseById, {
    summary: 'Get a case',
    description: `With its first ${reportsShown} reports, its decisions, and earlier ones about the member.`,
    errors: [403, 404],
    scope: 'moderate',
  }).query(({ ctx, input }) => readCase(ctx.db, input.id, ctx.now)),

  assign: forModerators('PUT /moderation/cases/{id}/assignee', 'assignCase', schema.assignCase, {
    summary: 'Assign a case to a moderator',
    description: 'Null unassigns it. Every moderator can still decide it.',
    errors: [403, 404],
    scope: 'moderate',
  }).mutation(({ ctx, input }) =>
    ctx.db.transaction().execute(async (trx) => {
      const row = found(await store.lockCase(trx, input.id), messages.caseNotFound)
      if (input.userId !== null) {
        const role = (await store.lockMembers(trx, [input.userId])).get(input.userId)?.role ?? 'member'
        if (role === 'member') throw new TRPCError({ code: 'BAD_REQUEST', message: messages.caseNoModerator })
      }
      const before = await readCase(trx, row.id, ctx.now)
      if (input.userId === row.assignee_id) return before
      await store.assignCase(trx, row.id, input.userId)
      const after = await readCase(trx, row.id, ctx.now)
      await audit(trx, {
        by: ctx.member,
        action: 'case.assign',
        target: { type: 'case', id: row.id, name: nameOf(after.case) },
        before: { assignee: before.case.assignee?.username ?? null },
        after: { assignee: after.case.assignee?.username ?? null },
        at: ctx.now,
      })
      return after
    }),
  ),

  decide: forModerators('POST /moderation/cases/{id}/decision', 'decideCase', schema.decide, {
    summary: 'Decide a case',
    description:
      'Closes the case and its reports; 409 if it is closed. The member is notified and can appeal, unless the reports are dismissed. ' +
      'Only admins decide about moderators and admins, and nobody about themselves (403). Returns 400 for an action that is not possible for the target.',
    errors: [403, 404, 409],
    scope: 'moderate',
    status: 201,
  }).mutation(async ({ ctx, input }) => {
    const { id: decisionId } = await decide(ctx, input)
    return { ...(await readCase(ctx.db, input.id, ctx.now)), decisionId }
  }),

  undo: forModerators('POST /moderation/decisions/{id}/undo', 'undoDecision', schema.undoDecision, {
    summary: 'Undo a decision',
    description:
      'Within 30 days, and a freeze or a suspension as long as it lasts (409 otherwise). Restores what it changed, and reopens the case. Changes nothing if it is undone already.',
    errors: [403, 404, 409],
    scope: 'moderate',
  }).mutation(async ({ ctx, input }) => {
    const caseId = await undo(ctx, input.id)
    return readCase(ctx.db, caseId, ctx.now)
  }),

  answer: forModerators('POST /moderation/decisions/{id}/answer', 'answerAppeal', schema.answerAppeal, {
    summary: 'Answer an appeal',
    description:
      'Accepting it undoes the decision. The moderator who made the decision cannot answer if there is another one (403). Returns 409 if no appeal waits for an answer.',
    errors: [403, 404, 409],
    scope: 'moderate',
  }).mutation(async ({ ctx, input }) => {
    const caseId = await answer(ctx, input)
    return readCase(ctx.db, caseId, ctx.now)
  }),
})

function nameOf({ target, snapshot, member }: schema.Case): string {
  return auditName(target.type, snapshot, member?.username)
}

async function readCase(db: Db, caseId: number, now: Date): Promise<{ case: schema.Case }> {
  const row = found(await store.findCase(db, caseId), messages.caseNotFound)
  const reports = await store.listReportsOf(db, caseId, reportsShown)
  const decisions = await store.listDecisionsOf(db, caseId)
  const { user_id } = row
  const options = { exceptCase: caseId, limit: historyMax }
  const history = user_id === null ? [] : await store.listDecisionsAbout(db, user_id, options)
  const people = await store.listPeople(db, [
    user_id,
    row.assignee_id,
    ...reports.map((report) => report.user_id),
    ...[...decisions, ...history].map((decision) => decision.moderator_id),
  ])
  const target = await findTarget(db, row.target_type, row.target_id)
  return {
    case: {
      ...presentCase(row, people),
      standing: (user_id === null ? undefined : await store.findStanding(db, user_id)) ?? 'active',
      current: target
        ? {
            text: target.snapshot.text,
            hasSpoilers: target.snapshot.hasSpoilers,
            isRemoved: !target.isShown,
          }
        : null,
      reports: reports.map((report) => ({
        id: report.id,
        reporter: personOf(people, report.user_id),
        category: report.category,
        rules: JSON.parse(report.rules) as string[],
        comment: report.comment,
        createdAt: report.created_at,
      })),
      decisions: decisions.map((decision) => presentDecision(decision, people, now)),
      history: history.map((decision) => presentDecision(decision, people, now)),
    },
  }
}
