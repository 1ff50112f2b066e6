import type { Write } from '#shared/contracts/origins.ts'
import type { ImportOrigin } from '#shared/domain/import-formats.ts'
import { toStars } from '#shared/domain/ratings.ts'
import { flagNames, reviewFlags } from '#shared/domain/review-flags.ts'
import type { WrittenThing } from '#shared/domain/written-things.ts'
import type { Db } from '#server/db/open.ts'
import { pause } from '#server/db/slices.ts'
import { rowOf } from '#server/imports/apply/journal.ts'
import { optionsOf } from '#server/imports/facts.ts'
import { batchesOf, recordOf } from '#server/imports/read/lines.ts'
import { listLinesByIds, listLineSizesOf } from '#server/imports/read/lines-store.ts'
import { type ParsedTitle, placeOf } from '#server/imports/read/formats/records.ts'
import { numbersOf } from '#server/reviews/rules.ts'
import type { ReviewedPart } from '#server/reviews/tables.ts'
import { isAsWritten, keyOf, loadRows } from '#server/imports/undo/undo.ts'
import { listImportsByIds, listPastWrites, listWrites, type Subject, type WriteRow } from './store.ts'

const writesMax = 100
const linesMax = 20

type Row = Record<string, unknown>

/** What imports wrote about rows of a title that are there, newest first. */
export async function readWrites(db: Db, userId: number, subject: Subject, now: Date): Promise<Write[]> {
  const live = await listWrites(db, userId, subject, writesMax)
  const past = await listPastWrites(db, userId, subject, writesMax)
  const deleted = { import_id: null, title_id: null, file_name: null }
  const all = merged(
    live,
    past.map((row) => ({ ...row, ...deleted })),
  )
  const changes = all.map((row) => ({ ...row, import_id: row.import_id ?? 0 }))
  const rows = await loadRows(db, userId, changes)
  const there = all.flatMap((written) => {
    const row = rows.get(keyOf(written))
    return row ? [{ written, row }] : []
  })
  const linesOf = await loadLines(
    db,
    there.slice(0, writesMax).map(({ written }) => written),
    now,
  )
  const writes: Write[] = []
  for (const { written, row } of there.slice(0, writesMax)) {
    const { what, target_id, import_id, service, file_name, before, after } = written
    const lines = linesOf.get(written.title_id ?? 0) ?? []
    const about = lines.flatMap((line) => aboutOf(line, what as WrittenThing, row))
    const isOfPart = what === 'review' && typeof row['part_id'] === 'number'
    writes.push({
      what: what as WrittenThing,
      id: target_id,
      by: {
        type: service === 'originals' ? 'originals' : 'import',
        id: import_id,
        service,
        fileName: file_name || null,
      },
      at: written.wrote_at,
      lines: about.length > 0 || isOfPart ? about : lines.map(shownLine),
      before: before === null ? null : toValues(rowOf<Row>(before)),
      after: toValues(rowOf<Row>(after)),
      isCurrent: isAsWritten(written, row),
    })
    await pause()
  }
  return writes
}

type AnyWrite = Omit<WriteRow, 'import_id' | 'file_name'> & {
  import_id: number | null
  file_name: string | null
  service: ImportOrigin
}

/** Both are in order. The journal’s order is the one of its ids. */
function merged(live: readonly AnyWrite[], past: readonly AnyWrite[]): AnyWrite[] {
  const [first, second] = [[...live], [...past]]
  const all: AnyWrite[] = []
  while (first.length > 0 || second.length > 0) {
    const isPast = first.length === 0 || (second.length > 0 && second[0]!.wrote_at > first[0]!.wrote_at)
    all.push((isPast ? second : first).shift()!)
  }
  return all
}

type ShownLine = { file: string; line: number; title: ParsedTitle }

async function loadLines(
  db: Db,
  writes: readonly AnyWrite[],
  now: Date,
): Promise<ReadonlyMap<number, ShownLine[]>> {
  const titleIds = [...new Set(writes.flatMap(({ title_id }) => title_id ?? []))]
  const importIds = [...new Set(writes.flatMap(({ import_id }) => import_id ?? []))]
  const imports = new Map((await listImportsByIds(db, importIds)).map((row) => [row.id, row]))
  const loaded = new Map<number, ShownLine[]>()
  for (const ids of batchesOf(await listLineSizesOf(db, titleIds, linesMax)))
    for (const stored of await listLinesByIds(db, ids)) {
      await pause()
      const row = imports.get(stored.import_id)
      if (!row) continue
      const record = recordOf({ db, row, options: optionsOf(row), now }, stored)
      if (record.type !== 'title') continue
      const { title_id, file, line } = stored
      const lines = loaded.get(title_id!) ?? []
      if (lines.length < linesMax) loaded.set(title_id!, [...lines, { file, line, title: record.title }])
    }
  return loaded
}

function shownLine({ file, line, title: { rating, entries } }: ShownLine): Write['lines'][number] {
  const given = rating?.given ?? entries.find(({ ratingGiven }) => ratingGiven)?.ratingGiven
  return { file, line, given: given ?? null }
}

/** A line says something about several parts if it is about several episodes. */
function aboutOf(line: ShownLine, what: WrittenThing, row: Row): Write['lines'] {
  const { title } = line
  if (what !== 'review' || typeof row['part_id'] !== 'number')
    return isAbout(title, what) ? [shownLine(line)] : []
  const place = placeOf(numbersOf(row as ReviewedPart))
  const said = title.partReviews.find((each) => placeOf(each) === place)
  return said ? [{ file: line.file, line: line.line, given: said.rating?.given ?? null }] : []
}

function isAbout(
  { rating, review, entries, isFavorite, listItems }: ParsedTitle,
  what: WrittenThing,
): boolean {
  if (what === 'review') return rating !== null || review !== null
  if (what === 'entry') return entries.length > 0
  return what === 'favorite' ? isFavorite : listItems.length > 0
}

const texts = {
  rating_given: 'ratingGiven',
  text: 'text',
  status: 'status',
  started_on: 'startedOn',
  finished_on: 'finishedOn',
  note: 'note',
  created_at: 'createdAt',
} as const

/** Only the columns that the journal has. */
function toValues(row: Row): Write['after'] {
  const values: Row = {}
  for (const [column, name] of Object.entries(texts)) if (column in row) values[name] = row[column]
  if ('rating' in row) values['rating'] = toStars(row['rating'] as number)
  if ('is_again' in row) values['isAgain'] = row['is_again'] === 1
  for (const name of flagNames)
    if (reviewFlags[name].column in row) values[name] = row[reviewFlags[name].column] === 1
  return values
}
