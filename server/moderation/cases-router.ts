import { reportsShown } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import * as schema from '#shared/contracts/moderation.ts'
import { badRequest } from '#server/calls/errors.ts'
import { audit } from '#server/calls/audit.ts'
import type { Context, Member } from '#server/calls/context.ts'
import { pageOf, readCursor } from '#server/calls/cursors.ts'
import { callsIn, found, router } from '#server/calls/procedures.ts'
import { answer, decide, moderatorProtected, undo } from './decide.ts'
import { auditName, mayDecide, personOf, presentCase, presentDecision } from './rules.ts'
import * as store from './store.ts'
import * as decisionsStore from './decisions-store.ts'
import * as membersStore from './members-store.ts'
import { findTarget } from './targets.ts'

const { forModerators } = callsIn('Moderation')
const historyMax = 20

export const casesRouter = router({
  list: forModerators('GET /moderation/cases', 'listCases', schema.listCases, {
    summary: 'List cases',
    description:
      'A case gathers the reports about one target. Returns those that the caller may decide: none about themselves, and those about moderators and admins to admins only. Open cases and those with an appeal that waits for an answer are listed oldest first, closed ones newest first.',
  }).query(async ({ ctx, input: { cursor, limit, ...filter } }) => {
    const after = readCursor(cursor, schema.casesCursor(filter.state))?.[1]
    const options = { after, limit: limit + 1, viewer: ctx.member }
    const rows = await store.listCases(ctx.db, { ...filter, ...options })
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
      const about = await readCase({ ...ctx, db: trx }, caseId)
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
    description: `With its first ${reportsShown} reports, its decisions, and earlier ones about the member. Returns 403 if the caller may not decide it.`,
    errors: [403, 404],
  }).query(({ ctx, input }) => readCase(ctx, input.id)),

  assign: forModerators('PUT /moderation/cases/{id}/assignee', 'assignCase', schema.assignCase, {
    summary: 'Assign a case to a moderator',
    description: 'Null unassigns it. Everybody who may decide it still can; nobody else can take it.',
    errors: [403, 404],
  }).mutation(({ ctx, input }) =>
    ctx.db.transaction().execute(async (trx) => {
      const row = found(await store.lockCase(trx, input.id), messages.caseNotFound)
      const before = await readCase({ ...ctx, db: trx }, row.id)
      if (input.userId !== null) {
        const ids = row.user_id === null ? [input.userId] : [input.userId, row.user_id]
        const members = await membersStore.lockMembers(trx, ids)
        const [assignee, subject] = [members.get(input.userId), members.get(row.user_id ?? 0)]
        const isStaff = assignee !== undefined && assignee.role !== 'member' && assignee.standing === 'active'
        if (!isStaff || (subject && !mayDecide(assignee, subject))) throw badRequest(messages.caseNoModerator)
      }
      if (input.userId === row.assignee_id) return before
      await store.assignCase(trx, row.id, input.userId)
      const after = await readCase({ ...ctx, db: trx }, row.id)
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
    status: 201,
  }).mutation(async ({ ctx, input }) => {
    const { id: decisionId } = await decide(ctx, input)
    return { ...(await readCase(ctx, input.id)), decisionId }
  }),

  undo: forModerators('POST /moderation/decisions/{id}/undo', 'undoDecision', schema.undoDecision, {
    summary: 'Undo a decision',
    description:
      'Within 30 days, and a freeze or a suspension as long as it lasts (409 otherwise). Restores what it changed, and reopens the case. Changes nothing if it is undone already.',
    errors: [403, 404, 409],
  }).mutation(async ({ ctx, input }) => {
    const caseId = await undo(ctx, input.id)
    return readCase(ctx, caseId)
  }),

  answer: forModerators('POST /moderation/decisions/{id}/answer', 'answerAppeal', schema.answerAppeal, {
    summary: 'Answer an appeal',
    description:
      'Accepting it undoes the decision. The moderator who made the decision cannot answer if there is another one (403). Returns 409 if no appeal waits for an answer.',
    errors: [403, 404, 409],
  }).mutation(async ({ ctx, input }) => {
    const caseId = await answer(ctx, input)
    return readCase(ctx, caseId)
  }),
})

function nameOf({ target, snapshot, member }: schema.Case): string {
  return auditName(target.type, snapshot, member?.username)
}

/** Throws FORBIDDEN unless the caller may decide it, because it names the reporters. */
async function readCase(
  { db, member, now }: Pick<Context, 'db' | 'now'> & { member: Member },
  caseId: number,
): Promise<{ case: schema.Case }> {
  const row = found(await store.findCase(db, caseId), messages.caseNotFound)
  const subject = row.user_id === null ? undefined : await membersStore.findSubject(db, row.user_id)
  if (subject && !mayDecide(member, subject)) throw moderatorProtected()
  const reports = await store.listReportsOf(db, caseId, reportsShown)
  const decisions = await decisionsStore.listDecisionsOf(db, caseId)
  const { user_id } = row
  const options = { exceptCase: caseId, limit: historyMax }
  const history = user_id === null ? [] : await decisionsStore.listDecisionsAbout(db, user_id, options)
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
      standing: subject?.standing ?? 'active',
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
