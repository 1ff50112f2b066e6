import { conflict } from '#server/calls/errors.ts'
import { t } from '#shared/domain/message.ts'
import { TRPCError } from '@trpc/server'
import { type ImportOptions } from '#shared/contracts/imports.ts'
import { messages } from '#shared/texts/messages.ts'
import type { ImportRow } from './tables.ts'
import { scaleIn } from './read/formats/columns.ts'
import { type ImportFacts, optionsOf, factsOf } from './facts.ts'
import { type ImportState, workingStates } from '#shared/domain/import-states.ts'

// docs/imports.md draws the states.

/** Undefined if nothing changes. Throws CONFLICT if the state does not allow it. */
export type Transition = (row: ImportRow, now: Date) => Partial<ImportRow> | undefined

/** Changes nothing in the states to which it leads. */
function transition(
  from: readonly ImportState[],
  to: readonly ImportState[],
  change: Transition,
): Transition {
  return (row, now) => {
    if (to.includes(row.state)) return undefined
    allowed(row, from)
    return change(row, now)
  }
}

export const start = transition(['ready', 'done'], ['applying'], (row, now) =>
  row.state === 'ready' || hasWork(row) ? begin(row, 'applying', now) : undefined,
)

export const applyDecisions: Transition = (row, now) => (row.state === 'done' ? start(row, now) : undefined)

export const stop = transition(['matching', 'waiting', 'applying'], ['stopped'], ({ state }) => ({
  state: 'stopped',
  resumes: state === 'applying' ? state : 'matching',
  next_at: null,
}))

export const resume = transition(['stopped', 'waiting'], ['matching', 'applying'], (row, now) => ({
  ...dueAt(now),
  state: row.state === 'waiting' ? 'matching' : (row.resumes ?? 'matching'),
  facts: JSON.stringify({ ...factsOf(row), pauses: {} }),
}))

export const undo = transition(['done', 'ready', 'stopped'], ['undoing', 'undone'], (row, now) => {
  const isPart = row.state === 'stopped' && row.resumes === 'applying'
  if (!isPart && (row.applied_at === null || row.undone_at !== null)) throw notReady()
  const { halves: _, ...applied } = factsOf(row).applied
  const total = Object.values(applied).reduce((sum, count) => sum + count, 0)
  return { ...begin(row, 'undoing', now), total }
})

export const readAgain = transition(
  ['ready', 'stopped', 'done', 'undone'],
  ['matching', 'waiting'],
  (row, now) => {
    // It has no lines.
    if (row.service === 'originals') throw notReady()
    return begin(row, 'matching', now, restartAfter(row, titleOptions))
  },
)

export const remove = transition(
  ['matching', 'waiting', 'ready', 'stopped', 'done', 'undone'],
  [],
  (_row, now) => reading(now),
)

type Option = keyof ImportOptions
type SentOptions = { [Name in Option]?: ImportOptions[Name] | undefined }

export const withOptions = (sent: SentOptions) =>
  transition(['matching', 'waiting', 'ready'], [], (row, now) => {
    const before = optionsOf(row)
    const facts = restartAfter(row, Object.keys(sent) as Option[])
    checkColumns(facts, sent)
    const columns = sent.columns ?? before.columns
    const { rating } = columns
    const isOtherRating = rating !== undefined && rating !== before.columns.rating && sent.scale === undefined
    const scale = isOtherRating ? scaleIn(rating) : undefined
    const options = { ...before, ...sent, ...(scale !== undefined && { scale }) }
    const unclear = facts.unclear.filter((option) =>
      option === 'columns' ? columns.name === undefined : sent.scale === undefined && !isOtherRating,
    )
    if (isOtherRating && scale === undefined) unclear.push('scale')
    const hasHalves = sent.halfStars === undefined ? facts.hasHalves : null
    return {
      ...begin(row, 'matching', now, { ...facts, unclear, hasHalves }),
      options: JSON.stringify(options),
    }
  })

function checkColumns({ columns }: ImportFacts, sent: SentOptions): void {
  const unknown = Object.entries(sent.columns ?? {}).find(([, column]) => !columns.includes(column))
  if (unknown && columns.length > 0)
    throw new TRPCError({
      code: 'BAD_REQUEST',
      message: t`columns.${unknown[0]}: must be a column of the file`,
    })
}

/** A longer upload is aborted, and removed. */
const readingMaxMs = 5 * 60_000

/** Of an import that is uploaded or removed: the worker removes what a crash leaves. */
export const reading = (now: Date) => ({
  state: 'reading' as const,
  next_at: new Date(now.getTime() + readingMaxMs).toISOString(),
})

/** Throws CONFLICT. */
export function checkDecidable(row: ImportRow): void {
  allowed(row, ['ready', 'done'])
}

export function notReady(): TRPCError {
  return conflict(messages.importNotReady)
}

function allowed({ state }: ImportRow, states: readonly ImportState[]): void {
  if (states.includes(state)) return
  const isBusy = (workingStates as readonly ImportState[]).includes(state)
  throw isBusy ? conflict(messages.importBusy) : notReady()
}

/** What the worker has not committed is rolled back. */
function begin(row: ImportRow, state: ImportState, now: Date, facts = factsOf(row)) {
  const total = state === 'matching' && facts.matches === 'lines' ? facts.lines : facts.titles
  return { ...dueAt(now), state, facts: JSON.stringify({ ...facts, cursor: 0 }), processed: 0, total }
}

function dueAt(now: Date) {
  const at = now.toISOString()
  return { resumes: null, waiting_for: null, next_at: at, updated_at: at }
}

function hasWork(row: ImportRow): boolean {
  const { counts } = factsOf(row)
  return ['new', 'newer', 'conflict'].some((state) => counts[state] !== undefined)
}

/** They may change which title a line is about. */
const titleOptions: readonly Option[] = ['dates', 'kind', 'scale', 'shelves', 'columns']
const lineOptions: readonly Option[] = [...titleOptions, 'likes', 'follows', 'shelfLists', 'shows']

/** At the lines, also if they are not finished, or at the records. */
function restartAfter(row: ImportRow, changed: readonly Option[]): ImportFacts {
  const facts = factsOf(row)
  const { matches, isRematch } = facts
  const { repeated: _, ...counts } = facts.counts
  const again = { ...facts, cursor: 0, pauses: {} }
  const isUnfinished = matches === 'lines' || (matches === 'titles' && isRematch)
  // Follows in a conflict are decided when their lines are read.
  const isOfLine = (option: Option) =>
    lineOptions.includes(option) || (option === 'conflicts' && row.service === 'medley')
  if (!isUnfinished && !changed.some(isOfLine))
    return { ...again, matches: 'titles', isRematch: false, counts }
  const { unreadable: __, ...ofTitles } = counts
  const adds = { ...facts.adds, follows: 0, settings: 0 }
  const mayBeOthers = isRematch || changed.some((option) => titleOptions.includes(option))
  const countsShelves = facts.countsShelves || changed.includes('columns')
  const shelves = countsShelves ? [] : facts.shelves
  const isReread = facts.isReread || changed.some(isOfLine)
  const hasHalves = facts.hasHalves === null ? null : false
  const restarted = { notKept: {}, adds, countsShelves, shelves, isReread, hasHalves }
  return { ...again, ...restarted, matches: 'lines', isRematch: mayBeOthers, counts: ofTitles }
}
