import { setImmediate as nextTick, setTimeout as wait } from 'node:timers/promises'
import { TRPCError } from '@trpc/server'
import type { Db } from '#server/db/open.ts'
import type { ImportRow } from '#server/db/tables.ts'
import { extendClaim, type Task } from '#server/db/tasks.ts'
import { ClaimLost, openQueue } from '#server/process/queue.ts'
import type { ImportState } from '#shared/imports.ts'
import { applyTitle } from './apply.ts'
import { factsOf, optionsOf, tally, type Title, titleOf } from './facts.ts'
import { applyFollow, undoLastFollow } from './follows.ts'
import { addsNothing } from './judge.ts'
import { noGrowth, spend } from './quota.ts'
import { saveTitles } from './resolve.ts'
import { findImport, removeImport, removeImportKeys, removeImportRows, updateImport } from './store.ts'
import { listTitlesAfter } from './titles-store.ts'
import { listNewFollowLines } from './lines-store.ts'
import { revertLast } from './revert.ts'
import { type WorkOptions, titlesPerStep, Paused, ShuttingDown, type StepContext } from './step.ts'
import { matchingSteps } from './rehearse.ts'
import { interpretLine } from './interpret.ts'

/** Works on imports: matches, applies and undoes them. */
export type Imports = {
  /** Starts due work. Returns immediately and never throws. */
  wake: () => void
  /** Stops after the steps in progress. */
  close: () => Promise<void>
}

const pollIntervalMs = 15_000
/** Imports that a process works on at the same time. */
const concurrencyMax = 2
/** After this time, the next import is processed (round-robin). */
const turnMs = 1_000
/** Short, so that an import soon goes on at another process if its process dies. A step whose claim has expired is rolled back. */
const leaseMs = 15_000
/** Applying must not slow down other members. */
const defaultPaceMs = 10
/** An upload that takes longer counts as aborted, and is removed. */
export const readingMaxMs = 5 * 60_000
const removalBatch = 500
/** How long an import waits before it checks whether there is room for it again. */
const pauseMs = 5 * 60_000

/** Starts the worker. Several processes can run one on the same database. */
export function openImports(options: Omit<WorkOptions, 'signal'>): Imports {
  return openImportQueue(options, pollIntervalMs)
}

/** Processes all due imports, until none is due. */
export async function runDueImports(options: WorkOptions): Promise<void> {
  const queue = openImportQueue(options, 0)
  options.signal?.addEventListener('abort', () => void queue.close())
  await queue.runDue()
}

function openImportQueue(options: WorkOptions, pollMs: number) {
  const { db, log, now = () => new Date() } = options
  return openQueue({
    db,
    log,
    now,
    name: 'imports',
    concurrencyMax,
    isOnly: true,
    leaseMs,
    pollMs,
    run: (task, _waiting, signal) => takeTurn(task, { ...options, now, signal }),
  })
}

/** Removes an import with its rows in small steps. What it added to the member’s data stays. */
export async function removeWholeImport(db: Db, id: number, now: Date): Promise<void> {
  while (await removeImportRows(db, id, removalBatch)) await nextTick()
  await db.transaction().execute(async (trx) => {
    const removed = await removeImport(trx, id)
    if (removed) await spend(trx, removed, { held: -removed.bytes, added: 0 }, now)
  })
}

/** Works on an import for about a second. */
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
  const hold = async (trx: Db): Promise<ImportRow> => {
    const held = await findImport(trx, current.user_id, current.id, true)
    if (held?.state !== current.state || !(await extendClaim(trx, task, fromNow(leaseMs))))
      throw new ClaimLost()
    return held
  }
  const context: StepContext = {
    ...options,
    get import() {
      return current
    },
    async commit(work) {
      current = await db.transaction().execute(async (trx) => {
        const held = await hold(trx)
        const facts = factsOf(held)
        const { grown = noGrowth, ...columns } = await work(trx, facts, held)
        const bytes = await spend(trx, held, grown, now()).catch((error: unknown) => {
          throw error instanceof TRPCError ? new Paused('quota') : error
        })
        const values = { waiting_for: null, ...columns, bytes, updated_at: now().toISOString() }
        await updateImport(trx, held.id, { facts: JSON.stringify(facts), ...values })
        return { ...held, facts: JSON.stringify(facts), ...values } as ImportRow
      })
    },
  }
  try {
    while (current.next_at !== null && performance.now() < endsAt && !signal.aborted) {
      const takesSpace = current.state === 'matching' || current.state === 'applying'
      if (takesSpace && options.disk && !(await options.disk.hasFreeSpace())) throw new Paused('disk')
      await steps[current.state]?.(context)
      await nextTick()
      // A pause: another import has its turn until it is over.
      if (current.state === 'waiting') break
    }
  } catch (error) {
    if (error instanceof Paused) {
      log.warn({ import: current.id, for: error.waitingFor }, 'import waits')
      const values = { waiting_for: error.waitingFor, next_at: fromNow(pauseMs).toISOString() }
      await db.transaction().execute(async (trx) => updateImport(trx, (await hold(trx)).id, values))
    } else if (!(error instanceof ShuttingDown)) throw error
  }
  // A new time or state has ended the claim.
  return { dueAt: now() }
}

const steps: Partial<Record<ImportState, (context: StepContext) => Promise<void>>> = {
  /** Only due if the upload or the removal was interrupted. */
  async reading({ db, import: { id }, now }) {
    await removeWholeImport(db, id, now())
    throw new ClaimLost()
  },
  matching: (context) => matchingSteps[factsOf(context.import).step](context),
  async waiting({ commit }) {
    await commit(async () => ({ state: 'matching', waiting_for: null }))
  },
  applying: applySome,
  undoing: undoSome,
}

/** Whether applying an import has something to do for a title. The others keep their state. */
function isApplicable(title: Pick<Title, 'applied_at' | 'state'>, row: ImportRow): boolean {
  if (title.applied_at !== null) return false
  if (title.state === 'notFound') return optionsOf(row).missing === 'create'
  return title.state === 'new' || title.state === 'newer' || title.state === 'conflict'
}

/** Applies titles, each in a transaction of its own. */
async function applySome(context: StepContext): Promise<void> {
  const { db, import: row, commit, now, signal, paceMs = defaultPaceMs } = context
  const { cursor } = factsOf(row)
  const rows = await listTitlesAfter(db, row.id, { after: cursor, limit: titlesPerStep })
  if (rows.length === 0 && (await applyFollows(context))) return
  if (rows.length === 0)
    return commit(async (_trx, facts, held) => {
      facts.cursor = 0
      const time = now().toISOString()
      return {
        state: 'done',
        next_at: null,
        total: facts.titles,
        processed: facts.titles,
        applied_at: held.applied_at ?? time,
        undone_at: null,
      }
    })
  const options = optionsOf(row)
  let passed = 0
  for (const each of rows) {
    passed++
    if (!isApplicable(each, row)) continue
    if (signal?.aborted) return
    await commit(async (trx, facts, held) => {
      const grown = await applyTitle(trx, held, each, { options, facts, now: now() })
      facts.cursor = each.id
      const processed = held.processed + passed
      passed = 0
      return { processed, grown }
    })
    if (paceMs > 0) await wait(paceMs)
    else await nextTick()
  }
  if (passed > 0)
    await commit(async (_trx, facts, held) => {
      facts.cursor = rows.at(-1)!.id
      return { processed: held.processed + passed }
    })
}

/** Applies some of the follows, each in a transaction of its own. Returns false if there are none. */
async function applyFollows(context: StepContext): Promise<boolean> {
  const { db, import: row, commit, now, signal, paceMs = defaultPaceMs } = context
  const lines = await listNewFollowLines(db, row.id, titlesPerStep)
  const options = optionsOf(row)
  for (const line of lines) {
    if (signal?.aborted) return true
    const result = interpretLine(row.service, line, options)
    if (result.type !== 'follow') throw new Error('The line names no member.')
    await commit(async (trx, facts, held) => {
      await applyFollow(trx, held, line, result.follow, { options, facts, now: now() })
      return {}
    })
    if (paceMs > 0) await wait(paceMs)
    else await nextTick()
  }
  return lines.length > 0
}

/** Undoes the changes of one title, newest first; finally marks the titles. */
async function undoSome({ db, import: row, commit, now }: StepContext): Promise<void> {
  const { cursor } = factsOf(row)
  if (cursor === 0) {
    let isOver = false
    await commit(async (trx, facts, held) => {
      const changes = await revertLast(trx, held)
      const undone = changes.count || Number(await undoLastFollow(trx, held))
      isOver = undone === 0
      const grown = { held: -changes.bytes, added: 0 }
      if (!isOver) return { processed: held.processed + undone, grown }
      await removeImportKeys(trx, held.id)
      facts.cursor = 1
      return {}
    })
    return
  }
  const rows = await listTitlesAfter(db, row.id, { after: 0, limit: titlesPerStep * 4, state: 'taken' })
  const titles = rows.map(titleOf)
  await commit(async (trx, facts) => {
    const left: Title[] = titles.map((title) => ({ ...title, state: 'left', applied_at: null }))
    for (const [at, title] of titles.entries()) tally(facts, title, left[at])
    const grown = { held: await saveTitles(trx, titles, left), added: 0 }
    if (rows.length > 0) return { grown }
    Object.assign(facts, {
      cursor: 0,
      applied: addsNothing,
      follows: { ...facts.follows, applied: 0 },
    })
    const time = now().toISOString()
    return {
      state: 'undone',
      next_at: null,
      total: facts.titles,
      processed: facts.titles,
      undone_at: time,
    }
  })
}
