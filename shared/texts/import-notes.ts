import { importFollowsMax } from '#shared/domain/limits.ts'
import { messages } from './messages.ts'
import { t } from '#shared/domain/message.ts'

const idNames: Record<string, string> = {
  'tmdb-movie': 'TMDB',
  'tmdb-tv': 'TMDB',
  imdb: 'IMDb',
  tvdb: 'TheTVDB',
  'olid-edition': 'Open Library',
  'olid-work': 'Open Library',
  igdb: 'IGDB',
}

const futureDates: Record<string, string> = {
  rating: t`The date of the rating is in the future and is left out.`,
  review: t`The date of the review is in the future and is left out.`,
  favorite: t`The date of the favorite is in the future and is left out.`,
  list: t`The date of a list is in the future and is left out.`,
  started: t`The date of starting is in the future and is left out.`,
  finished: t`The date of finishing is in the future and is left out.`,
  entry: t`The date of an entry is in the future and is left out.`,
  episode: t`The date of an episode is in the future and is left out.`,
}

type Value = string
const texts = {
  // A file that is not as it should be.
  openQuote: () => t`A quote is never closed.`,
  openQuoteAtLast: () => t`A quote is never closed. The rest of the file is not read.`,
  fewCells: (count: Value, of: Value) => t`This line has ${count} of ${of} cells.`,
  missingColumn: (name: Value) => t`The file has no column “${name}”.`,
  moreCells: () => t`The line has more cells than the file has columns; the last ones are left out.`,
  nulCharacters: () => t`The line has NUL characters, which are left out.`,
  invalidJson: () => t`This is not valid JSON.`,
  invalidXml: () => t`This is not valid XML.`,
  xmlDoctype: () => t`XML that declares a document type is not read.`,
  deepXml: () => t`The elements of the XML are nested too deep.`,
  xmlEncoding: () => t`XML has to be in UTF-8.`,
  unexpectedItem: () => t`This item has an unexpected form.`,
  longItem: () => t`This item is too long.`,
  unreadable: () => t`This line cannot be read.`,
  noName: () => t`This line has no title.`,
  // Values that are corrected or left out.
  longText: () => t`The text is longer than 10,000 characters and is cut.`,
  longTextSkipped: () => t`The text is longer than 10,000 characters and is left out.`,
  combiningMarks: () => t`The text has too many combining marks in a row and is left out.`,
  notADate: (value: Value) => t`“${value}” is not a date.`,
  unknownDate: () => t`The start of 1970 stands for an unknown date.`,
  earlyDate: (date: Value) => t`The date ${date} is too early.`,
  unclearDate: (value: Value) => t`“${value}” was read with the month first.`,
  futureDate: (what: Value) => futureDates[what]!,
  startAfterEnd: () => t`The start is after the end and is left out.`,
  notARating: (value: Value, min: Value, max: Value) => t`“${value}” is not a rating from ${min} to ${max}.`,
  isbnLost: () => t`The ISBN lost its digits in a spreadsheet.`,
  isbnWrong: () => t`The ISBN has a wrong check digit.`,
  isbnNone: (value: Value) => t`“${value}” is not an ISBN.`,
  unknownStatus: (name: Value) => t`The status “${name}” is not known; choose what it means.`,
  textOfUnknownStatus: () => t`The text is left out until you choose what the status means.`,
  noteOfUnknown: () => t`The note is left out: the file does not say whether you know the title.`,
  namesakes: () => t`The file has several films of this name and year.`,
  otherRating: (given: Value) => t`Another line of this title is rated ${given}.`,
  textWithoutRating: () => t`Kept in your diary: a review here needs a rating.`,
  newestEntries: (count: Value) => t`Only the newest ${count} entries are imported.`,
  manyTexts: () => t`Some texts are left out: there are too many.`,
  manyPlays: () => t`Some episodes are left out: they were watched too many times.`,
  playsFull: () => messages.playsFull,
  unknownEpisodes: (numbers: Value) => t`Episodes that are not known here: ${numbers}`,
  unknownSeasons: (numbers: Value) => t`Seasons that are not known here: ${numbers}`,
  // Lines that are about no title.
  follow: (name: Value) => t`Follow of ${name}`,
  followGone: (name: Value) => t`Follow of ${name}, who is no longer a member.`,
  followAsks: (name: Value) => t`Follow of ${name}, who approves followers: send a request on their profile.`,
  followLimit: (name: Value) => t`Follow of ${name}: an import makes at most ${importFollowsMax} follows.`,
  followsFull: (name: Value) => t`Follow of ${name}: ${messages.tooManyFollows}`,
  settings: () => t`Notification settings`,
  list: (name: Value) => t`List “${name}”`,
  listsFull: (name: Value) => t`List “${name}”: ${messages.tooManyLists}`,
  // Why a title may be meant, or is left out.
  chosen: () => t`As you chose`,
  chosenBefore: () => t`As you chose before`,
  byId: (source: Value) =>
    source === 'isbn13'
      ? t`By its ISBN`
      : idNames[source] === undefined
        ? t`By its id`
        : t`By its id at ${idNames[source]}`,
  idOfOther: (source: Value) =>
    source === 'isbn13'
      ? t`The ISBN belongs to another title`
      : idNames[source] === undefined
        ? t`The id belongs to another title`
        : t`The id at ${idNames[source]} belongs to another title`,
  idOfFile: () => t`An id of the file belongs to it`,
  byAuthor: () => t`By name and author`,
  byYear: () => t`By name and year`,
  severalInFile: () => t`The file has several of this name`,
  severalHere: () => t`One of several with this name`,
  otherKind: (kind: Value) =>
    kind === 'tvShow' ? t`A TV show of this name and year` : t`A movie of this name and year`,
  noAuthor: () => t`The author is not known`,
  noYear: () => t`The file has no year`,
  noYearHere: () => t`The year is not known here`,
  yearApart: () => t`A year apart`,
  otherName: () => t`Another name of it`,
  otherNameYearApart: () => t`Another name of it, a year apart`,
  subtitle: () => t`Another subtitle`,
  subtitleYearApart: () => t`Another subtitle, a year apart`,
  begins: () => t`The name begins the same`,
  createdLimit: () => messages.importCreatedLimit,
} satisfies Record<string, (...values: Value[]) => string>

type NoteCode = keyof typeof texts

/** Code and values are single lines, with tabs between them. */
export function noteOf(code: NoteCode, ...values: (string | number)[]): string {
  return [code, ...values.map((value) => String(value).replace(/\s/g, ' '))].join('\t')
}

export function hasCode(note: string, ...codes: NoteCode[]): boolean {
  return (codes as string[]).includes(note.split('\t', 1)[0]!)
}

/** Rows of earlier versions have the text itself. */
export function textOfNote(note: string): string {
  const [code = '', ...values] = note.split('\t')
  return Object.hasOwn(texts, code) ? texts[code as NoteCode](...(values as [Value, Value, Value])) : note
}
