import type { SettingsChange } from '#shared/notifications.ts'
import type { ReviewFlags } from '#shared/review-flags.ts'
import type { ImportService } from '#shared/import-formats.ts'
import type { ListVisibility } from '#shared/lists.ts'
import type { DiaryStatus, IdSource, Kind } from '#shared/media.ts'

/** The id of a title at a service. The sources that are not of `IdSource` only join the lines of one file. */
export type ParsedId = { source: IdSource | ImportService; id: string }

/** A calendar date without a time zone (`YYYY`, `YYYY-MM` or `YYYY-MM-DD`), or an instant (ISO 8601 in UTC). */
export type ParsedDate = string

export type ParsedEntry = {
  status: DiaryStatus
  startedOn: ParsedDate | null
  finishedOn: ParsedDate | null
  isAgain: boolean
  /** As in `4.5/5`. */
  ratingGiven: string | null
  text: string
  /** Identifies the entry at the service, as in `letterboxd:entry:aEh4eZ`; null if it has no identity there. */
  origin: string | null
  /** When it was added; null if unknown. */
  addedOn: ParsedDate | null
  /** When it was last changed, in an export of Medley. */
  updatedOn: ParsedDate | null
  /** Says only that the title was finished once: dropped if another entry says so too. Never set in a plan. */
  isImplied?: boolean
  /** From a complete history: every time after the first is again. Never set in a plan. */
  isOfHistory?: true
}

/** A list that the file describes. `key` identifies it at the service. */
export type ParsedList = {
  key: string
  name: string
  description: string
  isRanked: boolean
  visibility: ListVisibility
  tags: string[]
  createdOn: ParsedDate | null
  updatedOn: ParsedDate | null
}

/** That a title is in a list. `name` is used unless the file describes the list; `position` counts from 1. */
export type ParsedListItem = Pick<ParsedList, 'key' | 'name'> & {
  position: number
  note: string
  addedOn: ParsedDate | null
}

/** The columns of a review in an export of Medley, which are restored as they were. The flags are also those of a review without a text. */
type RestoredReview = ReviewFlags & {
  rating: number
  ratingGiven: string | null
  createdAt: string
  updatedAt: string
}

/** What one line of a file says about a title. Text is cleaned: no HTML, no control characters. */
export type ParsedTitle = {
  kind: Kind
  name: string
  /** Such as the original name. */
  otherNames: string[]
  year: number | null
  authors: string[]
  ids: ParsedId[]
  /** `isOfTitle`: the rating of the title as it is now, which wins over one of a single viewing. */
  rating: { given: string; on: ParsedDate | null; isOfTitle: boolean } | null
  review: { text: string; hasSpoilers: boolean; on: ParsedDate | null } | null
  entries: ParsedEntry[]
  isFavorite: boolean
  favoriteOn: ParsedDate | null
  listItems: ParsedListItem[]
  restored?: RestoredReview
  /** The file has other titles of the same name and year: only the member knows which one is meant. */
  isNamesake?: true
  /** For display: what was corrected or ignored. */
  notes: string[]
}

/** A member of Medley whom the owner of the file follows. `id` is null if the file does not name it. */
export type ParsedFollow = { instance: string; username: string; id: number | null; on: ParsedDate | null }

/** A record of a file: the columns by name for CSV; for JSON, the values of an item by their paths. */
export type FileRecord = { file: string; line: number; raw: Record<string, string> }
/** `problem` is for display. */
export type UnreadableRecord = { file: string; line: number; problem: string }
export type Records = AsyncGenerator<FileRecord | UnreadableRecord>

/** What a record means under the options of the import. `what` names what Medley does not store, such as `comments`. */
export type Parsed =
  | { type: 'title'; title: ParsedTitle; notKept?: string[] }
  | { type: 'follow'; follow: ParsedFollow }
  | { type: 'list'; list: ParsedList }
  | { type: 'settings'; settings: SettingsChange }
  | { type: 'unreadable'; problem: string }
  | { type: 'notKept'; what: string }
