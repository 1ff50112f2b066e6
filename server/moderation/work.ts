import { queueNotice } from '#server/accounts/notices.ts'
import type { Db } from '#server/db/open.ts'
import { enqueue, removeTasks } from '#server/db/tasks.ts'
import { notify } from '#server/accounts/notify-store.ts'
import { openQueue, type Queue, type QueueOptions } from '#server/process/queue.ts'
import type { Live } from '#server/reviews/live.ts'
import { applyToAllOf, applyToMember, destroyRemoved } from './apply.ts'
import { isRestriction } from '#shared/domain/moderation.ts'
import { dayMs } from '#shared/domain/days.ts'
import { isReversed } from './rules.ts'
import * as decisionsStore from './decisions-store.ts'
import * as store from './store.ts'

/**
 * `member` applies decisions to all that a member wrote, `until` ends a decision, `final` destroys what it removed, `reporters` notifies
 * who reported a case.
 */
type TaskName = 'member' | 'until' | 'final' | 'reporters'

const batchSize = 100

export async function addTask(trx: Db, name: TaskName, id: number, dueAt: Date): Promise<void> {
  const key = `${name} ${id}`
  await enqueue(trx, { queue: 'moderation', key, owner: key, priority: 0, payload: '' }, dueAt)
}

export async function cancelTask(trx: Db, name: TaskName, id: number): Promise<void> {
  await removeTasks(trx, 'moderation', 'key', [`${name} ${id}`])
}

export function openModeration(
  services: { live: Live },
  { now = () => new Date(), ...options }: QueueOptions,
): Queue {
  const { db } = options
  return openQueue({
    ...options,
    now,
    name: 'moderation',
    async run({ key }, _waiting, signal) {
      const [name, number] = key!.split(' ') as [TaskName, string]
      const id = Number(number)
      if (name === 'member') return applyToAllOf({ db, live: services.live }, id, now(), signal)
      if (name === 'until') return endDecision(db, id, now())
      if (name === 'reporters') return notifyReporters(db, id, now(), signal)
      const decision = await decisionsStore.findDecision(db, id)
      if (!decision || decision.final_at !== null || isReversed(decision)) return
      // An appeal is answered first.
      if (decision.appealed_at !== null && decision.answered_at === null)
        return { dueAt: new Date(now().getTime() + dayMs) }
      await destroyRemoved({ db, live: services.live }, decision, now(), signal)
      if (decision.action === 'removeAll' && decision.user_id !== null)
        await addTask(db, 'member', decision.user_id, now())
    },
  })
}

/** What `removeAll` removed stays removed. */
async function endDecision(db: Db, id: number, now: Date): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const decision = await decisionsStore.lockDecision(trx, id)
    if (!decision || decision.ended_at !== null || !isRestriction(decision.action)) return
    if (decision.action !== 'removeAll')
      await decisionsStore.updateDecision(trx, id, { ended_at: now.toISOString(), end_reason: 'expired' })
    if (decision.user_id === null) return
    await applyToMember(trx, decision.user_id, now)
    await addTask(trx, 'member', decision.user_id, now)
  })
}

async function notifyReporters(db: Db, caseId: number, now: Date, signal: AbortSignal): Promise<void> {
  for (let after = 0; ;) {
    const reporters = await store.listReporters(db, caseId, after, batchSize)
    if (reporters.length === 0) return
    signal.throwIfAborted()
    await db.transaction().execute(async (trx) => {
      for (const { id, user_id, email, outcome } of reporters) {
        if (user_id !== null)
          await notify(trx, { type: 'report', to: user_id, by: null, target: { type: 'report', id }, now })
        const mail = { to: email, mail: 'report', isRemoved: outcome === 'removed' } as const
        await queueNotice(trx, 'report-notice', mail, now)
      }
    })
    after = reporters.at(-1)!.id
  }
}
