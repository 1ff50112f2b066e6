import type { TRPCError } from '@trpc/server'
import type { z } from 'zod'
import { messages } from '#shared/texts/messages.ts'
import type * as schema from '#shared/contracts/moderation.ts'
import { type Snapshot } from '#shared/contracts/moderation.ts'
import { includesRole } from '#shared/domain/roles.ts'
import { queueNotice } from '#server/accounts/notices.ts'
import { isLastAdmin } from '#server/accounts/store.ts'
import type { Db } from '#server/db/open.ts'
import type { MailContent } from '#server/members/tables.ts'
import type { CaseRow, DecisionRow } from './tables.ts'
import { notify, withdraw } from '#server/accounts/notify-store.ts'
import { type Publish, publishing } from '#server/reviews/write.ts'
import { badRequest, conflict, forbidden } from '#server/calls/errors.ts'
import { audit } from '#server/calls/audit.ts'
import type { Context, Member } from '#server/calls/context.ts'
import { found } from '#server/calls/procedures.ts'
import { applyToComments, applyToMember, applyToReview, applyToTitle } from './apply.ts'
import { applyToList } from './lists.ts'
import { auditName, finalTime, isReversed, isUndoable, mayDecide, removedSince } from './rules.ts'
import * as store from './store.ts'
import * as decisionsStore from './decisions-store.ts'
import * as membersStore from './members-store.ts'
import { addTask, cancelTask } from './work.ts'
import { isPossible, needsMember, isRestriction } from '#shared/domain/moderation.ts'

/** A decision that is undone at once causes no email to the reporters. */
const notifyAfterMs = 10 * 60_000

type Ctx = Pick<Context, 'db' | 'live' | 'mailer' | 'now' | 'config'> & { member: Member }

/** Then sends what the transaction has published and mailed. */
async function inTransaction<T>(ctx: Ctx, work: (trx: Db, publish: Publish) => Promise<T>): Promise<T> {
  const result = await publishing(ctx, work)
  ctx.mailer.flush()
  return result
}

type Decision = z.output<typeof schema.decide.input>

export function decide(ctx: Ctx, input: Decision): Promise<DecisionRow> {
  return inTransaction(ctx, (trx, publish) => decideIn(trx, ctx, input, publish))
}

export function undo(ctx: Ctx, id: number): Promise<number> {
  return inTransaction(ctx, (trx, publish) => undoIn(trx, ctx, id, publish))
}

type Answer = z.output<typeof schema.answerAppeal.input>

export function answer(ctx: Ctx, input: Answer): Promise<number> {
  return inTransaction(ctx, (trx, publish) => answerIn(trx, ctx, input, publish))
}

/** Locks in this order: the case, what is reported, the members. */
async function decideIn(trx: Db, ctx: Ctx, input: Decision, publish: Publish): Promise<DecisionRow> {
  const { now, member } = ctx
  const { action, until } = input
  const about = found(await store.lockCase(trx, input.id), messages.caseNotFound)
  if (about.is_open === 0) throw conflict(messages.caseClosed)
  if (!isPossible(action, about.target_type)) throw badRequest(messages.actionNotPossible)
  if (about.user_id === null && needsMember(action)) throw badRequest(messages.caseNoMember)
  if (until !== undefined && (!isRestriction(action) || new Date(until) <= now))
    throw badRequest(isRestriction(action) ? messages.untilInPast : messages.actionNotPossible)

  const decision = await decisionsStore.insertDecision(trx, {
    case_id: about.id,
    target_type: about.target_type,
    target_id: about.target_id,
    user_id: about.user_id,
    moderator_id: member.id,
    action,
    rules: JSON.stringify(await store.findRuleTexts(trx, input.ruleIds)),
    reason: input.reason,
    until: until === undefined ? null : new Date(until).toISOString(),
    since: action === 'removeAll' ? removedSince(input.days, now) : null,
    keeps_rating: Number(input.keepsRating),
    created_at: now.toISOString(),
  })
  await store.closeCase(
    trx,
    about.id,
    action === 'remove' || action === 'removeAll' ? 'removed' : 'handled',
    now,
  )
  await addTask(trx, 'reporters', about.id, new Date(now.getTime() + notifyAfterMs))
  await applyToTarget(trx, decision, now, publish)
  const subject = await checkMembers(trx, ctx, about.user_id)
  if (isRestriction(action) && subject?.role === 'admin' && (await isLastAdmin(trx, subject.id)))
    throw conflict(messages.lastAdmin)
  await applyToSubject(trx, decision, now)
  if (action === 'remove' || action === 'removeAll')
    await addTask(trx, 'final', decision.id, finalTime(decision.created_at))
  if (decision.until !== null) await addTask(trx, 'until', decision.id, new Date(decision.until))
  await audit(trx, {
    by: member,
    action: 'decision.make',
    target: { type: about.target_type, id: about.target_id, name: nameOf(about, subject) },
    after: {
      decision: decision.id,
      action,
      until,
      days: input.days,
      ...(!input.keepsRating && { keepsRating: false }),
    },
    reason: input.reason,
    at: now,
  })
  if (action !== 'dismiss') {
    const rules = JSON.parse(decision.rules) as string[]
    await inform(trx, ctx, decision, { mail: 'decision', action, rules, until: decision.until })
  }
  await withdraw(trx, { type: 'case', id: about.id })
  return decision
}

async function undoIn(trx: Db, ctx: Ctx, id: number, publish: Publish): Promise<number> {
  const decision = await lockDecision(trx, id)
  if (isReversed(decision)) return decision.case_id
  if (!isUndoable(decision, ctx.now)) throw conflict(messages.decisionFinal)
  const subject = await end(trx, ctx, decision, 'undone', publish)
  const about = (await store.lockCase(trx, decision.case_id))!
  if (await store.reopenCase(trx, about)) await cancelTask(trx, 'reporters', about.id)
  await audit(trx, {
    by: ctx.member,
    action: 'decision.undo',
    target: { type: 'decision', id, name: nameOf(about, subject) },
    before: { action: decision.action },
    at: ctx.now,
  })
  if (decision.action !== 'dismiss') await inform(trx, ctx, decision, { mail: 'undone' })
  return decision.case_id
}

async function answerIn(
  trx: Db,
  ctx: Ctx,
  { id, accepts, answer: text }: Answer,
  publish: Publish,
): Promise<number> {
  const { member, now } = ctx
  const decision = await lockDecision(trx, id)
  if (decision.appealed_at === null || decision.answered_at !== null) throw conflict(messages.appealAnswered)
  const isOwn = decision.moderator_id === member.id
  if (isOwn && (await decisionsStore.hasOtherModerator(trx, member.id, decision.user_id)))
    throw forbidden(messages.appealOwnDecision)
  const values = { answer: text, answered_at: now.toISOString(), accepts: Number(accepts) }
  await decisionsStore.updateDecision(trx, id, values)
  const subject =
    accepts && decision.final_at === null
      ? await end(trx, ctx, decision, 'accepted', publish)
      : await checkMembers(trx, ctx, decision.user_id)
  const about = (await store.lockCase(trx, decision.case_id))!
  await audit(trx, {
    by: member,
    action: 'appeal.answer',
    target: { type: 'decision', id, name: nameOf(about, subject) },
    after: { accepts },
    reason: text,
    at: now,
  })
  await inform(trx, ctx, decision, { mail: 'answered' })
  await withdraw(trx, { type: 'case', id: decision.case_id })
  return decision.case_id
}

async function lockDecision(trx: Db, id: number): Promise<DecisionRow> {
  const known = found(await decisionsStore.findDecision(trx, id), messages.decisionNotFound)
  await store.lockCase(trx, known.case_id)
  return (await decisionsStore.lockDecision(trx, id))!
}

/** Reverses its effects. Returns the member, if the account still exists. */
async function end(
  trx: Db,
  ctx: Ctx,
  decision: DecisionRow,
  endReason: 'undone' | 'accepted',
  publish: Publish,
): Promise<membersStore.SubjectRow | undefined> {
  const ended_at = decision.ended_at ?? ctx.now.toISOString()
  await decisionsStore.updateDecision(trx, decision.id, { ended_at, end_reason: endReason })
  await applyToTarget(trx, decision, ctx.now, publish)
  const subject = await checkMembers(trx, ctx, decision.user_id)
  await applyToSubject(trx, decision, ctx.now)
  return subject
}

async function applyToTarget(trx: Db, decision: DecisionRow, now: Date, publish: Publish): Promise<void> {
  const { action, target_type: type, target_id: id } = decision
  if (action !== 'remove' && action !== 'markSpoiler') return
  if (type === 'review') await applyToReview(trx, id, now, publish)
  if (type === 'comment') await applyToComments(trx, [id], now)
  if (type === 'title') await applyToTitle(trx, id, now)
  if (type === 'list') await applyToList(trx, id, now)
}

async function applyToSubject(trx: Db, { action, user_id: userId }: DecisionRow, now: Date): Promise<void> {
  if (userId === null || !isRestriction(action)) return
  await applyToMember(trx, userId, now)
  if (action !== 'freeze') await addTask(trx, 'member', userId, now)
}

/**
 * Throws FORBIDDEN unless the actor may decide about the member. Locks both, so that two admins cannot suspend each other, which would
 * leave the site without one.
 */
async function checkMembers(
  trx: Db,
  { member }: Ctx,
  userId: number | null,
): Promise<membersStore.SubjectRow | undefined> {
  const rows = await membersStore.lockMembers(trx, userId === null ? [member.id] : [member.id, userId])
  const actor = rows.get(member.id)
  const subject = userId === null ? undefined : rows.get(userId)
  // No more than the role of both the token and the member as they are now.
  const role = actor && includesRole(actor.role, member.role) ? member.role : (actor?.role ?? 'member')
  if (!actor || actor.standing !== 'active' || (subject && !mayDecide({ id: actor.id, role }, subject)))
    throw moderatorProtected()
  return subject
}

export function moderatorProtected(): TRPCError {
  return forbidden(messages.moderatorProtected)
}

type DecisionMail =
  | Omit<Extract<MailContent, { mail: 'decision' }>, 'decisionId'>
  | { mail: 'undone' | 'answered' }

async function inform(
  trx: Db,
  { now }: Ctx,
  { id: decisionId, user_id }: DecisionRow,
  content: DecisionMail,
): Promise<void> {
  const subject = user_id === null ? undefined : (await membersStore.lockMembers(trx, [user_id])).get(user_id)
  if (!subject?.verified_at) return
  await queueNotice(trx, 'decision-notice', { to: subject.email, decisionId, ...content }, now)
  const target = { type: 'decision' as const, id: decisionId }
  await notify(trx, { type: 'decision', to: subject.id, by: null, target, now })
}

function nameOf({ target_type, snapshot }: CaseRow, subject: membersStore.SubjectRow | undefined): string {
  return auditName(target_type, JSON.parse(snapshot) as Snapshot, subject?.username)
}
