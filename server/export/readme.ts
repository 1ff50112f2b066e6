import { exportVersion } from '#shared/contracts/export.ts'
import { exportFormat, type ExportService, exportServices, losses } from '#shared/domain/export-formats.ts'
import { roundedWords } from './services/histories.ts'
import type { Tally } from './titles.ts'

type Sheet = { file: string; description: string }

const width = 20

/** `for-letterboxd.csv` or `for-trakt/`. */
const pathOf = (service: ExportService) =>
  `for-${service}${exportFormat(service).file === 'zip' ? '/' : '.csv'}`

/** The page `/docs/export`, and the beginning of the file in a zip. */
export function readmeOf(sheets: readonly Sheet[]): string {
  return `Your data from Medley
=====================

medley.json         Everything below in one file. Medley imports it again: Settings, Account, Import.
${sheets.map(({ file, description }) => `${file.padEnd(width)}${description}`).join('\n')}
${exportServices.map((service) => `${pathOf(service).padEnd(width)}${exportFormat(service).about}`).join('\n')}
for-letterboxd-lists/  The films of each of your lists, to upload on the page of a new list at letterboxd.com.

Your email, your password and your sessions are not included. The export is not a snapshot: what you change while it is
written may be missing.

medley.json
  Its JSON Schema is at /docs/export-${exportVersion}.schema.json of every Medley server. Ratings, reviews, diary, favorites, own
  lists, titles and notification settings are imported as they were. Follows are imported on the same server only. Reactions
  and comments are not imported, since they belong to reviews of others. "imports" holds the lines of imported files that
  Medley has no place for.
  The ids of titles are from TMDB, IMDb, TVDB, Open Library, IGDB, ISBNs, and "starter" for Medley's own catalogue.

The CSV files
  UTF-8 with a byte order mark, commas, CRLF, quotes as in RFC 4180. Times are in UTC. Dates are YYYY-MM-DD, or YYYY-MM or
  YYYY if the exact date is unknown. "Rating given" is a rating on the scale of the service it was imported from.
  A cell that begins with = + - @ ' a tab or a carriage return has one more ' in front, because a spreadsheet could run it
  as a formula. To read such a file with a program, take one ' away from every cell that begins with one.

The files for other services
  Medley imports them too. Into the account that they are from, they bring nothing new.
  UTF-8 without a byte order mark. A cell that begins with one of the signs above has a space in front instead of the ', which
  the services and an import of Medley take away. In reviews and lists, "<" is written as HTML.
  A rating that was imported leaves as it was there, on the scale of the service. Other ratings leave as your stars.
  Letterboxd: a line for each time you finished a film. Your review is in the last one, with the tag "spoilers" if you
  marked it. A line without a date is no entry of your diary.
  Its lists have the order, the notes, the tags and the description. Letterboxd has no column for who may read a list, whether
  it is a ranking, and when a title was added, and takes films only: medley.json has all of that.
  Goodreads: a line for each book. Books you stopped reading are on the shelf "did-not-finish".
  IMDb: the column "Const" is blank if the id is not known.
  Trakt: send the files of the folder as a zip, or download it alone with "For Trakt".
  Yamtrack: titles without an id of TMDB, Open Library or IGDB have the source "manual". The line of a season has the status
  of its show. The line of an episode would be a viewing there.

What they cannot hold, which is all in medley.json
${exportServices.map(heldBy).join('\n')}
`
}

function heldBy(service: ExportService): string {
  const { name, ratings, losses: lost } = exportFormat(service)
  return wrapped(`${name} (ratings ${ratings}): ${lost.map((loss) => losses[loss]).join('; ')}.`)
}

/** Lines of at most 120 letters, indented. */
function wrapped(text: string): string {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + word.length < 116) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines.map((line, at) => (at === 0 ? `  ${line}` : `    ${line}`)).join('\n')
}

/** What was rounded and left out in this export. */
export function countsOf(tally: Tally): string {
  const files = exportServices.flatMap((service) => {
    const counts = [...(tally.get(service) ?? [])].toSorted(([a], [b]) => order(a) - order(b))
    if (!tally.has(service)) return []
    const lines = counts.map(([words, count]) => `  ${String(count).padStart(7)}  ${words}`)
    return [`${pathOf(service)}\n${lines.join('\n') || '        0  Everything of its kinds is in the file.'}`]
  })
  return `
In this export: what was rounded, and what a file does not have
----------------------------------------------------------------
${files.join('\n')}
`
}

const words: readonly string[] = [roundedWords, ...Object.values(losses)]
const order = (counted: string) => words.indexOf(counted)
