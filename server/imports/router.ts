import * as schema from '#shared/contracts/imports.ts'
import * as origins from '#shared/contracts/origins.ts'
import * as titlesSchema from '#shared/contracts/import-titles.ts'
import { messages } from '#shared/texts/messages.ts'
import { message } from '#shared/contracts/scalars.ts'
import type { Db } from '#server/db/open.ts'
import type { ImportRow } from './tables.ts'
import type { Context, Member } from '#server/calls/context.ts'
import { atCursor, endOfPage } from '#server/calls/cursors.ts'
import { callsIn, found, router } from '#server/calls/procedures.ts'
import { listCards } from '#server/titles/store.ts'
import { loadCurrent } from './apply/compare.ts'
import { beginOriginals, countOriginals } from './apply/originals.ts'
import { countLines, listLines, listPlacesOf } from './read/lines-store.ts'
import { toImportList } from './apply/lists.ts'
import { listImportLists } from './apply/lists-store.ts'
import { type Decisions, decideTitles, toStoredDecision } from './match/decide.ts'
import { previewUndo } from './undo/undo.ts'
import { findTitleOf } from './origins/store.ts'
import { readWrites } from './origins/origins.ts'
import * as states from './states.ts'
import type { Transition } from './states.ts'
import { findImport, listImports, updateImport } from './store.ts'
import { writingOf } from './context.ts'
import { searchTitles, type StoredDecision, type TitleOfImport, titleOf, wordsOf } from './match/titles.ts'
import { countTitles, findImportTitle, listTitles, listTitlesByIds } from './match/titles-store.ts'
import { showImport, toImportTitle, toLine, toSummary } from './view.ts'
import { removeWholeImport } from './work.ts'

const placesMax = 20
const decisionsAtOnce = 100

const aboutOrigins =
  'Which imports wrote it, with the lines of the file and the values before and after. What was undone is left out.'

const { forMembers } = callsIn('Imports')

/** Refuse what the import’s state does not allow. */
const writing: typeof forMembers = (route, operationId, schemas, documented) =>
  forMembers(route, operationId, schemas, { errors: [404, 409], scope: 'imports', ...documented })
const reading: typeof forMembers = (route, operationId, schemas, documented) =>
  forMembers(route, operationId, schemas, { errors: [404], returnsData: 'own', ...documented })

/** A `POST` on an import, whose row it locks. */
function action(
  name: string,
  operationId: string,
  change: Transition,
  about: Record<'summary' | 'what', string>,
) {
  return writing(`POST /imports/{id}/${name}`, operationId, schema.importAction, {
    summary: about.summary,
    description: `${about.what} Returns 409 if the state of the import does not allow it.`,
    cost: 5,
    status: 202,
    success: 'The import, which the server continues with.',
  }).mutation(({ ctx, input }) => changing(ctx, input.id, change))
}

export const importsRouter = router({
  list: forMembers('GET /imports', 'listImports', schema.listImports, {
    summary: 'List the caller’s imports',
    description: 'Newest first; at most 50.',
    returnsData: 'own',
  }).query(async ({ ctx }) => ({ imports: (await listImports(ctx.db, ctx.member.id)).map(toSummary) })),

  byId: reading('GET /imports/{id}', 'getImport', schema.getImport, {
    summary: 'Get an import',
    description:
      'While the state is `matching`, `waiting`, `applying` or `undoing`, the server works on the import, and the numbers change.',
  }).query(async ({ ctx, input }) => showImport(ctx, await ownImport(ctx, input.id))),

  titles: reading('GET /imports/{id}/titles', 'listImportTitles', titlesSchema.listImportTitles, {
    summary: 'List the titles of an import',
    description:
      'In the order of the file. All lines about a title are one title here. `q` searches names and authors.',
  }).query(async ({ ctx, input: { id, q, ...input } }) => {
    await ownImport(ctx, id)
    const list = `import ${id} titles`
    const { page, limit, cursor: _, ...filter } = atCursor(input, list)
    const offset = (page - 1) * limit
    const words = wordsOf(q)
    if (words.length > 0) await ctx.limit('search', String(ctx.member.id))
    const ids = words.length > 0 ? await searchTitles(ctx.db, id, filter, words) : undefined
    const rows = ids
      ? await listTitlesByIds(ctx.db, ids.slice(offset, offset + limit))
      : await listTitles(ctx.db, id, { ...filter, limit, offset })
    const total = ids?.length ?? (await countTitles(ctx.db, id, filter))
    const titles = await shownTitles(ctx, rows.map(titleOf))
    return { titles, ...endOfPage({ page, limit }, list, total) }
  }),

  lines: reading('GET /imports/{id}/lines', 'listImportLines', titlesSchema.listImportLines, {
    summary: 'List the lines of an import',
    description: 'In the order of the file. The state of a line is its title’s unless it has its own.',
  }).query(async ({ ctx, input: { id, state, ...input } }) => {
    await ownImport(ctx, id)
    const list = `import ${id} lines`
    const { page, limit } = atCursor(input, list)
    const total = await countLines(ctx.db, id, state)
    const rows = await listLines(ctx.db, id, { state, limit, offset: (page - 1) * limit })
    return { lines: rows.map((row) => toLine(row, ctx.texts)), ...endOfPage({ page, limit }, list, total) }
  }),

  originals: forMembers('GET /reviews/mine/originals', 'getOriginalRatings', schema.originals, {
    summary: 'Get which of the caller’s ratings were rounded by imports',
    description:
      'Ratings in whole stars whose original (`ratingGiven`) is a half, and that have not changed since.',
    returnsData: 'own',
  }).query(({ ctx }) => countOriginals(ctx.db, ctx.member.id)),

  restoreOriginals: forMembers(
    'POST /reviews/mine/originals',
    'restoreOriginalRatings',
    schema.restoreOriginals,
    {
      summary: 'Restore the halves of ratings that imports have rounded',
      description:
        'Starts an import with the service `originals`, which is applied at once and can be undone like any other. It turns on half stars ' +
        'in the settings of the member, as an import with halves does. Returns the import that is under way, if there is one, and 409 with ' +
        'the reason `NOTHING_TO_RESTORE` if no rating was rounded.',
      errors: [409],
      scope: 'imports',
      cost: 5,
      status: 202,
      success: 'The import, which the server continues with.',
    },
  ).mutation(async ({ ctx }) => {
    const id = await beginOriginals(ctx.db, ctx.member.id, ctx.now)
    ctx.imports.wake()
    return showImport(ctx, await ownImport(ctx, id))
  }),

  reviewOrigin: reading('GET /reviews/{id}/origin', 'getReviewOrigin', origins.origin, {
    summary: 'Get what wrote a review of the caller',
    description: `${aboutOrigins} Returns 404 for a review of anybody else.`,
  }).query(({ ctx, input }) => readOrigin(ctx, 'review', input.id)),

  entryOrigin: reading('GET /diary/{id}/origin', 'getDiaryEntryOrigin', origins.origin, {
    summary: 'Get what wrote a diary entry of the caller',
    description: `${aboutOrigins} Returns 404 for an entry of anybody else.`,
  }).query(({ ctx, input }) => readOrigin(ctx, 'entry', input.id)),

  origins: reading('GET /users/me/origins', 'listOrigins', origins.origins, {
    summary: 'Get what wrote all that the caller has about a title',
    description: `${aboutOrigins} Also about the favorite and the title of the caller’s lists.`,
  }).query(async ({ ctx: { db, member, now }, input: { itemId } }) => {
    found((await listCards(db, [itemId]))[0], messages.itemNotFound)
    return { writes: await readWrites(db, member.id, { mediaId: itemId }, now) }
  }),

  lists: reading('GET /imports/{id}/lists', 'listImportLists', schema.listImportLists, {
    summary: 'List the lists of an import',
    description: 'In the order of the file; at most 500.',
  }).query(async ({ ctx, input: { id } }) => {
    await ownImport(ctx, id)
    return { lists: (await listImportLists(ctx.db, id)).map(toImportList) }
  }),

  update: writing('PATCH /imports/{id}', 'updateImport', schema.updateImport, {
    summary: 'Change the options of an import',
    description:
      'Before it is applied. The titles are compared again, and are looked up again if they may be others. Decisions stay.',
  }).mutation(({ ctx, input: { id, ...sent } }) => changing(ctx, id, states.withOptions(sent))),

  decide: writing('PATCH /imports/{id}/titles/{titleId}', 'decideImportTitle', titlesSchema.decideTitle, {
    summary: 'Decide about a title of an import',
    description:
      'Names the title that is meant (`mediaId`, or `candidate`, an index of the candidates), or says what applies: `create` it, ' +
      '`skip` it, or in a conflict `mine`, `file` or `both`, which puts what the file says into the diary. Null takes the decision ' +
      'back. In an import that is done, the decision is applied at once.',
  }).mutation(async ({ ctx, input: { id, titleId, decision } }) => {
    states.checkDecidable(await ownImport(ctx, id))
    const before = titleOf(found(await findImportTitle(ctx.db, id, titleId), messages.importTitleNotFound))
    const stored = await toStoredDecision(ctx.db, before, decision, ctx.now)
    if (stored === undefined) throw states.notReady()
    const target = stored?.mediaId
    if (target !== undefined) found((await listCards(ctx.db, [target]))[0], messages.itemNotFound)
    const [title] = await decideSome(ctx, id, new Map([[titleId, stored]]), true)
    const [titleShown] = await shownTitles(ctx, [found(title, messages.importTitleNotFound)])
    return { title: titleShown! }
  }),

  decideAll: writing('POST /imports/{id}/decisions', 'decideImportTitles', titlesSchema.decideTitles, {
    summary: 'Decide about all titles of a state',
    description:
      'The same decision for all titles of the state; `suggested` accepts the first candidate of each. An import that is done applies them.',
  }).mutation(async ({ ctx, input: { id, state, decision } }) => {
    states.checkDecidable(await ownImport(ctx, id))
    let after = 0
    for (;;) {
      const rows = await listTitles(ctx.db, id, { after, limit: decisionsAtOnce, state })
      if (rows.length === 0) break
      after = rows.at(-1)!.id
      const decisions = new Map<number, StoredDecision | null>()
      for (const title of rows.map(titleOf)) {
        const stored = await toStoredDecision(ctx.db, title, decision, ctx.now)
        if (stored !== undefined) decisions.set(title.id, stored)
      }
      await decideSome(ctx, id, decisions)
    }
    return changing(ctx, id, states.applyDecisions)
  }),

  start: action('apply', 'applyImport', states.start, {
    summary: 'Apply an import',
    what: 'Adds what the rehearsal announced, title by title. Titles that need a decision stay as they are. Changes nothing if the import is applied already.',
  }),

  stop: action('stop', 'stopImport', states.stop, {
    summary: 'Stop an import',
    what: 'Interrupts matching or applying; what was applied stays. Changes nothing if the import is stopped already.',
  }),

  resume: action('resume', 'resumeImport', states.resume, {
    summary: 'Resume a stopped import',
    what: 'Continues where it was stopped. Changes nothing if it continues already. An import that waits for a source tries again now.',
  }),

  undo: action('undo', 'undoImport', states.undo, {
    summary: 'Undo an import',
    what: 'Removes what the import added and restores what it replaced. What the member has changed since stays. Changes nothing if the import is undone already.',
  }),

  previewUndo: reading('GET /imports/{id}/undo', 'previewImportUndo', schema.previewUndo, {
    summary: 'Preview what undoing an import does',
  }).query(async ({ ctx, input }) => previewUndo(ctx.features, ctx.db, await ownImport(ctx, input.id))),

  again: action('again', 'readImportAgain', states.readAgain, {
    summary: 'Read the lines of an import again',
    what: 'Interprets the stored lines anew and looks all titles up again; decisions stay. Afterwards the import can be applied again.',
  }),

  remove: writing(
    'DELETE /imports/{id}',
    'deleteImport',
    { input: schema.getImport.input, output: message },
    {
      summary: 'Delete an import',
      description:
        'Deletes its lines and the record of what it added, so that it cannot be undone any more. What it added stays.',
    },
  ).mutation(async ({ ctx, input }) => {
    await changing(ctx, input.id, states.remove)
    await removeWholeImport(ctx.db, input.id, ctx.now)
    return { message: messages.importRemoved }
  }),
})

type MemberContext = Context & { member: Member }

async function readOrigin({ db, member, now }: MemberContext, what: 'review' | 'entry', id: number) {
  const [table, missing] =
    what === 'review'
      ? (['reviews', messages.reviewNotFound] as const)
      : (['diary_entries', messages.diaryEntryNotFound] as const)
  const mediaId = found(await findTitleOf(db, table, member.id, id), missing)
  return { writes: await readWrites(db, member.id, { mediaId, what, targetId: id }, now) }
}

async function ownImport({ db, member }: MemberContext, id: number, trx?: Db): Promise<ImportRow> {
  return found(await findImport(trx ?? db, member.id, id, trx !== undefined), messages.importNotFound)
}

async function shownTitles({ db, member, texts }: MemberContext, titles: readonly TitleOfImport[]) {
  const targets = titles.flatMap(({ media_id }) => media_id ?? [])
  const candidates = titles.flatMap((title) => title.candidates.flatMap(({ mediaId }) => mediaId ?? []))
  const ids = titles.map(({ id }) => id)
  const [cards, compare, places] = await Promise.all([
    listCards(db, [...new Set([...targets, ...candidates])]),
    loadCurrent(db, member.id, targets),
    listPlacesOf(db, ids, placesMax),
  ])
  const cardsById = new Map(cards.map((card) => [card.id, card]))
  return Promise.all(
    titles.map(async (title) =>
      toImportTitle(title, {
        texts,
        cards: cardsById,
        current: (await compare(title.media_id, title)).current,
        places: places
          .filter((place) => place.title_id === title.id)
          .map(({ file, line }) => ({ file, line })),
      }),
    ),
  )
}

async function changing(ctx: MemberContext, id: number, change: Transition) {
  const row = await ctx.db.transaction().execute(async (trx) => {
    const columns = change(await ownImport(ctx, id, trx), ctx.now)
    if (columns) await updateImport(trx, id, columns)
    return ownImport(ctx, id, trx)
  })
  ctx.imports.wake()
  return showImport(ctx, row)
}

/** One transaction. If `applies` and the import is done, there is one title, which is applied. */
async function decideSome(ctx: MemberContext, id: number, decisions: Decisions, applies = false) {
  return ctx.db.transaction().execute(async (trx) => {
    const row = await ownImport(ctx, id, trx)
    states.checkDecidable(row)
    return decideTitles(writingOf(trx, row, ctx.now), decisions, applies && row.state === 'done')
  })
}
