import type { Generated, Selectable } from 'kysely'
import type { DiaryStatus, Kind, ProgressUnit } from '#shared/domain/kinds.ts'
import type { PrivateColumns, Tables } from '#server/db/tables.ts'
import type { TitleRow } from '#server/titles/tables.ts'

declare module '#server/db/tables.ts' {
  interface Tables {
    /** One for each time, or for the want list. At most one `want` and one `started` or `paused` per title. */
    diary_entries: {
      id: Generated<number>
      user_id: number
      media_id: number
      kind: Kind
      status: DiaryStatus
      /** `YYYY-MM-DD`, or `YYYY-MM` or `YYYY` if the exact date is unknown. */
      started_on: string | null
      finished_on: string | null
      /** The first entry of a title can be one too. */
      is_again: Generated<number>
      /** At that time, on another scale, as in `4.5/5`. */
      rating_given: Generated<string | null>
      /** Read by the owner only. */
      text: Generated<string>
      /** Its number, if it has plays (`server/progress`): then the status, the dates and the three last columns are derived from these. */
      pass: Generated<number | null>
      /** `paused` or `dropped`, if the member has said so of a pass. */
      stated: Generated<'paused' | 'dropped' | null>
      /** The status before the first play made the entry a pass, and its first date: `want`, `started 2026-05-04`. */
      adopted: Generated<string | null>
      played_at: Generated<string | null>
      /** Of the newest pass: the first day on which an episode to watch has aired; `~` without one, blank if it must be derived again. */
      next_on: Generated<string | null>
      /** At the service it was imported from. */
      origin: Generated<string | null>
      created_at: string
      updated_at: string
    }
    /** How far the member was on a day. The progress of an entry is derived from its last step. */
    steps: {
      id: Generated<number>
      user_id: number
      entry_id: number
      unit: ProgressUnit
      /** Of the unit. */
      hundredths: number
      day: string
      /** Read by the owner only. */
      text: Generated<string>
      /** If the step ended it. */
      status_before: 'want' | 'paused' | null
      created_at: string
    }
  }
}

export type StepRow = Selectable<Tables['steps']>

/** Of an entry; null without steps. */
export type LastStep = { step_unit: ProgressUnit | null; step_hundredths: number | null }

export type EntryRow = Selectable<Tables['diary_entries']>

export type WrittenEntryRow = Pick<EntryRow, 'status' | 'started_on' | 'finished_on' | 'is_again' | 'text'>

export type ShownEntryRow = EntryRow &
  LastStep &
  Pick<TitleRow, 'name' | 'image' | 'release_year' | 'runtime' | 'page_count'> & { rating: number | null }

export type YearEntryRow = Pick<EntryRow, 'id' | 'media_id' | 'kind'> &
  Pick<
    TitleRow,
    'name' | 'image' | 'release_year' | 'runtime' | 'page_count' | 'details' | 'rating_count'
  > & {
    day: string
    rating: number | null
  }

/** The value the list is sorted by, then the id. */
export type EntryPlace = { value: string | number; id: number }

export const privateColumns = {
  diary_entries: ['started_on', 'finished_on', 'rating_given', 'text'],
  steps: ['text'],
} satisfies PrivateColumns
