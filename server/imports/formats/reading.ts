import type { ImportOptions, ImportService } from '#shared/imports.ts'
import type { DiaryStatus, IdSource, Kind } from '#shared/media.ts'

/** The id of a title at a service. The sources that are not of `IdSource` only join the lines of one file. */
export type ReadingId = {
  source: IdSource | 'medley' | 'letterboxd' | 'goodreads' | 'storygraph' | 'trakt' | 'neodb'
  id: string
}

/** A calendar date without a time zone (`YYYY`, `YYYY-MM` or `YYYY-MM-DD`), or an instant (ISO 8601 in UTC). */
export type ReadingDate = string

export type ReadingEntry = {
  status: DiaryStatus
  startedOn: ReadingDate | null
  finishedOn: ReadingDate | null
  isAgain: boolean
  /** As in `4.5/5`. */
  ratingGiven: string | null
  text: string
  /** Identifies the entry at the service, as in `letterboxd:entry:aEh4eZ`; null if it has no identity there. */
  origin: string | null
  /** When it was added; null if unknown. */
  addedOn: ReadingDate | null
  /** When it was last changed, in an export of Medley. */
  updatedOn?: ReadingDate
  /** Says only that the title was finished once: dropped if another entry says so too. Never set in a plan. */
  isImplied?: true
  /** From a complete history: every time after the first is again. Never set in a plan. */
  isOfHistory?: true
}

/** The columns of a review in an export of Medley, which are restored as they were. */
type RestoredReview = {
  rating: number
  ratingGiven: string | null
  /** Also of a review without a text. */
  hasSpoilers: boolean
  createdAt: string
  updatedAt: string
}

/** What one line of a file says about a title. Text is cleaned: no HTML, no control characters. */
export type Reading = {
  kind: Kind
  name: string
  /** Such as the original name. */
  otherNames: string[]
  year: number | null
  authors: string[]
  ids: ReadingId[]
  /** `isOfTitle`: the rating of the title as it is now, which wins over one of a single viewing. */
  rating: { given: string; on: ReadingDate | null; isOfTitle: boolean } | null
  review: { text: string; hasSpoilers: boolean; on: ReadingDate | null } | null
  entries: ReadingEntry[]
  isFavorite: boolean
  favoriteOn?: ReadingDate
  restored?: RestoredReview
  /** The file has other titles of the same name and year: only the member knows which one is meant. */
  isNamesake?: true
  /** For display: what was corrected or ignored. */
  notes: string[]
}

/** A member of Medley whom the owner of the file follows. `id` is null if the file does not name it. */
export type ReadingFollow = { instance: string; username: string; id: number | null; on: ReadingDate | null }

/** A record of a file: the columns by name for CSV; for JSON, one column `json` with the text of the item. */
export type RawRow = { file: string; line: number; raw: Record<string, string> }
/** `problem` is for display. */
export type UnreadableRow = { file: string; line: number; problem: string }

/** What a record means under the options of the import. `what` names what Medley does not store, such as `lists`. */
export type Interpreted =
  | { type: 'title'; reading: Reading; notKept?: string[] }
  | { type: 'follow'; follow: ReadingFollow }
  | { type: 'unreadable'; problem: string }
  | { type: 'notKept'; what: string }

/** What is known of a file before its lines are interpreted. */
export type FileFacts = {
  /** Columns of a CSV file of an unknown service, in the order of the file. */
  columns: string[]
  /** Shelves or statuses that Medley does not know, with the number of lines. */
  shelves: { name: string; count: number }[]
  /** Options that differ from the defaults: guessed columns, scale, kind. */
  options: Partial<ImportOptions>
}

export type OpenedFile = {
  service: ImportService
  /** Yields the records in the order of the files. */
  rows: () => AsyncGenerator<RawRow | UnreadableRow>
  /** Valid once `rows` is exhausted. */
  facts: () => FileFacts
}

/** The lines of one title joined: what an import would write. Built by `planTitle`. */
export type TitlePlan = Pick<Reading, 'kind' | 'name' | 'otherNames' | 'year' | 'authors' | 'ids'> & {
  /** `ratedAt` is an instant; null if unknown. */
  rating: { stars: number; given: string; isHalf: boolean; ratedAt: string | null } | null
  /** `writtenAt` is an instant. */
  review: { text: string; hasSpoilers: boolean; writtenAt: string | null } | null
  /** A text that has no rating: it is also the text of an entry. */
  isTextWithoutRating: boolean
  entries: ReadingEntry[]
  isFavorite: boolean
  /** An instant. */
  favoriteOn?: string
  /** If present, `rating` is that of Medley; the times and `ratingGiven` are to be written exactly. */
  restored?: RestoredReview
  isNamesake?: true
  /** Whether a text of the title is too long; the options say whether it is cut or left out. */
  hasLongText?: true
  notes: string[]
}

/** A format of import files. */
export type Format = {
  /** Whether a CSV file with these columns, folded, is of the service. */
  isHeader?: (columns: ReadonlySet<string>) => boolean
  /** The columns that are kept, folded; all of them if missing. */
  columns?: readonly string[]
  /** The shelf or status of a record, as the file names it; empty if it has none. */
  shelfOf?: (row: RawRow, options: ImportOptions) => string
  /** What shelves mean if the member says nothing else. */
  defaultShelves?: ImportOptions['shelves']
  interpret: (row: RawRow, options: ImportOptions) => Interpreted
}
