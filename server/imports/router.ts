import { TRPCError } from '@trpc/server'
import * as schema from '#shared/imports.ts'
import type { ImportOptions, ImportState } from '#shared/imports.ts'
import { messages } from '#shared/messages.ts'
import { message } from '#shared/scalars.ts'
import { toTitleCard } from '#server/catalogue/rules.ts'
import { foldWords, termsOf } from '#server/db/fold.ts'
import type { Db } from '#server/db/open.ts'
import type { ImportRow, Tables } from '#server/db/tables.ts'
import type { Context, Member } from '#server/trpc/context.ts'
import { atCursor, endOfPage } from '#server/trpc/cursors.ts'
import { found, memberProcedure, router } from '#server/trpc/procedures.ts'
import { listCatalogueTitles } from './catalogue-store.ts'
import { loadCurrent } from './diff-titles.ts'
import { countLines, listLines, listPlacesOf } from './lines-store.ts'
import { type ImportProgress, optionsOf, progressOf, restartAt } from './progress.ts'
import { nextStep, resolveTitles, toStoredDecision } from './resolve.ts'
import { previewRevert } from './revert.ts'
import { findImport, listImports, updateImport } from './store.ts'
import { type Title, titleOf } from './titles.ts'
import {
  countTitles,
  findIdAfter,
  findImportTitle,
  listImportTitles,
  listMatchingIds,
  listTitlesAfter,
  listTitlesPage,
  type ShownTitles,
} from './titles-store.ts'
import { toImport, toImportTitle, toLine, toSummary } from './view.ts'
import { readingMaxMs, removeWholeImport } from './work.ts'

const placesMax = 20
/** A search compares the first letters of a word only: each more takes longer in names that repeat the word. */
const termLettersMax = 32
const titlesSearchedAtOnce = 1_000
const decisionsPerStep = 100

type About = { description?: string; errorResponses?: number[]; successDescription?: string }

/** Returns the metadata of a call. Calls that write need the scope `imports`. */
function metaOf<Method extends 'GET' | 'POST' | 'PATCH' | 'DELETE'>(
  method: Method,
  path: `/imports${string}`,
  operationId: string,
  summary: string,
  about: About = {},
) {
  const openapi = { method, path, operationId, tags: ['Imports'], summary, protect: true, ...about }
  return method === 'GET' ? { openapi } : { openapi, scope: 'imports' as const }
}

/** Returns the procedure of an action: a `POST` on an import that starts or stops work on it. */
function action(name: string, operationId: string, summary: string, what: string) {
  const about = {
    description: `${what} Returns 409 if the state of the import does not allow it.`,
    errorResponses: [404, 409],
    successDescription: 'The import, which the server continues with.',
  }
  return memberProcedure
    .meta({ ...metaOf('POST', `/imports/{id}/${name}`, operationId, summary, about), status: 202 })
    .input(schema.importAction.input)
    .output(schema.importAction.output)
}

export const importsRouter = router({
  list: memberProcedure
    .meta(
      metaOf('GET', '/imports', 'listImports', 'List the caller’s imports', {
        description: 'Newest first; at most 50.',
      }),
    )
    .output(schema.listImports.output)
    .query(async ({ ctx }) => ({ imports: (await listImports(ctx.db, ctx.member.id)).map(toSummary) })),

  byId: memberProcedure
    .meta(
      metaOf('GET', '/imports/{id}', 'getImport', 'Get an import', {
        description:
          'While the state is `matching`, `waiting`, `applying` or `undoing`, the server works on the import, and the numbers change.',
        errorResponses: [404],
      }),
    )
    .input(schema.getImport.input)
    .output(schema.getImport.output)
    .query(async ({ ctx, input }) => shown(ctx, await ownImport(ctx, input.id))),

  titles: memberProcedure
    .meta(
      metaOf('GET', '/imports/{id}/titles', 'listImportTitles', 'List the titles of an import', {
        description:
          'In the order of the file. All lines about a title are one title here. `q` searches names and authors.',
        errorResponses: [404],
      }),
    )
    .input(schema.listImportTitles.input)
    .output(schema.listImportTitles.output)
    .query(async ({ ctx, input: { id, q, ...input } }) => {
      await ownImport(ctx, id)
      const list = `import ${id} titles`
      const { page, limit, cursor: _, ...others } = atCursor(input, list)
      const words = termsOf(foldWords(q ?? ''))
      const place = { limit, offset: (page - 1) * limit }
      const { rows, total } =
        words.length > 0
          ? await searchTitles(ctx, id, { ...others, words, ...place })
          : {
              rows: await listTitlesPage(ctx.db, id, { ...others, ...place }),
              total: await countTitles(ctx.db, id, others),
            }
      const titles = await shownTitles(ctx, rows.map(titleOf))
      return { titles, ...endOfPage({ page, limit }, list, total) }
    }),

  lines: memberProcedure
    .meta(
      metaOf('GET', '/imports/{id}/lines', 'listImportLines', 'List the lines of an import', {
        description:
          'In the order of the file. The state of a line is that of its title unless it has its own.',
        errorResponses: [404],
      }),
    )
    .input(schema.listImportLines.input)
    .output(schema.listImportLines.output)
    .query(async ({ ctx, input: { id, state, ...input } }) => {
      await ownImport(ctx, id)
      const list = `import ${id} lines`
      const { page, limit } = atCursor(input, list)
      const total = await countLines(ctx.db, id, state)
      const rows = await listLines(ctx.db, id, { state, limit, offset: (page - 1) * limit })
      return { lines: rows.map(toLine), ...endOfPage({ page, limit }, list, total) }
    }),

  update: memberProcedure
    .meta(
      metaOf('PATCH', '/imports/{id}', 'updateImport', 'Change the options of an import', {
        description:
          'Before it is applied. The titles are compared again, and are looked up again if they may be others. Decisions stay.',
        errorResponses: [404, 409],
      }),
    )
    .input(schema.updateImport.input)
    .output(schema.updateImport.output)
    .mutation(({ ctx, input: { id, ...sent } }) =>
      changing(ctx, id, async (trx, row) => {
        allowed(row, ['matching', 'waiting', 'ready'])
        const options = { ...optionsOf(row), ...sent }
        const before = progressOf(row)
        const step = stepOf(row, sent)
        const isRematch = step === 'lines' && (before.isRematch || !Object.keys(sent).every(keepsTitles))
        const progress = restartAt(before, step, isRematch)
        const values = { options: JSON.stringify(options), facts: JSON.stringify(progress) }
        await startWork(trx, ctx, row, 'matching', values)
      }),
    ),

  decide: memberProcedure
    .meta(
      metaOf(
        'PATCH',
        '/imports/{id}/titles/{titleId}',
        'decideImportTitle',
        'Decide about a title of an import',
        {
          description:
            'Names the title that is meant (`mediaId`, or `candidate`, an index of the candidates), or says what applies: `create` it, ' +
            '`skip` it, or in a conflict `mine`, `file` or `both`, which puts what the file says into the diary. Null takes the decision ' +
            'back. In an import that is done, the decision is applied at once.',
          errorResponses: [404, 409],
        },
      ),
    )
    .input(schema.decideTitle.input)
    .output(schema.decideTitle.output)
    .mutation(async ({ ctx, input: { id, titleId, decision } }) => {
      const row = found(await findImport(ctx.db, ctx.member.id, id), messages.importNotFound)
      allowed(row, ['ready', 'done'])
      const before = titleOf(found(await findImportTitle(ctx.db, id, titleId), messages.importTitleNotFound))
      const stored = await toStoredDecision(ctx.db, before, decision, ctx.now)
      if (stored === undefined) throw notReady()
      await checkTarget(ctx.db, stored?.mediaId)
      const [title] = await decideSome(ctx, id, [{ id: titleId, decision: stored }], true)
      const [titleShown] = await shownTitles(ctx, [found(title, messages.importTitleNotFound)])
      return { title: titleShown! }
    }),

  decideAll: memberProcedure
    .meta(
      metaOf('POST', '/imports/{id}/decisions', 'decideImportTitles', 'Decide about all titles of a state', {
        description:
          'The same decision for all titles of the state; `suggested` accepts the first candidate of each. An import that is done applies them.',
        errorResponses: [404, 409],
      }),
    )
    .input(schema.decideTitles.input)
    .output(schema.decideTitles.output)
    .mutation(async ({ ctx, input: { id, state, decision } }) => {
      allowed(await ownImport(ctx, id), ['ready', 'done'])
      let after = 0
      for (;;) {
        const rows = await listTitlesAfter(ctx.db, id, { after, limit: decisionsPerStep, state })
        if (rows.length === 0) break
        after = rows.at(-1)!.id
        const decisions = []
        for (const title of rows.map(titleOf)) {
          const stored = await toStoredDecision(ctx.db, title, decision, ctx.now)
          if (stored !== undefined) decisions.push({ id: title.id, decision: stored })
        }
        await decideSome(ctx, id, decisions)
        await nextStep()
      }
      return changing(ctx, id, async (trx, row) => {
        if (row.state === 'done' && hasWork(row)) await startWork(trx, ctx, row, 'applying', {})
      })
    }),

  start: action(
    'apply',
    'applyImport',
    'Apply an import',
    'Adds what the rehearsal announced, title by title. Titles that need a decision stay as they are. Changes nothing if the import is applied already.',
  ).mutation(({ ctx, input }) =>
    changing(ctx, input.id, async (trx, row) => {
      if (row.state === 'applying' || (row.state === 'done' && !hasWork(row))) return
      allowed(row, ['ready', 'done'])
      await startWork(trx, ctx, row, 'applying', {})
    }),
  ),

  stop: action(
    'stop',
    'stopImport',
    'Stop an import',
    'Interrupts matching or applying; what was applied stays. Changes nothing if the import is stopped already.',
  ).mutation(({ ctx, input }) =>
    changing(ctx, input.id, async (trx, row) => {
      if (row.state === 'stopped') return
      allowed(row, ['matching', 'waiting', 'applying'])
      const resumes = row.state === 'applying' ? 'applying' : 'matching'
      await updateImport(trx, row.id, { state: 'stopped', resumes, next_at: null })
    }),
  ),

  resume: action(
    'resume',
    'resumeImport',
    'Resume a stopped import',
    'Continues where it was stopped. Changes nothing if it continues already. An import that waits for a source tries again now.',
  ).mutation(({ ctx, input }) =>
    changing(ctx, input.id, async (trx, row) => {
      if (row.state === 'matching' || row.state === 'applying') return
      allowed(row, ['stopped', 'waiting'])
      const progress = { ...progressOf(row), pauses: {} } satisfies ImportProgress
      const state = row.state === 'waiting' ? 'matching' : (row.resumes ?? 'matching')
      await continueWork(trx, ctx, row, state, { facts: JSON.stringify(progress) })
    }),
  ),

  undo: action(
    'undo',
    'undoImport',
    'Undo an import',
    'Removes what the import added and restores what it replaced. What the member has changed since stays. Changes nothing if the import is undone already.',
  ).mutation(({ ctx, input }) =>
    changing(ctx, input.id, async (trx, row) => {
      if (row.state === 'undoing' || row.state === 'undone') return
      const isPart = row.state === 'stopped' && row.resumes === 'applying'
      const isApplied = row.state === 'done' || (row.applied_at !== null && row.undone_at === null)
      if (!isPart && !isApplied) throw notReady()
      allowed(row, ['done', 'ready', 'stopped'])
      await startWork(trx, ctx, row, 'undoing', { total: totalOf(progressOf(row)) })
    }),
  ),

  previewUndo: memberProcedure
    .meta(
      metaOf('GET', '/imports/{id}/undo', 'previewImportUndo', 'Preview what undoing an import does', {
        errorResponses: [404],
      }),
    )
    .input(schema.previewUndo.input)
    .output(schema.previewUndo.output)
    .query(async ({ ctx, input }) => {
      const { keeps, ...preview } = await previewRevert(ctx.db, await ownImport(ctx, input.id))
      return { ...preview, keeps: keeps.map(({ what, title }) => ({ what, title: toTitleCard(title) })) }
    }),

  again: action(
    'again',
    'readImportAgain',
    'Read the lines of an import again',
    'Interprets the stored lines anew and looks all titles up again; decisions stay. Afterwards the import can be applied again.',
  ).mutation(({ ctx, input }) =>
    changing(ctx, input.id, async (trx, row) => {
      if (row.state === 'matching' || row.state === 'waiting') return
      allowed(row, ['ready', 'stopped', 'done', 'undone'])
      const progress = restartAt(progressOf(row), 'lines')
      await startWork(trx, ctx, row, 'matching', { facts: JSON.stringify(progress) })
    }),
  ),

  remove: memberProcedure
    .meta(
      metaOf('DELETE', '/imports/{id}', 'deleteImport', 'Delete an import', {
        description:
          'Deletes its lines and the record of what it added, so that it cannot be undone any more. What it added stays.',
        errorResponses: [404, 409],
      }),
    )
    .input(schema.getImport.input)
    .output(message)
    .mutation(async ({ ctx, input }) => {
      await changing(ctx, input.id, async (trx, row) => {
        allowed(row, ['matching', 'waiting', 'ready', 'stopped', 'done', 'undone'])
        // As an upload that broke off: nothing resumes or undoes half an import, and the worker removes what a crash leaves.
        const next_at = new Date(ctx.now.getTime() + readingMaxMs).toISOString()
        await updateImport(trx, row.id, { state: 'reading', next_at })
      })
      await removeWholeImport(ctx.db, input.id, ctx.now)
      return { message: messages.importRemoved }
    }),
})

type MemberContext = Context & { member: Member }

async function ownImport({ db, member }: MemberContext, id: number): Promise<ImportRow> {
  return found(await findImport(db, member.id, id), messages.importNotFound)
}

/** Searches the titles of an import, a part of them at a time, so that other calls run in between. */
async function searchTitles(
  { db, member, limit: count }: MemberContext,
  id: number,
  { words, limit, offset, ...filter }: ShownTitles & { words: string[]; limit: number; offset: number },
) {
  await count('search', String(member.id))
  const terms = words.map((word) => word.slice(0, termLettersMax))
  const ids: number[] = []
  let after: number | undefined = 0
  while (after !== undefined) {
    const upTo: number | undefined = await findIdAfter(db, id, after, titlesSearchedAtOnce)
    ids.push(...(await listMatchingIds(db, id, { ...filter, words: terms, after, upTo })))
    await nextStep()
    after = upTo
  }
  return { rows: await listImportTitles(db, ids.slice(offset, offset + limit)), total: ids.length }
}

function shown({ sources }: Context, row: ImportRow) {
  return { import: toImport(row, sources.lookups) }
}

async function shownTitles({ db, member }: MemberContext, titles: readonly Title[]) {
  const targets = titles.flatMap(({ media_id }) => media_id ?? [])
  const candidates = titles.flatMap((title) => title.candidates.flatMap(({ mediaId }) => mediaId ?? []))
  const ids = titles.map(({ id }) => id)
  const [cards, compare, places] = await Promise.all([
    listCatalogueTitles(db, [...new Set([...targets, ...candidates])]),
    loadCurrent(db, member.id, targets),
    listPlacesOf(db, ids, placesMax),
  ])
  const cardsById = new Map(cards.map((card) => [card.id, card]))
  return titles.map((title) =>
    toImportTitle(title, {
      cards: cardsById,
      current: compare(title.media_id, title).current,
      places: places.filter((place) => place.title_id === title.id).map(({ file, line }) => ({ file, line })),
    }),
  )
}

/** Locks an import, changes it, and returns its new state. */
async function changing(ctx: MemberContext, id: number, change: (trx: Db, row: ImportRow) => Promise<void>) {
  const row = await ctx.db.transaction().execute(async (trx) => {
    const before = found(await findImport(trx, ctx.member.id, id, true), messages.importNotFound)
    await change(trx, before)
    return found(await findImport(trx, ctx.member.id, id), messages.importNotFound)
  })
  ctx.imports.wake()
  return shown(ctx, row)
}

type Values = Partial<Pick<Tables['imports'], 'options' | 'facts'>> &
  Partial<Pick<ImportRow, 'processed' | 'total'>>

/** Starts a kind of work: the worker continues with it. A step in progress is rolled back. */
async function startWork(trx: Db, ctx: Context, row: ImportRow, state: ImportState, values: Values) {
  const facts = values.facts ?? row.facts
  const started = { ...(JSON.parse(facts) as ImportProgress), cursor: 0 }
  const total = state === 'matching' && started.step === 'lines' ? started.lines : started.titles
  const json = JSON.stringify(started)
  await continueWork(trx, ctx, row, state, { processed: 0, total, ...values, facts: json })
}

async function continueWork(trx: Db, { now }: Context, row: ImportRow, state: ImportState, values: Values) {
  const at = now.toISOString()
  await updateImport(trx, row.id, {
    ...values,
    state,
    resumes: null,
    waiting_for: null,
    attempts: 0,
    next_at: at,
    updated_at: at,
  })
}

/** Whether titles of an import that is done were decided about but not applied. */
function hasWork(row: ImportRow): boolean {
  const { counts } = progressOf(row)
  return ['new', 'newer', 'conflict'].some((state) => counts[state] !== undefined)
}

/** Decides about titles in one transaction. If `applies` and the import is done, there is one title, which is applied. Titles that are gone meanwhile are left out. */
async function decideSome(
  ctx: MemberContext,
  id: number,
  decisions: readonly { id: number; decision: Title['decision'] }[],
  applies = false,
): Promise<Title[]> {
  return ctx.db.transaction().execute(async (trx) => {
    const row = found(await findImport(trx, ctx.member.id, id, true), messages.importNotFound)
    allowed(row, ['ready', 'done'])
    const current = []
    for (const { id: titleId, decision } of decisions) {
      const title = await findImportTitle(trx, id, titleId)
      if (title) current.push({ title: titleOf(title), decision })
    }
    return resolveTitles(trx, row, current, ctx.now, applies && row.state === 'done')
  })
}

async function checkTarget(db: Db, mediaId: number | undefined): Promise<void> {
  if (mediaId !== undefined) found((await listCatalogueTitles(db, [mediaId]))[0], messages.itemNotFound)
}

/** Options of which a change only changes the comparison with what is here, and those that also change the plans. */
const comparingOptions: readonly (keyof ImportOptions)[] = ['conflicts', 'missing', 'skipSources']
const planOptions: readonly (keyof ImportOptions)[] = [
  'halves',
  'longTexts',
  'shows',
  'ratings',
  'reviews',
  'entries',
  'favorites',
]

/** Whether lines are about the same titles after a change of the option. `likes` decides which lines are about a title at all. */
const keepsTitles = (option: string) =>
  option === 'likes' ||
  option === 'follows' ||
  ([...comparingOptions, ...planOptions] as string[]).includes(option)

/** Returns the step that matching starts at again after a change of these options. */
function stepOf(row: ImportRow, sent: object): 'lines' | 'plans' | 'match' {
  const { step, isRematch } = progressOf(row)
  const changed = Object.keys(sent) as (keyof ImportOptions)[]
  const rest = changed.filter((key) => !comparingOptions.includes(key))
  // What follows do in a conflict is decided when their lines are read.
  if (row.service === 'medley' && changed.includes('conflicts')) return 'lines'
  // What is not finished yet starts over.
  if (step === 'lines' || rest.some((key) => !planOptions.includes(key))) return 'lines'
  if (step === 'plans' && isRematch) return 'lines'
  return step === 'plans' || rest.length > 0 ? 'plans' : 'match'
}

function totalOf({ applied, follows }: ImportProgress): number {
  return Object.values(applied).reduce((sum, count) => sum + count, follows.applied)
}

/** Throws CONFLICT unless the import is in one of these states. */
function allowed({ state }: ImportRow, states: readonly ImportState[]): void {
  if (states.includes(state)) return
  const isBusy = (schema.workingStates as readonly ImportState[]).includes(state)
  throw isBusy ? new TRPCError({ code: 'CONFLICT', message: messages.importBusy }) : notReady()
}

function notReady(): TRPCError {
  return new TRPCError({ code: 'CONFLICT', message: messages.importNotReady })
}
