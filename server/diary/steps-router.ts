import * as schema from '#shared/contracts/steps.ts'
import { latestDay } from '#shared/domain/days.ts'
import { isOver } from '#shared/domain/kinds.ts'
import { stepsMax } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import { pageOf, readCursor } from '#server/calls/cursors.ts'
import { conflict, invalidField, ReasonedError } from '#server/calls/errors.ts'
import { callsIn, found, router } from '#server/calls/procedures.ts'
import type { Db } from '#server/db/open.ts'
import { toTitleCard } from '#server/titles/rules.ts'
import { listCards } from '#server/titles/store.ts'
import { duplicate, lockOwn, readEntry } from './own-entry.ts'
import { todayOf } from './passes.ts'
import { checkedStep, toStep } from './steps.ts'
import * as steps from './steps-store.ts'
import * as store from './store.ts'
import type { EntryRow, StepRow } from './tables.ts'

const { forAll, forMembers } = callsIn('Diary')

export const stepsRouter = router({
  addStep: forMembers('POST /diary/{id}/progress', 'addDiaryStep', schema.addStep, {
    summary: 'Say how far the caller is',
    description:
      'Exactly one of `page` (of a book), `hours` (of a game), `minutes` (of a movie) and `percent`. More than the title has returns 400. ' +
      'An entry on the want list, or a paused one, becomes `started`. The whole changes nothing else: finishing is the caller’s to say. ' +
      'An entry that is over returns 409 with the reason `ENTRY_OVER`, an entry of a TV show with `EPISODES_ONLY`.',
    errors: [404, 409],
    scope: 'diary:write',
    status: 201,
    location: '/diary/{entry.id}/progress',
  }).mutation(async ({ ctx, input }) => {
    const { id, on, text = '' } = input
    if (on !== undefined && on > latestDay(ctx.now)) throw invalidField('on', messages.dateInFuture)
    const created_at = ctx.now.toISOString()
    const stepId = await ctx.db.transaction().execute(async (trx) => {
      const entry = await lockShown(trx, ctx.member.id, id)
      if (entry.kind === 'tvShow')
        throw new ReasonedError('CONFLICT', 'EPISODES_ONLY', messages.progressOfShow)
      const reached = checkedStep(input, entry.kind, entry)
      const { status, started_on } = entry
      if (isOver(status)) throw new ReasonedError('CONFLICT', 'ENTRY_OVER', messages.entryOver)
      if ((await steps.countSteps(trx, id)) >= stepsMax) throw conflict(messages.stepsFull(stepsMax))
      const day = on ?? (await todayOf(trx, ctx))
      const values = { status: 'started' as const, started_on: status === 'want' ? day : started_on }
      if (!(await store.updateEntry(trx, id, { ...values, updated_at: created_at }))) throw duplicate(values)
      const step = { user_id: ctx.member.id, entry_id: id, ...reached, day, text, created_at }
      return steps.insertStep(trx, { ...step, status_before: status === 'started' ? null : status })
    })
    const step = found(await steps.findStep(ctx.db, id, stepId), messages.stepNotFound)
    return { ...(await readEntry(ctx.db, id)), step: toStep(step) }
  }),

  steps: forAll('GET /diary/{id}/progress', 'listDiarySteps', schema.listSteps, {
    summary: 'List how far a member was in a title',
    description:
      'The steps of an entry, the last day first. Whoever may read the diary may read them; only the owner sees the notes.',
    errors: [404],
    readsToken: true,
    returnsData: 'favorites',
  }).query(async ({ ctx, input: { id, limit, cursor } }) => {
    const viewerId = ctx.member?.id ?? 0
    const entry = found(await steps.findReadableEntry(ctx.db, id, viewerId), messages.diaryEntryNotFound)
    const [day, lastId] = readCursor(cursor, schema.stepCursor) ?? []
    const after = day === undefined ? undefined : { day, id: lastId! }
    const rows = await steps.listSteps(ctx.db, id, after, limit + 1)
    const { shown, nextCursor } = pageOf(rows, limit, (last) => [last.day, last.id])
    const [card] = await listCards(ctx.db, [entry.media_id])
    const isOwn = entry.user_id === viewerId
    return {
      title: toTitleCard(found(card, messages.diaryEntryNotFound)),
      steps: shown.map((row) => ({ ...toStep(row), ...(!isOwn && { text: '' }) })),
      nextCursor,
    }
  }),

  removeStep: forMembers('DELETE /diary/{id}/progress/{stepId}', 'deleteDiaryStep', schema.removeStep, {
    summary: 'Delete a step',
    description:
      'An entry that the step took from the want list or continued, and that nothing has changed since, is there again. Returns 404 for an entry of another member.',
    errors: [404],
    scope: 'diary:write',
  }).mutation(async ({ ctx, input: { id, stepId } }) => {
    await ctx.db.transaction().execute(async (trx) => {
      const entry = await lockOwn(trx, ctx.member.id, id)
      const step = found(await steps.findStep(trx, id, stepId), messages.stepNotFound)
      await steps.removeStep(trx, stepId)
      const values = { ...(await statusAfter(trx, entry, step)), updated_at: ctx.now.toISOString() }
      if (!(await store.updateEntry(trx, id, values))) throw duplicate(entry)
    })
    return { message: messages.stepRemoved }
  }),
})

/** Throws NOT_FOUND if the title was removed. */
async function lockShown(trx: Db, userId: number, id: number) {
  await lockOwn(trx, userId, id)
  const [shown] = await store.listEntries(trx, [id])
  return found(shown, messages.diaryEntryNotFound)
}

/** The status that a removed step had ended, unless the entry has changed since. */
async function statusAfter(
  trx: Db,
  { id, user_id, media_id, status, started_on }: EntryRow,
  { id: stepId, status_before, day }: StepRow,
): Promise<Pick<EntryRow, 'status' | 'started_on'>> {
  const unchanged = { status, started_on }
  if (status_before === null || status !== 'started') return unchanged
  if (await steps.hasStepAfter(trx, id, stepId)) return unchanged
  if (status_before === 'paused') return { status: 'paused', started_on }
  if (started_on !== day || (await store.hasWanted(trx, user_id, media_id))) return unchanged
  return { status: 'want', started_on: null }
}
