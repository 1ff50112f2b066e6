import { importFollowsMax } from '#shared/domain/limits.ts'
import { messages } from './messages.ts'

const ids: Record<string, string> = {
  'tmdb-movie': 'id at TMDB',
  'tmdb-tv': 'id at TMDB',
  imdb: 'id at IMDb',
  tvdb: 'id at TheTVDB',
  isbn13: 'ISBN',
  'olid-edition': 'id at Open Library',
  'olid-work': 'id at Open Library',
  igdb: 'id at IGDB',
}
const idOf = (source = '') => ids[source] ?? 'id'

const dated: Record<string, string> = {
  rating: 'of the rating',
  review: 'of the review',
  favorite: 'of the favorite',
  list: 'of a list',
  started: 'of starting',
  finished: 'of finishing',
  entry: 'of an entry',
}

type Value = string | undefined
const texts = {
  // A file that is not as it should be.
  openQuote: () => 'A quote is never closed.',
  openQuoteAtLast: () => 'A quote is never closed. The rest of the file is not read.',
  fewCells: (count: Value, of: Value) => `This line has ${count} of ${of} cells.`,
  missingColumn: (name: Value) => `The file has no column “${name}”.`,
  moreCells: () => 'The line has more cells than the file has columns; the last ones are left out.',
  nulCharacters: () => 'The line has NUL characters, which are left out.',
  invalidJson: () => 'This is not valid JSON.',
  invalidXml: () => 'This is not valid XML.',
  xmlDoctype: () => 'XML that declares a document type is not read.',
  deepXml: () => 'The elements of the XML are nested too deep.',
  xmlEncoding: () => 'XML has to be in UTF-8.',
  unexpectedItem: () => 'This item has an unexpected form.',
  longItem: () => 'This item is too long.',
  unreadable: () => 'This line cannot be read.',
  noName: () => 'This line has no title.',
  // Values that are corrected or left out.
  longText: () => 'The text is longer than 10,000 characters and is cut.',
  longTextSkipped: () => 'The text is longer than 10,000 characters and is left out.',
  combiningMarks: () => 'The text has too many combining marks in a row and is left out.',
  notADate: (value: Value) => `“${value}” is not a date.`,
  unknownDate: () => 'The start of 1970 stands for an unknown date.',
  earlyDate: (date: Value) => `The date ${date} is too early.`,
  unclearDate: (value: Value) => `“${value}” was read with the month first.`,
  futureDate: (what: Value) => `The date ${dated[what!]} is in the future and is left out.`,
  startAfterEnd: () => 'The start is after the end and is left out.',
  notARating: (value: Value, min: Value, max: Value) => `“${value}” is not a rating from ${min} to ${max}.`,
  isbnLost: () => 'The ISBN lost its digits in a spreadsheet.',
  isbnWrong: () => 'The ISBN has a wrong check digit.',
  isbnNone: (value: Value) => `“${value}” is not an ISBN.`,
  unknownStatus: (name: Value) => `The status “${name}” is not known; choose what it means.`,
  textOfUnknownStatus: () => 'The text is left out until you choose what the status means.',
  noteOfUnknown: () => 'The note is left out: the file does not say whether you know the title.',
  namesakes: () => 'The file has several films of this name and year.',
  otherRating: (given: Value) => `Another line of this title is rated ${given}.`,
  textWithoutRating: () => 'Kept in your diary: a review here needs a rating.',
  newestEntries: (count: Value) => `Only the newest ${count} entries are imported.`,
  manyTexts: () => 'Some texts are left out: there are too many.',
  // Lines that are about no title.
  follow: (name: Value) => `Follow of ${name}`,
  followGone: (name: Value) => `Follow of ${name}, who is no longer a member.`,
  followAsks: (name: Value) => `Follow of ${name}, who approves followers: send a request on their profile.`,
  followLimit: (name: Value) => `Follow of ${name}: an import makes at most ${importFollowsMax} follows.`,
  followsFull: (name: Value) => `Follow of ${name}: ${messages.tooManyFollows}`,
  settings: () => 'Notification settings',
  list: (name: Value) => `List “${name}”`,
  listsFull: (name: Value) => `List “${name}”: ${messages.tooManyLists}`,
  // Why a title may be meant, or is left out.
  chosen: () => 'As you chose',
  chosenBefore: () => 'As you chose before',
  byId: (source: Value) => `By its ${idOf(source)}`,
  idOfOther: (source: Value) => `The ${idOf(source)} belongs to another title`,
  idOfFile: () => 'An id of the file belongs to it',
  byAuthor: () => 'By name and author',
  byYear: () => 'By name and year',
  severalInFile: () => 'The file has several of this name',
  severalHere: () => 'One of several with this name',
  otherKind: (kind: Value) => `A ${kind === 'tvShow' ? 'TV show' : 'movie'} of this name and year`,
  noAuthor: () => 'The author is not known',
  noYear: () => 'The file has no year',
  noYearHere: () => 'The year is not known here',
  yearApart: () => 'A year apart',
  otherName: () => 'Another name of it',
  otherNameYearApart: () => 'Another name of it, a year apart',
  subtitle: () => 'Another subtitle',
  subtitleYearApart: () => 'Another subtitle, a year apart',
  begins: () => 'The name begins the same',
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
