import { type ExportFile, exportFile, exportVersion } from '#shared/contracts/export.ts'
import type { ExportService } from '#shared/domain/export-formats.ts'
import { type IdSource, kinds } from '#shared/domain/kinds.ts'
import { settingsFrom } from '#shared/contracts/notifications.ts'
import type { Db } from '#server/db/open.ts'
import { type Cell, sheetLine } from './csv-line.ts'
import { pagesOf, shortRows } from '#server/db/pages.ts'
import { pause } from '#server/db/slices.ts'
import { type ExportPart, type ExportParts, type Feature } from '#server/feature.ts'
import { presentLanguage } from '#server/accounts/rules.ts'
import { presentSettings } from '#server/offers/rules.ts'
import { countsOf, readmeOf } from './readme.ts'
import { countOthers } from './services/histories.ts'
import { filesFor, filesForServices } from './services/index.ts'
import { listsForLetterboxd } from './services/letterboxd-lists.ts'
import * as store from './store.ts'
import { type Export, idOf, readTitles, type ExportedTitle, type ExportFiles, titlesOf } from './titles.ts'

const chunkLength = 64 * 1024

type Item = Record<string, unknown> & { title?: number }

type Part = ExportPart<Item> & { name: string }
type Sheet = NonNullable<Part['sheet']> & Pick<Part, 'pages'> & { columns: Record<string, string | null> }

export function openExports(features: readonly Feature[]) {
  const contributed: Partial<ExportParts> = Object.assign({}, ...features.map((feature) => feature.export))
  const parts = Object.keys(exportFile.shape).flatMap((name): Part[] =>
    Object.hasOwn(contributed, name)
      ? [{ name, ...(contributed[name as keyof ExportParts] as unknown as ExportPart<Item>) }]
      : [],
  )
  const sheets = parts.flatMap(({ name, pages, sheet }): Sheet[] =>
    sheet ? [{ pages, ...sheet, columns: columnsOf(name as keyof ExportParts, sheet.headings) }] : [],
  )
  const readme = readmeOf(sheets)
  const files: ExportFiles = {
    'medley.json': (about) => inChunks(json(about, parts)),
    ...Object.fromEntries(sheets.map((one) => [one.file, (about: Export) => inChunks(sheetOf(about, one))])),
    ...chunked(filesForServices),
  }
  /** Last, because it counts what the others could not hold. */
  const last: ExportFiles = {
    'README.txt': async function* (about) {
      await countOthers(about)
      yield readme + countsOf(about.tally)
    },
  }
  return {
    files: { ...files, ...last },
    /** Those of `?format=`. */
    filesFor: (service: ExportService) => chunked(filesFor[service]),
    /** Part of the zip, and the page `/docs/export`. */
    readme,

    /** Undefined if the member does not exist. Only the ids of the titles are in memory. */
    async begin(db: Db, userId: number, instance: string, now: Date): Promise<Export | undefined> {
      const member = await store.findExportingMember(db, userId)
      if (!member) return undefined
      const ids: number[] = []
      for (const { tables, pages } of parts)
        if (tables)
          for (const table of tables)
            for await (const page of pagesOf(
              store.selectTitleIds(db, table, userId),
              ['media_id'],
              shortRows,
            ))
              ids.push(...page.map(({ media_id }) => media_id))
        else
          for await (const page of pages({ db, userId }))
            ids.push(...page.flatMap(({ title }) => title ?? []))
      const titleIds = new Set(ids.sort((a, b) => a - b))
      return { db, userId, member, instance, now, titleIds, tally: new Map() }
    },

    filesOf: async (about: Export): Promise<ExportFiles> => ({
      ...files,
      ...(await listsForLetterboxd(about)),
      ...last,
    }),
  }
}

function columnsOf(part: keyof ExportParts, headings: Record<string, string | null | undefined> = {}) {
  const columns = Object.keys(exportFile.shape[part].element.shape).map((key) => {
    const words = key.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    return [
      key,
      headings[key] === undefined ? words[0]!.toUpperCase() + words.slice(1) : headings[key],
    ] as const
  })
  return Object.fromEntries(columns.filter(([, heading]) => heading !== null))
}

async function* json(about: Export, parts: readonly Part[]): AsyncGenerator<string> {
  const { member, titleIds } = about
  const hasSettings = member.settings !== null && member.settings !== '{}'
  const head = {
    format: 'medley',
    version: exportVersion,
    exportedAt: about.now.toISOString(),
    instance: about.instance,
    member: {
      username: member.username,
      createdAt: member.created_at,
      bio: member.bio,
      halfStars: member.half_stars > 0,
      languageSettings: presentLanguage(member),
      watchSettings: presentSettings(member),
    },
    ...(hasSettings && { notificationSettings: settingsFrom(member.settings!) }),
  } satisfies Partial<ExportFile>
  yield JSON.stringify(head).slice(0, -1)
  yield* jsonList(',\n"titles"', titlesOf(about))
  for (const { name, pages } of parts) yield* jsonList(`,\n"${name}"`, itemsOf(pages(about), titleIds))
  yield '}\n'
}

async function* itemsOf(pages: AsyncIterable<Item[]>, titleIds: Export['titleIds']): AsyncGenerator<Item> {
  for await (const page of pages)
    yield* page.filter(({ title }) => title === undefined || titleIds.has(title))
}

/** One item per line. A list that is the last property of an item may be read as it is written. */
async function* jsonList(start: string, items: AsyncIterable<object>): AsyncGenerator<string> {
  yield `${start}:[`
  let separator = '\n'
  for await (const item of items) {
    const [key, last] = Object.entries(item).at(-1)!
    if (isStream(last)) {
      yield separator + JSON.stringify({ ...item, [key]: undefined }).slice(0, -1)
      yield* jsonList(`,"${key}"`, last)
      yield '}'
    } else yield separator + JSON.stringify(item)
    separator = ',\n'
  }
  yield ']'
}

const isStream = (value: unknown): value is AsyncIterable<object> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

// CSV for spreadsheets: with a byte order mark, so that Excel recognizes UTF-8, and guarded cells

const idColumns: Record<string, IdSource[]> = {
  TMDB: ['tmdb-movie', 'tmdb-tv'],
  IMDb: ['imdb'],
  TVDB: ['tvdb'],
  ISBN13: ['isbn13'],
  'Open Library': ['olid-work', 'olid-edition'],
  IGDB: ['igdb'],
}
const titleColumns = ['Title', 'Year', 'Kind', 'Creators', ...Object.keys(idColumns)]
const titleCells = (title: ExportedTitle): Cell[] => [
  title.name,
  title.year,
  kinds[title.kind].words.one,
  title.creators.join('; '),
  ...Object.values(idColumns).map((sources) => idOf(title, ...sources)),
]
function cellOf(value: unknown): Cell {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return Array.isArray(value) ? value.join('; ') : (value as Cell)
}

/** The column `title` becomes several. Without items whose title is not in the export. */
async function* sheetOf({ db, userId, titleIds }: Export, { pages, columns }: Sheet): AsyncGenerator<string> {
  const names = Object.entries(columns).flatMap(([key, name]) => (key === 'title' ? titleColumns : [name!]))
  yield `\ufeff${sheetLine(names)}`
  for await (const page of pages({ db, userId })) {
    const ids = page.flatMap(({ title }) => (title !== undefined && titleIds.has(title) ? [title] : []))
    const titles = new Map((await readTitles(db, [...new Set(ids)])).map((title) => [title.ref, title]))
    for (const item of page) {
      const title = titles.get(item.title ?? 0)
      if (title || item.title === undefined)
        yield sheetLine(
          Object.keys(columns).flatMap((key) => (key === 'title' ? titleCells(title!) : [cellOf(item[key])])),
        )
    }
  }
}

function chunked(files: ExportFiles): ExportFiles {
  return Object.fromEntries(
    Object.entries(files).map(([name, read]) => [name, (about) => inChunks(read(about))]),
  )
}

/** So that each chunk is worth compressing. */
async function* inChunks(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = ''
  for await (const text of texts) {
    chunk += text
    if (chunk.length < chunkLength) continue
    yield chunk
    chunk = ''
    await pause()
  }
  if (chunk) yield chunk
}
