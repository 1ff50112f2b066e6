import { setImmediate as nextTick, setTimeout as wait } from 'node:timers/promises'
import { TRPCError } from '@trpc/server'
import type { Db } from '#server/db/open.ts'
import type { ImportRow } from './tables.ts'
import { endImportBatches } from '#server/progress/imported-store.ts'
import { extendClaim, type Task } from '#server/db/tasks.ts'
import { notify } from '#server/accounts/notify-store.ts'
import { claimMs, ClaimLost, openQueue, type Queue } from '#server/process/queue.ts'
import { applyTitle } from './apply/apply.ts'
import { nextRounded, restoreOriginal } from './apply/originals.ts'
import { recordOf } from './read/lines.ts'
import { applyRecord } from './apply/members.ts'
import { applyList } from './apply/lists.ts'
import { findUnappliedList, leaveLists } from './apply/lists-store.ts'
import { matching } from './match/match.ts'
import { addsNothing } from './facts.ts'
import { saveFacts, spend } from './limits.ts'
import { findImport, removeImport, removeImportKeys, removeImportRows, updateImport } from './store.ts'
import { listTitles } from './match/titles-store.ts'
import { leaveLines, listNewLines } from './read/lines-store.ts'
import { keepWrites } from './origins/keep.ts'
import { undoLast } from './undo/undo.ts'
import { ends, type WorkOptions, titlesAtOnce, type WorkContext, writingOf } from './context.ts'
import { isApplicable, saveTitles, type TitleOfImport, titleOf } from './match/titles.ts'
import type { ImportState } from '#shared/domain/import-states.ts'

export type Imports = Pick<Queue, 'wake' | 'close'>

const concurrencyMax = 2
/** Then the next import is processed (round-robin). */
const turnMs = 1_000
/** Applying must not slow down other members. */
const defaultPaceMs = 10
const removalBatch = 500
const pauseMs = 5 * 60_000

/** Several processes can run a worker on the same database. */
export function openImports(options: Omit<WorkOptions, 'signal'>): Queue {
  const now = options.now ?? (() => new Date())
  return openQueue({
    ...options,
    name: 'imports',
    concurrencyMax,
    isOnly: true,
    run: (task, _waiting, signal) => takeTurn(task, { ...options, now, signal }),
  })
}

export async function runDueImports(options: WorkOptions): Promise<void> {
  const queue = openImports({ ...options, pollMs: 0 })
  options.signal?.addEventListener('abort', () => void queue.close())
  await queue.runDue()
}

export async function removeWholeImport(db: Db, id: number, now: Date): Promise<void> {
  await keepWrites(db, id)
  while (await removeImportRows(db, id, removalBatch)) await nextTick()
  await db.transaction().execute(async (trx) => {
    const removed = await removeImport(trx, id)
    if (removed) await spend(trx, removed, { held: -removed.bytes, added: 0 }, now)
  })
}

/** The next step would take more space than there is. */
class Paused extends Error {
  readonly waitingFor: 'disk' | 'quota'
  constructor(waitingFor: 'disk' | 'quota') {
    super(`The import waits for ${waitingFor}.`)
    this.waitingFor = waitingFor
  }
}

async function takeTurn(
  task: Task,
  options: WorkOptions & { now: () => Date; signal: AbortSignal },
): Promise<{ dueAt: Date } | undefined> {
  const { db, log, now, signal } = options
  const found = await findImport(db, Number(task.owner), Number(task.key))
  if (!found) return undefined
  let current: ImportRow = found
  const endsAt = performance.now() + turnMs
  const fromNow = (ms: number) => new Date(now().getTime() + ms)
  /** Locks the import and then its task, as members’ calls do. Throws `ClaimLost`. */
  const holding = <Result>(work: (trx: Db, held: ImportRow) => Promise<Result>) =>
    db.transaction().execute(async (trx) => {
      const held = await findImport(trx, current.user_id, current.id, true)
      if (held?.state !== current.state || !(await extendClaim(trx, task, fromNow(claimMs))))
        throw new ClaimLost()
      return work(trx, held)
    })
  const commit: WorkContext['commit'] = async (work) => {
    current = await holding(async (db, row) => {
      const writing = writingOf(db, row, now())
      const columns = { waiting_for: null, ...(await work(writing)) }
      return saveFacts(writing, columns).catch((error: unknown) => {
        throw error instanceof TRPCError ? new Paused('quota') : error
      })
    })
  }
  try {
    while (current.next_at !== null && performance.now() < endsAt && !signal.aborted) {
      const takesSpace = current.state === 'matching' || current.state === 'applying'
      if (takesSpace && options.disk && !(await options.disk.hasFreeSpace())) throw new Paused('disk')
      await works[current.state]?.({ ...options, ...writingOf(db, current, now()), commit })
      // Another import has its turn until the pause is over.
      if (current.state === 'waiting') break
    }
  } catch (error) {
    if (!(error instanceof Paused)) throw error
    log.warn({ import: current.id, for: error.waitingFor }, 'import waits')
    const values = { waiting_for: error.waitingFor, next_at: fromNow(pauseMs).toISOString() }
    await holding((trx, { id }) => updateImport(trx, id, values))
  }
  // A new time or state has ended the claim.
  return { dueAt: now() }
}

const works: Partial<Record<ImportState, (context: WorkContext) => Promise<void>>> = {
  /** The upload or the removal was interrupted. */
  async reading({ db, row, now }) {
    await removeWholeImport(db, row.id, now)
    throw new ClaimLost()
  },
  matching: (context) => matching[context.facts.matches](context),
  waiting: ({ commit }) => commit(async () => ({ state: 'matching' })),
  applying: applySome,
  undoing: undoSome,
}

/** Lists, then titles, then the other lines, each in a transaction of its own. */
async function applySome(context: WorkContext): Promise<void> {
  const { db, row, options, commit, signal } = context
  if (row.service === 'originals') return restoreSome(context)
  const list = await findUnappliedList(db, row.id)
  if (list) {
    await commit((writing) => applyList(writing, list))
    return pace(context)
  }
  const titles = await listTitles(db, row.id, { after: context.facts.cursor, limit: titlesAtOnce })
  for (const title of titles.filter((each) => each.applied_at === null && isApplicable(each, options))) {
    let left: TitleOfImport | undefined = titleOf(title)
    while (left) {
      if (signal?.aborted) return
      left = await applyOnce(context, left)
      await pace(context)
    }
  }
  if (titles.length > 0)
    return commit(async ({ facts }) => {
      facts.cursor = titles.at(-1)!.id
      return { processed: row.processed + titles.length }
    })
  const lines = await listNewLines(db, row.id, titlesAtOnce)
  for (const line of lines) {
    if (signal?.aborted) return
    const record = recordOf(context, line)
    if (record.type !== 'settings' && record.type !== 'follow') throw new Error('The line cannot be applied.')
    await commit((writing) => applyRecord(writing, line.id, record))
    await pace(context)
  }
  if (lines.length > 0) return
  await commit(async (writing) => {
    const { db: trx, row, facts, now } = writing
    facts.cursor = 0
    const about = { to: row.user_id, by: null, target: { type: 'import' as const, id: row.id } }
    // Each later decision about a title ends the import again.
    await notify(trx, { type: 'importDone', ...about, now, isOncePerDay: true })
    const columns = { applied_at: row.applied_at ?? now.toISOString(), undone_at: null }
    return { ...ends('done', facts.titles), ...columns }
  })
}

/** Returns the title if something of it is left. */
async function applyOnce({ commit }: WorkContext, title: TitleOfImport): Promise<TitleOfImport | undefined> {
  let left: TitleOfImport | undefined
  await commit(async (writing) => {
    const applied = await applyTitle(writing, title)
    left = applied !== title && applied.applied_at === null ? applied : undefined
    if (!left) writing.facts.cursor = title.id
  })
  return left
}

async function restoreSome(context: WorkContext): Promise<void> {
  const { db, row, facts, commit, signal } = context
  const rounded = await nextRounded(db, row, facts.cursor, titlesAtOnce)
  for (const [at, review] of rounded.entries()) {
    if (signal?.aborted) return
    await commit(async (writing) => {
      await restoreOriginal(writing, review)
      return { processed: row.processed + at + 1 }
    })
    await pace(context)
  }
  if (rounded.length > 0) return
  // The member has just asked for it, so nothing notifies them.
  await commit(async ({ facts: { titles }, now }) => ({
    ...ends('done', titles),
    applied_at: now.toISOString(),
  }))
}

async function pace({ paceMs = defaultPaceMs }: WorkContext): Promise<void> {
  await (paceMs > 0 ? wait(paceMs) : nextTick())
}

/** After the last change, marks titles, lines and lists as left out. */
async function undoSome({ commit, features }: WorkContext): Promise<void> {
  await commit(async (writing) => {
    const { db: trx, row, facts, now } = writing
    if (await undoLast(features, writing)) return { processed: row.processed + 1 }
    const page = { limit: titlesAtOnce * 4, state: 'taken' as const }
    const titles = (await listTitles(trx, row.id, page)).map(titleOf)
    const left = titles.map((title) => ({ ...title, state: 'left' as const, applied_at: null }))
    if (titles.length > 0) return void (await saveTitles(writing, titles, left))
    await endImportBatches(trx, row.id, now.toISOString())
    await removeImportKeys(trx, row.id)
    await leaveLines(trx, row.id)
    await leaveLists(trx, row.id)
    facts.applied = addsNothing
    if (row.service === 'originals') facts.counts = {}
    return { ...ends('undone', facts.titles), undone_at: now.toISOString() }
  })
}
