import { setImmediate as nextTick, setTimeout as wait } from 'node:timers/promises'
import { saveTitle } from '#server/catalogue/save.ts'
import type { Lookup } from '#server/catalogue/sources/source.ts'
import { searchText } from '#server/db/fold.ts'
import { inSlices } from '#server/process/slices.ts'
import type { Kind } from '#shared/media.ts'
import type { TitlePlan } from './formats/reading.ts'
import { add, factsOf, type ImportFacts, optionsOf, tally, type Title, titleOf } from './facts.ts'
import { judgeFollows } from './follows.ts'
import type { Match } from './match.ts'
import { planTitle, titleKeyOf } from './plan.ts'
import { sumBytes, titleBytes } from './quota.ts'
import { judgeTitles, matchFound, matchLocally, saveTitles, toStored } from './resolve.ts'
import {
  ensureTitles,
  listImportTitles,
  listSameTitles,
  listTitlesAfter,
  removeTitles,
} from './titles-store.ts'
import { listLinesByIds, listLineSizes, moveLines, updateLines } from './lines-store.ts'
import { ClaimLost } from '#server/process/queue.ts'
import { firstRetryMs, titlesPerStep, ShuttingDown, type StepContext } from './step.ts'
import { interpretLines, type InterpretedLine, interpretLinesOf, batchesOf, readingsOf } from './interpret.ts'

/** The interval at which a claim is extended during a call to a source, which may take minutes because of its rate limit. */
const leaseRenewalMs = 20_000
const lookupTimeoutMs = 10 * 60_000
const retryMaxMs = 60 * 60_000
const linesPerStep = 150
/** The name and authors of a title that a search of the import’s titles reads, in characters. */
const searchTextMax = 300
/** The texts of the entries of one title, in characters. */
const planTextMax = 200_000
/** Distinct ratings that are counted; a scale of five stars by quarters has twenty. */
const ratingsMax = 500

/** Returns text that both databases can store within JSON. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '')
}

/** The steps of the state `matching`, which end with a rehearsal: each title has a verdict, and nothing outside the import has changed. */
export const matchingSteps: Record<ImportFacts['step'], (context: StepContext) => Promise<void>> = {
  lines: readLines,
  plans: makePlans,
  match: matchSome,
  lookup: lookUpSome,
  join: joinSome,
}

/** Assigns lines to titles. */
async function readLines({ db, import: row, commit, instance }: StepContext): Promise<void> {
  const { cursor } = factsOf(row)
  const [batch] = batchesOf(await listLineSizes(db, row.id, cursor, linesPerStep))
  const lines = batch ? await listLinesByIds(db, batch) : []
  if (lines.length === 0)
    return commit(async (_trx, facts) => {
      Object.assign(facts, { step: 'plans', cursor: 0 })
      return { total: facts.titles, processed: 0 }
    })
  const results = await interpretLines(row, lines)
  const keyed: ({ title_key: string; kind: Kind; name: string } | undefined)[] = []
  const pause = inSlices()
  for (const [at, result] of results.entries()) {
    const title = result.type === 'title' && {
      title_key: storable((titleKeyOf(result.reading) || `line:${lines[at]!.id}`).slice(0, 500)),
      kind: result.reading.kind,
      name: storable(result.reading.name),
    }
    keyed.push(title || undefined)
    await pause()
  }
  const follows = results.flatMap((result, at) =>
    result.type === 'follow' && result.follow.instance === instance ? { at, follow: result.follow } : [],
  )
  const judged = await judgeFollows(
    db,
    row.user_id,
    follows.map(({ follow }) => follow),
    optionsOf(row),
  )
  const followed = new Map(follows.map(({ at }, index) => [at, judged[index]!]))
  await commit(async (trx, facts) => {
    const wanted = new Map(keyed.flatMap((title) => (title ? [[title.title_key, title] as const] : [])))
    const { ids, created } =
      wanted.size > 0
        ? await ensureTitles(trx, row.id, [...wanted.values()])
        : { ids: new Map<string, number>(), created: [] }
    facts.titles += created.length
    add(facts.counts, 'pending', created.length)
    const updates = results.map((result, at) => {
      const { id } = lines[at]!
      if (result.type === 'title') {
        for (const what of result.notKept ?? []) add(facts.notKept, what, 1)
        return { id, title_id: ids.get(keyed[at]!.title_key)!, state: null, note: null }
      }
      const follow = followed.get(at)
      if (follow) {
        const { state, note } = follow
        if (state === 'new') facts.follows.adds++
        return { id, title_id: null, state, note: storable(note) }
      }
      if (result.type === 'follow') {
        add(facts.notKept, 'follows on another server', 1)
        return { id, title_id: null, state: 'notKept' as const, note: 'follows on another server' }
      }
      if (result.type === 'notKept') {
        add(facts.notKept, result.what, 1)
        return { id, title_id: null, state: 'notKept' as const, note: storable(result.what) }
      }
      add(facts.counts, 'unreadable', 1)
      return { id, title_id: null, state: 'unreadable' as const, note: storable(result.problem) }
    })
    await updateLines(trx, updates)
    facts.cursor = lines.at(-1)!.id
    const grown = { held: sumBytes(created.map(titleBytes)), added: 0 }
    return { processed: row.processed + lines.length, grown }
  })
}

/** Joins the lines of each title to a plan. */
async function makePlans({ db, import: row, commit, now }: StepContext): Promise<void> {
  const { cursor, isRematch } = factsOf(row)
  const rows = await listTitlesAfter(db, row.id, { after: cursor, limit: titlesPerStep })
  if (rows.length === 0)
    return commit(async (_trx, facts) => {
      Object.assign(facts, { step: 'match', cursor: 0 })
      return { total: facts.titles, processed: 0 }
    })
  const lines = await interpretLinesOf(
    db,
    row,
    rows.map(({ id }) => id),
  )
  const options = optionsOf(row)
  const titles: { before: Title; after: Title | undefined }[] = []
  const repeated: InterpretedLine[] = []
  const pause = inSlices()
  for (const each of rows) {
    await pause()
    const before = titleOf(each)
    const own = lines.filter((line) => line.title_id === before.id)
    const { readings, repetitions } = readingsOf(own)
    repeated.push(...repetitions)
    if (readings.length === 0) {
      titles.push({ before, after: undefined })
      continue
    }
    const unmatched = { matched: null, candidates: [], media_id: before.decision?.mediaId ?? null }
    const after = withPlan(before, planTitle(readings, options, now()))
    titles.push({ before, after: isRematch ? { ...after, ...unmatched } : after })
  }
  await commit(async (trx, facts) => {
    for (const { before, after } of titles) {
      tally(facts, before, after)
      if (after) countPlan(facts, after)
    }
    const held = await saveTitles(
      trx,
      titles.map(({ before }) => before),
      titles.flatMap(({ after }) => after ?? []),
    )
    await removeTitles(
      trx,
      titles.flatMap(({ before, after }) => (after ? [] : [before.id])),
    )
    add(facts.counts, 'repeated', repeated.length)
    await updateLines(
      trx,
      repeated.map(({ id, title_id, note }) => ({ id, title_id, note, state: 'repeated' })),
    )
    facts.cursor = rows.at(-1)!.id
    return { grown: { held, added: 0 } }
  })
}

/** Returns a plan of bounded size: beyond it, entries lose their texts. */
function boundedPlan(plan: TitlePlan): TitlePlan {
  let rest = planTextMax
  let isCut = false
  const entries = plan.entries.map((entry) => {
    rest -= entry.text.length
    if (rest >= 0) return entry
    isCut ||= entry.text !== ''
    return { ...entry, text: '' }
  })
  return isCut
    ? { ...plan, entries, notes: [...plan.notes, 'Some texts are left out: there are too many.'] }
    : plan
}

function withPlan(title: Title, unbounded: TitlePlan): Title {
  const plan = boundedPlan(unbounded)
  return {
    ...title,
    kind: plan.kind,
    name: storable(plan.name),
    search_text: storable(searchText(plan.name, ...plan.authors).slice(0, searchTextMax)),
    plan,
    state: 'pending',
    verdict: null,
    applied_at: null,
  }
}

function countPlan(facts: ImportFacts, { plan }: Pick<Title, 'plan'>, by: 1 | -1 = 1): void {
  facts.kinds[plan.kind] = (facts.kinds[plan.kind] ?? 0) + by
  if (plan.isTextWithoutRating) facts.withoutRating += by
  if (plan.hasLongText) facts.longTexts += by
  if (!plan.rating) return
  const { given, stars, isHalf } = plan.rating
  if (!facts.ratings[given] && Object.keys(facts.ratings).length >= ratingsMax) return
  const count = (facts.ratings[given]?.count ?? 0) + by
  if (count > 0) facts.ratings[given] = { stars, isHalf, count }
  else delete facts.ratings[given]
}

function lookupFor(lookups: readonly Lookup[], { kind }: Pick<Title, 'kind'>): Lookup | undefined {
  return lookups.find(({ kinds }) => kinds.includes(kind))
}

/** Looks titles up in the catalogue. Those that a source may know stay `pending`. */
async function matchSome({ db, import: row, sources, commit, now }: StepContext): Promise<void> {
  const { cursor } = factsOf(row)
  const rows = await listTitlesAfter(db, row.id, { after: cursor, limit: titlesPerStep })
  if (rows.length === 0)
    return commit(async (_trx, facts) => {
      Object.assign(facts, { step: 'lookup', cursor: 0 })
      return { total: facts.titles, processed: facts.titles - (facts.counts.pending ?? 0) }
    })
  const options = optionsOf(row)
  const titles = rows.map(titleOf)
  const unmatched = titles.filter(({ matched }) => matched === null)
  const matches = await matchLocally(db, row.user_id, unmatched)
  await nextTick()
  const matchOf = new Map(unmatched.map((title, at) => [title.id, matches[at]!]))
  const matched = titles.map((title) => {
    const match = matchOf.get(title.id)
    if (!match) return title
    const lookup = options.skipSources ? undefined : lookupFor(sources.lookups, title)
    return withMatch(title, match, !lookup)
  })
  const judged = await judgeTitles(db, row.user_id, options, matched, now())
  await nextTick()
  await commit(async (trx, facts) => {
    for (const [at, title] of judged.entries()) tally(facts, titles[at], title)
    const held = await saveTitles(trx, titles, judged)
    facts.cursor = rows.at(-1)!.id
    return { total: facts.titles, processed: row.processed + rows.length, grown: { held, added: 0 } }
  })
}

/** Returns a title with the result of a search. If it is not certain and not final, the title waits for a source. */
function withMatch(title: Title, match: Match, isFinal: boolean): Title {
  if (match.certain && match.certain.id !== null)
    return { ...title, matched: { mediaId: match.certain.id, reason: match.reason }, candidates: [] }
  const candidates = match.certain ? title.candidates : match.suggestions.map(toStored)
  return { ...title, matched: isFinal ? { mediaId: null, reason: null } : null, candidates }
}

/** Searches the external sources for titles that the catalogue does not have. */
async function lookUpSome(context: StepContext): Promise<void> {
  const { db, import: row, sources, commit, now } = context
  const options = optionsOf(row)
  const { pauses } = factsOf(row)
  const time = now().toISOString()
  const lookups = options.skipSources ? [] : sources.lookups
  const pending = (kinds: readonly Title['kind'][], limit: number) =>
    listTitlesAfter(db, row.id, { after: 0, limit, state: 'pending', kinds })

  const waiting: { name: string; until: string }[] = []
  for (const lookup of lookups) {
    const rows = await pending(lookup.kinds, lookup.batchSize)
    const pause = pauses[lookup.name]
    if (rows.length === 0) continue
    if (!pause || pause.until <= time) return askSource(context, lookup, rows.map(titleOf))
    waiting.push({ name: lookup.name, until: pause.until })
  }
  const asked = lookups.flatMap(({ kinds }) => kinds)
  const others = (['movie', 'tvShow', 'book', 'game'] as const).filter((kind) => !asked.includes(kind))
  const rest = others.length > 0 ? await pending(others, titlesPerStep) : []
  if (rest.length > 0) {
    const titles = rest.map(titleOf)
    return saveMatched(
      context,
      titles,
      titles.map((title) => ({ ...title, matched: { mediaId: null, reason: null } })),
    )
  }
  const [first] = waiting.sort((a, b) => (a.until < b.until ? -1 : 1))
  if (first) return commit(async () => ({ state: 'waiting', waiting_for: first.name, next_at: first.until }))
  await commit(async (_trx, facts) => {
    Object.assign(facts, { step: 'join', cursor: 0, isRematch: false, pauses: {} })
    return {}
  })
}

/** Joins titles of the file that turned out to be the same title: their lines become one plan. */
async function joinSome({ db, import: row, commit, now }: StepContext): Promise<void> {
  const groups = await listSameTitles(db, row.id, titlesPerStep)
  for (const ids of groups) {
    const { readings } = readingsOf(await interpretLinesOf(db, row, ids))
    const [first, ...others] = (await listImportTitles(db, ids)).map(titleOf)
    if (!first || others.length === 0 || readings.length === 0) continue
    const options = optionsOf(row)
    const joined = withPlan(first, planTitle(readings, options, now()))
    const decision = [first, ...others].find((title) => title.decision)?.decision ?? null
    const [judged] = await judgeTitles(db, row.user_id, options, [{ ...joined, decision }], now())
    await commit(async (trx, facts) => {
      for (const title of [first, ...others]) countPlan(facts, title, -1)
      countPlan(facts, judged!)
      tally(facts, first, judged)
      for (const title of others) tally(facts, title, undefined)
      const otherIds = others.map(({ id }) => id)
      await moveLines(trx, otherIds, first.id)
      const held = await saveTitles(trx, [first, ...others], [judged!])
      await removeTitles(trx, otherIds)
      return { grown: { held, added: 0 } }
    })
  }
  if (groups.length > 0) return
  await commit(async (_trx, facts) => {
    return {
      state: 'ready',
      next_at: null,
      waiting_for: null,
      total: facts.titles,
      processed: facts.titles,
    }
  })
}

async function askSource(context: StepContext, lookup: Lookup, titles: readonly Title[]): Promise<void> {
  const { db, log, commit, now } = context
  let results
  try {
    const wanted = titles.map(({ plan: { kind, name, otherNames, year, authors, ids } }) => ({
      kind,
      name,
      otherNames,
      year,
      authors,
      ids,
    }))
    results = await keepingClaim(context, lookup.findCandidates(wanted))
    if (results.length !== titles.length) throw new Error('The number of results differs.')
  } catch (error) {
    if (error instanceof ClaimLost || error instanceof ShuttingDown) throw error
    const { cause } = error as { cause?: { retryAfterMs?: number } }
    const asked = (error as { retryAfterMs?: number }).retryAfterMs ?? cause?.retryAfterMs
    return commit(async (_trx, facts, held) => {
      const failures = (facts.pauses[lookup.name]?.failures ?? 0) + 1
      const backOff = Math.min(retryMaxMs, firstRetryMs * 2 ** Math.min(failures - 1, 20))
      const until = new Date(now().getTime() + Math.max(asked ?? backOff, 1_000)).toISOString()
      facts.pauses[lookup.name] = { until, failures }
      log.warn({ import: held.id, source: lookup.name, failures, until }, 'import waits for a source')
      return { attempts: failures }
    })
  }
  const matched: Title[] = []
  for (const [at, title] of titles.entries()) {
    const match = matchFound(title, results[at]!)
    if (match.certain?.found) {
      const { id } = await saveTitle(db, match.certain.found, now())
      matched.push({ ...title, matched: { mediaId: id, reason: match.reason }, candidates: [] })
      continue
    }
    const more = match.certain ? [] : match.suggestions.map(toStored)
    const candidates = [...title.candidates, ...more].slice(0, 5)
    matched.push({ ...title, matched: { mediaId: null, reason: null }, candidates })
  }
  await saveMatched(context, titles, matched, lookup.name)
}

async function saveMatched(
  { db, import: row, commit, now }: StepContext,
  before: readonly Title[],
  matched: readonly Title[],
  source?: string,
): Promise<void> {
  const judged = await judgeTitles(db, row.user_id, optionsOf(row), matched, now())
  await commit(async (trx, facts) => {
    if (source !== undefined) delete facts.pauses[source]
    for (const [at, title] of judged.entries()) tally(facts, before[at], title)
    const held = await saveTitles(trx, before, judged)
    return { grown: { held, added: 0 }, attempts: 0, processed: facts.titles - (facts.counts.pending ?? 0) }
  })
}

/** Waits for a source and extends the claim in the meantime. Throws if the claim is lost; the result is then ignored. */
async function keepingClaim<T>({ commit, signal }: StepContext, work: Promise<T>): Promise<T> {
  const done = work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  const until = performance.now() + lookupTimeoutMs
  while (performance.now() < until) {
    const renewal = new AbortController()
    const ends = AbortSignal.any([renewal.signal, ...(signal ? [signal] : [])])
    const pause = wait(leaseRenewalMs, undefined, { signal: ends, ref: false }).catch(() => {})
    const result = await Promise.race([done, pause])
    renewal.abort()
    if (signal?.aborted) throw new ShuttingDown()
    if (!result) await commit(async () => ({}))
    else if ('error' in result) throw result.error
    else return result.value
  }
  throw new Error('The source did not respond in time.')
}
