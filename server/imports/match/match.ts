import { saveTitle } from '#server/titles/save.ts'
import type { Lookup } from '#server/titles/sources/source.ts'
import { retryDelayMs } from '#server/process/queue.ts'
import type { Db } from '#server/db/open.ts'
import { pause } from '#server/db/slices.ts'
import { pack } from '#server/db/packed.ts'
import type { ImportLineRow } from '#server/imports/tables.ts'
import { kindNames } from '#shared/domain/kinds.ts'
import { matchFound, matchTitles } from '#server/titles/match/match.ts'
import { countShelf } from '#server/imports/read/formats/index.ts'
import { type LineRecord, type ParsedTitle, toStored } from '#server/imports/read/formats/records.ts'
import { saveCompared } from '#server/imports/apply/compare.ts'
import { matchLists, saveLists } from '#server/imports/apply/lists.ts'
import { resetTitleCounts } from '#server/imports/apply/lists-store.ts'
import { batchesOf, interpret, loadLinesOf, recordOf } from '#server/imports/read/lines.ts'
import {
  listLinesByIds,
  listLineSizes,
  moveLines,
  setRepeated,
  updateLines,
} from '#server/imports/read/lines-store.ts'
import { titleKeyOf } from '#server/imports/read/keys.ts'
import { blankRecord, hasHalf, joinLines, joinPartReviews } from './join.ts'
import { add, countTitle, type ImportFacts } from '#server/imports/facts.ts'
import { lineBytes, sumBy, titleBytes } from '#server/imports/limits.ts'
import { compareRecord } from '#server/imports/apply/members.ts'
import { ends, type WorkContext, titlesAtOnce } from '#server/imports/context.ts'
import { listImportKeys } from '#server/imports/store.ts'
import { storable, type TitleOfImport, titleOf, withMatch, withRecord } from './titles.ts'
import { ensureTitles, listTitlesByIds, listSameTitles, listTitles } from './titles-store.ts'

/** Its rate limit may make a source take minutes. */
const lookupTimeoutMs = 10 * 60_000
const linesAtOnce = 150
/** Ends with a rehearsal: each title is compared, and nothing outside the import has changed. */
export const matching: Record<ImportFacts['matches'], (context: WorkContext) => Promise<void>> = {
  lines: assignSome,
  titles: joinSome,
  sources: lookUpSome,
  same: joinSame,
}

function begin({ commit }: WorkContext, matches: ImportFacts['matches']): Promise<void> {
  return commit(async ({ facts, options }) => {
    const { hasHalves } = facts
    const isDecided = matches === 'titles' && hasHalves !== null
    const ends = matches === 'same' && { isRematch: false, pauses: {} }
    Object.assign(facts, { matches, cursor: 0, isReread: false, countsShelves: false, ...ends })
    const total = facts.titles
    const processed = matches === 'sources' ? total - (facts.counts['pending'] ?? 0) : 0
    if (!isDecided) return { total, processed }
    return { options: JSON.stringify({ ...options, halfStars: hasHalves }), total, processed }
  })
}

type Outcome = { state: ImportLineRow['state']; note?: string }

async function assignSome(context: WorkContext): Promise<void> {
  const { db, row, commit, instance } = context
  const { cursor, isReread, countsShelves } = context.facts
  const [batch] = batchesOf(await listLineSizes(db, row.id, cursor, linesAtOnce))
  if (!batch) return begin(context, 'titles')
  const lines = await listLinesByIds(db, batch)
  const records: LineRecord[] = []
  const shelves: string[] = []
  const keys: string[] = []
  const wanted = new Map<string, { title_key: string; kind: TitleOfImport['kind']; name: string }>()
  const changes: (Outcome | undefined)[] = []
  for (const [at, line] of lines.entries()) {
    await pause()
    const { record, shelf } = isReread
      ? interpret(context, line)
      : { record: recordOf(context, line), shelf: '' }
    records.push(record)
    shelves.push(shelf)
    const isHere = record.type === 'follow' && record.follow.instance === instance
    if (isHere || record.type === 'settings') changes[at] = await compareRecord(context, record)
    if (record.type !== 'title') continue
    const { title } = record
    keys[at] = storable((titleKeyOf(title) || `line:${line.id}`).slice(0, 500))
    wanted.set(keys[at], { title_key: keys[at], kind: title.kind, name: storable(title.name) })
  }
  await commit(async (writing) => {
    const { db: trx, facts } = writing
    if (cursor === 0) await resetTitleCounts(trx, row.id)
    if (countsShelves) for (const shelf of shelves) countShelf(facts.shelves, shelf)
    const isHalf = (record: LineRecord) => record.type === 'title' && hasHalf(record.title)
    if (facts.hasHalves === false) facts.hasHalves = records.some(isHalf)
    await saveLists(writing, records, lines)
    const { ids, created } = await ensureTitles(trx, row.id, [...wanted.values()])
    for (const title of created)
      countTitle(facts, { state: 'pending', record: blankRecord(title), change: null }, 1)
    const after = lines.map((line, at) => {
      const { state, note } = outcomeOf(records[at]!, changes[at], facts)
      return {
        ...line,
        title_id: ids.get(keys[at] ?? '') ?? null,
        state,
        note: note === undefined ? null : storable(note),
        record: line.raw === '' ? line.record : pack(toStored(records[at]!)),
      }
    })
    await updateLines(trx, after)
    facts.grown.held += sumBy(created, titleBytes) + sumBy(after, lineBytes) - sumBy(lines, lineBytes)
    facts.cursor = lines.at(-1)!.id
    return { processed: row.processed + lines.length }
  })
}

/** `change`: the change of a record of this server. */
function outcomeOf(
  result: LineRecord,
  change: Outcome | undefined,
  { adds, counts, notKept }: ImportFacts,
): Outcome {
  const leaveOut = (what: string): Outcome => {
    add(notKept, what, 1)
    return { state: 'notKept', note: what }
  }
  switch (result.type) {
    case 'title':
      result.notKept?.forEach(leaveOut)
      return { state: null }
    case 'unreadable':
      add(counts, 'unreadable', 1)
      return { state: 'unreadable', note: result.problem }
    case 'notKept':
      return leaveOut(result.what)
    case 'list':
      // Its state is known once all lists are.
      return { state: 'left' }
    default:
      if (!change) return leaveOut('follows on another server')
      if (change.state === 'new') adds[result.type === 'follow' ? 'follows' : 'settings']++
      return change
  }
}

/** Titles that a source may know stay `pending`. */
async function joinSome(context: WorkContext): Promise<void> {
  const { db, row, options, sources, commit } = context
  const { cursor, isRematch } = context.facts
  // Once all lines are read, and before titles are compared with the lists.
  if (cursor === 0) await commit(matchLists)
  const rows = await listTitles(db, row.id, { after: cursor, limit: titlesAtOnce })
  if (rows.length === 0) return begin(context, 'sources')
  const before = rows.map(titleOf)
  const lines = await loadLinesOf(
    context,
    rows.map(({ id }) => id),
  )
  const joined: TitleOfImport[] = []
  const repetitions: number[] = []
  for (const title of before) {
    await pause()
    const { said, repeated } = lines.get(title.id)!
    repetitions.push(...repeated)
    // No line is about the title any more.
    if (said.length === 0) continue
    const unmatched = { matched: null, candidates: [], media_id: title.decision?.mediaId ?? null }
    joined.push({ ...withRecord(title, await recordOfLines(said, context)), ...(isRematch && unmatched) })
  }
  const unmatched = joined.filter(({ matched }) => matched === null)
  const chosen = await chosenTitles(db, row.user_id, unmatched)
  const results = await matchTitles(db, recordsOf(unmatched), chosen)
  const matches = new Map(unmatched.map(({ id }, at) => [id, results[at]!]))
  const matched = joined.map((title) => {
    const match = matches.get(title.id)
    const hasLookup = !options.skipSources && sources.lookups.some(({ kinds }) => kinds.includes(title.kind))
    return match ? withMatch(title, match, !hasLookup) : title
  })
  await commit(async (writing) => {
    const { db: trx, facts } = writing
    await saveCompared(writing, before, matched)
    add(facts.counts, 'repeated', repetitions.length)
    await setRepeated(trx, repetitions)
    facts.cursor = rows.at(-1)!.id
    return { total: facts.titles, processed: row.processed + rows.length }
  })
}

const recordsOf = (titles: readonly TitleOfImport[]) => titles.map(({ record }) => record)

async function recordOfLines(said: readonly ParsedTitle[], { options, now }: WorkContext) {
  return joinLines(said, options, now, await joinPartReviews(said, options, now))
}

async function chosenTitles(db: Db, userId: number, titles: readonly TitleOfImport[]) {
  const records = new Map(titles.map(({ title_key, record }) => [title_key, record]))
  const keys = await listImportKeys(db, userId, [...records.keys()])
  return new Map(keys.map(({ key, media_id }) => [records.get(key)!, media_id]))
}

async function lookUpSome(context: WorkContext): Promise<void> {
  const { db, row, options, sources, commit, now } = context
  const { pauses } = context.facts
  const time = now.toISOString()
  const lookups = options.skipSources ? [] : sources.lookups
  const pending = async (kinds: readonly TitleOfImport['kind'][], limit: number) =>
    (await listTitles(db, row.id, { after: 0, limit, state: 'pending', kinds })).map(titleOf)

  const waiting: { name: string; until: string }[] = []
  for (const lookup of lookups) {
    const titles = await pending(lookup.kinds, lookup.batchSize)
    const pause = pauses[lookup.name]
    if (titles.length === 0) continue
    if (!pause || pause.until <= time) return askSource(context, lookup, titles)
    waiting.push({ name: lookup.name, until: pause.until })
  }
  const others = kindNames.filter((kind) => !lookups.some(({ kinds }) => kinds.includes(kind)))
  const rest = others.length > 0 ? await pending(others, titlesAtOnce) : []
  if (rest.length > 0) {
    const matched = rest.map((title) => withMatch(title, { suggestions: [] }, true, title.candidates))
    return saveMatched(context, rest, matched)
  }
  const [first] = waiting.sort((a, b) => (a.until < b.until ? -1 : 1))
  if (first) return commit(async () => ({ state: 'waiting', waiting_for: first.name, next_at: first.until }))
  await begin(context, 'same')
}

/** Titles that turned out to be the same: their lines become one record. */
async function joinSame(context: WorkContext): Promise<void> {
  const { db, row, commit } = context
  const groups = await listSameTitles(db, row.id, titlesAtOnce)
  for (const ids of groups) {
    const said = [...(await loadLinesOf(context, ids)).values()].flatMap((lines) => lines.said)
    const titles = (await listTitlesByIds(db, ids)).map(titleOf)
    const [first, ...others] = titles
    if (!first || others.length === 0 || said.length === 0) continue
    const decision = titles.find((title) => title.decision)?.decision ?? null
    const joined = { ...withRecord(first, await recordOfLines(said, context)), decision }
    await commit(async (writing) => {
      const otherIds = others.map(({ id }) => id)
      await moveLines(writing.db, otherIds, first.id)
      await saveCompared(writing, titles, [joined])
    })
  }
  if (groups.length === 0) await commit(async ({ facts }) => ends('ready', facts.titles))
}

async function askSource(
  context: WorkContext,
  lookup: Lookup,
  titles: readonly TitleOfImport[],
): Promise<void> {
  const { db, log, commit, now } = context
  let results
  try {
    results = await waitFor(context, lookup.findCandidates(recordsOf(titles)))
    if (results.length !== titles.length) throw new Error('The number of results differs.')
  } catch (error) {
    context.signal?.throwIfAborted()
    const { cause } = error as { cause?: { retryAfterMs?: number } }
    const asked = (error as { retryAfterMs?: number }).retryAfterMs ?? cause?.retryAfterMs
    return commit(async ({ row, facts, now }) => {
      const failures = (facts.pauses[lookup.name]?.failures ?? 0) + 1
      const until = new Date(now.getTime() + Math.max(asked ?? retryDelayMs(failures), 1_000)).toISOString()
      facts.pauses[lookup.name] = { until, failures }
      log.warn({ import: row.id, source: lookup.name, failures, until }, 'import waits for a source')
    })
  }
  const matched: TitleOfImport[] = []
  for (const [at, title] of titles.entries()) {
    const match = matchFound(title.record, results[at]!)
    if (match.certain) match.certain.mediaId = (await saveTitle(db, match.certain.found!, now)).id
    matched.push(withMatch(title, match, true, title.candidates))
  }
  await saveMatched(context, titles, matched, lookup.name)
}

async function saveMatched(
  context: WorkContext,
  before: readonly TitleOfImport[],
  matched: readonly TitleOfImport[],
  source?: string,
): Promise<void> {
  await context.commit(async (writing) => {
    const { facts } = writing
    if (source !== undefined) delete facts.pauses[source]
    await saveCompared(writing, before, matched)
    return { processed: facts.titles - (facts.counts['pending'] ?? 0) }
  })
}

/** Throws if the process shuts down or the source takes too long. */
async function waitFor<T>({ signal: closing }: WorkContext, work: Promise<T>): Promise<T> {
  const ended = AbortSignal.any([AbortSignal.timeout(lookupTimeoutMs), ...(closing ? [closing] : [])])
  ended.throwIfAborted()
  const { promise: end, reject } = Promise.withResolvers<never>()
  ended.addEventListener('abort', () => reject(new Error('The source did not respond in time.')))
  return Promise.race([work, end])
}
