import type { Generated, Selectable } from 'kysely'
import type { ImportOrigin } from '#shared/domain/import-formats.ts'
import type { WrittenThing } from '#shared/domain/written-things.ts'
import type { Kind } from '#shared/domain/kinds.ts'
import type { PrivateColumns, Tables } from '#server/db/tables.ts'
import type {
  ImportLineState,
  ImportListState,
  ImportState,
  ImportTitleState,
  RecordLineState,
} from '#shared/domain/import-states.ts'

declare module '#server/db/tables.ts' {
  interface Tables {
    imports: {
      id: Generated<number>
      user_id: number
      service: ImportOrigin
      file_name: string
      file_hash: string
      options: string
      facts: string
      state: ImportState
      resumes: ImportState | null
      total: Generated<number>
      processed: Generated<number>
      /** A source that asked for a pause; `disk` or `quota` for lack of space. */
      waiting_for: string | null
      /** When its task is due; null without a task. */
      next_at: string | null
      /** Of its lines, titles and changes, about. */
      bytes: Generated<number>
      created_at: string
      updated_at: string
      applied_at: string | null
      undone_at: string | null
    }
    /** The lines of one title are one record. */
    import_titles: {
      id: Generated<number>
      import_id: number
      /** An id, or the kind with the folded name, year and first author. */
      title_key: string
      kind: Kind
      name: string
      /** Folded name and authors, for the search of the list. */
      search_text: string
      /** `TitleRecord` as JSON; see `pack`. */
      record: string
      state: ImportTitleState
      /** The title, if any, and the note why, as JSON; null before matching. */
      matched: string | null
      change: string | null
      /** Matched or chosen. */
      media_id: number | null
      /** At most five, as JSON; see `pack`. */
      candidates: string | null
      decision: string | null
      applied_at: string | null
      /** The text then goes into the diary. */
      is_text_without_rating: Generated<number>
    }
    import_lines: {
      id: Generated<number>
      import_id: number
      title_id: number | null
      file: string
      line: number
      /** As JSON; see `pack`. Empty if the line cannot be read. */
      raw: string
      raw_bytes: number | null
      /** As JSON; see `toStored` and `pack`. Empty if it cannot be read, null if an older version has read it. */
      record: string | null
      /** Null if the state is the title’s. */
      state: ImportLineState | RecordLineState | null
      note: string | null
    }
    /** What a member chose for a key of a file: the next file with the key is matched to the same title. */
    import_keys: { user_id: number; key: string; media_id: number; import_id: number | null }
    /** The journal, in order; undoing reads it backwards. */
    import_changes: {
      id: Generated<number>
      import_id: number
      title_id: number | null
      user_id: number
      media_id: number | null
      what:
        | 'review'
        | 'entry'
        | 'plays'
        | 'favorite'
        | 'title'
        | 'listItem'
        | 'list'
        | 'follow'
        | 'settings'
        | 'halfStars'
      /** The id of the row; for plays their batch, for a favorite the title, for a title of a list the list, otherwise the member. */
      target_id: number
      /** As JSON; null if there was none. See `pack`. */
      before: string | null
      after: string
    }
    /** What deleted imports wrote last about each row. */
    past_writes: {
      id: Generated<number>
      user_id: number
      media_id: number
      what: WrittenThing
      target_id: number
      service: ImportOrigin
      wrote_at: string
      before: string | null
      after: string
    }
    import_usage: {
      user_id: number
      /** The sum of `imports.bytes`. */
      held_bytes: number
      /** Since `day_began_at`, with the member’s reviews and diary entries. */
      day_bytes: number
      day_began_at: string
    }
    import_lists: {
      id: Generated<number>
      import_id: number
      list_key: string
      name: string
      /** As JSON; see `pack`. */
      settings: string
      item_count: Generated<number>
      state: ImportListState
      line_id: number | null
      /** Created, or here already. */
      list_id: number | null
      /** Where its first title goes; see `placeAt`. Null until the import is applied. */
      first_place: number | null
    }
  }
}

export type ImportRow = Selectable<Tables['imports']>

export type ImportTitleRow = Selectable<Tables['import_titles']>

export type ImportLineRow = Selectable<Tables['import_lines']>

export type ImportChangeRow = Selectable<Tables['import_changes']>

export type ImportListRow = Selectable<Tables['import_lists']>

export const privateColumns = {
  imports: ['file_name', 'options', 'facts', 'waiting_for'],
  import_titles: ['title_key', 'name', 'search_text', 'record', 'matched', 'candidates'],
  import_lines: ['file', 'raw', 'note', 'record'],
  import_keys: [],
  import_changes: [],
  past_writes: [],
  import_usage: [],
  import_lists: ['name', 'settings'],
} satisfies PrivateColumns
