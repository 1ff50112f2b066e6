import type { Generated, Selectable } from 'kysely'
import type { ImportService } from '#shared/domain/import-formats.ts'
import type { Kind } from '#shared/domain/media.ts'
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
      service: ImportService
      file_name: string
      /** SHA-256 of the file. */
      file_hash: string
      /** `ImportOptions` as JSON. */
      options: string
      /** `ImportFacts` as JSON. */
      facts: string
      state: ImportState
      /** The state in which a stopped import resumes. */
      resumes: ImportState | null
      total: Generated<number>
      processed: Generated<number>
      /** The external source that asked for a pause; `disk` or `quota` during a pause for lack of space. */
      waiting_for: string | null
      /** When its task is due, such as the end of a pause; null without a task. */
      next_at: string | null
      /** About how many bytes its lines, titles and changes take in the database. */
      bytes: Generated<number>
      created_at: string
      updated_at: string
      applied_at: string | null
      undone_at: string | null
    }
    /** The titles of an import; the lines of one title are one record. */
    import_titles: {
      id: Generated<number>
      import_id: number
      /** Joins the lines of a title: an id, or the kind with the folded name, year and first author. */
      title_key: string
      kind: Kind
      name: string
      /** The folded name and authors, which the search of the list uses. */
      search_text: string
      /** `TitleRecord` as JSON; see `pack`. */
      record: string
      state: ImportTitleState
      /** The matched title, if any, and the note why, as JSON; null before matching. */
      matched: string | null
      /** The change of each part and what applying the title adds, as JSON. */
      change: string | null
      /** The matched or chosen title. */
      media_id: number | null
      /** At most five candidate matches, as JSON; see `pack`. */
      candidates: string | null
      /** `ImportDecision` as JSON. */
      decision: string | null
      applied_at: string | null
      /** Whether the text of the title goes into the diary, because it has no rating. */
      is_text_without_rating: Generated<number>
    }
    import_lines: {
      id: Generated<number>
      import_id: number
      title_id: number | null
      file: string
      line: number
      /** The known columns of the line, as JSON; see `pack`. Empty if the line cannot be read. */
      raw: string
      /** The length of that JSON in bytes. */
      raw_bytes: number | null
      /** What the line means, as JSON; see `toStored` and `pack`. Empty if it cannot be read, null if an older version has read it. */
      record: string | null
      /** Null if the state is the title’s. */
      state: ImportLineState | RecordLineState | null
      note: string | null
    }
    /** Titles that a member chose for a key of a file; the next file with the key is matched to the same title. */
    import_keys: { user_id: number; key: string; media_id: number; import_id: number | null }
    /** The journal: what an import wrote, in order; undoing reads it backwards. */
    import_changes: {
      id: Generated<number>
      import_id: number
      title_id: number | null
      user_id: number
      /** Null for what is about no title. */
      media_id: number | null
      what: 'review' | 'entry' | 'favorite' | 'title' | 'listItem' | 'list' | 'follow' | 'settings'
      /** The id of the row; for a favorite the id of the title, for a title of a list the id of the list, otherwise the member’s. */
      target_id: number
      /** The columns of the row before and after the change, as JSON; null if there was none. See `pack`. */
      before: string | null
      after: string
    }
    /** About how many bytes the imports of a member take in the database. */
    import_usage: {
      user_id: number
      /** The sum of `imports.bytes`. */
      held_bytes: number
      /** What imports have added since `day_began_at`, including the member’s reviews and diary entries. */
      day_bytes: number
      day_began_at: string
    }
    /** The lists that an import has read. */
    import_lists: {
      id: Generated<number>
      import_id: number
      /** Identifies the list at its service. */
      list_key: string
      name: string
      /** `ListSettings` as JSON; see `pack`. */
      settings: string
      /** The number of its titles in the file. */
      item_count: Generated<number>
      state: ImportListState
      /** The line that describes the list, if there is one. */
      line_id: number | null
      /** The list that it has become, or that was here already. */
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
  import_usage: [],
  import_lists: ['name', 'settings'],
} satisfies PrivateColumns
