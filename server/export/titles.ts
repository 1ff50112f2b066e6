import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ExportFile } from '#shared/contracts/export.ts'
import type { TitleNames } from '#shared/domain/languages.ts'
import type { ExportService } from '#shared/domain/export-formats.ts'
import { type IdSource, type Kind, kindNames } from '#shared/domain/kinds.ts'
import type { Db } from '#server/db/open.ts'
import type { TitleDetails } from '#server/titles/tables.ts'
import { shortRows } from '#server/db/pages.ts'
import { type Reader } from '#server/feature.ts'
import * as store from './store.ts'

/** What a file of a service could not hold, by the words of the README. */
export type Tally = Map<ExportService, Map<string, number>>

export type Export = Reader & {
  member: {
    username: string
    created_at: string
    bio: string
    half_stars: number
    language: string | null
    title_names: TitleNames
    country: string | null
    subscriptions: string
    settings: string | null
  }
  instance: string
  now: Date
  /** Rows of other titles, which were written after the export began, are left out. */
  titleIds: ReadonlySet<number>
  /** Filled while files for other services are written. */
  tally: Tally
}

/** What the files of an export contain, by their names. */
export type ExportFiles = Record<string, (about: Export) => AsyncGenerator<string>>

export type ExportedTitle = ExportFile['titles'][number]

/** Of all kinds, or of some. */
export async function* titlesOf(
  { db, titleIds }: Export,
  kinds?: readonly Kind[],
): AsyncGenerator<ExportedTitle> {
  let page: number[] = []
  for (const id of titleIds) {
    page.push(id)
    if (page.length < shortRows) continue
    yield* await readTitles(db, page, kinds)
    page = []
    await nextTurn()
  }
  if (page.length > 0) yield* await readTitles(db, page, kinds)
}

export async function readTitles(
  db: Db,
  ids: readonly number[],
  kinds: readonly Kind[] = kindNames,
): Promise<ExportedTitle[]> {
  const rows = (await store.listTitles(db, ids)).filter(({ kind }) => kinds.includes(kind))
  const refs = rows.map(({ id }) => id)
  const externalIds = Map.groupBy(await store.listExternalIds(db, refs), ({ media_id }) => media_id)
  return rows.map((row) => ({
    ref: row.id,
    kind: row.kind,
    name: row.name,
    year: row.release_year,
    creators: (JSON.parse(row.details) as TitleDetails).creators,
    // An id would name a removed title.
    ids: (row.name === '' ? [] : (externalIds.get(row.id) ?? [])).map(({ source, external_id }) => ({
      source,
      id: external_id,
    })),
    ...((row.source === null || row.source === 'import') && { createdHere: true }),
  }))
}

export const idOf = (title: ExportedTitle, ...sources: IdSource[]) =>
  sources.flatMap((source) => title.ids.find((one) => one.source === source)?.id ?? [])[0] ?? null
