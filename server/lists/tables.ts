import type { Generated, Selectable } from 'kysely'
import type { Kind } from '#shared/domain/kinds.ts'
import type { ListVisibility } from '#shared/domain/visibilities.ts'
import type { PrivateColumns, Tables } from '#server/db/tables.ts'

declare module '#server/db/tables.ts' {
  interface Tables {
    lists: {
      id: Generated<number>
      user_id: number
      title: string
      description: Generated<string>
      is_ranked: Generated<number>
      visibility: ListVisibility
      tags: Generated<string>
      link_key: string | null
      item_count: Generated<number>
      like_count: Generated<number>
      copied_from: number | null
      created_at: string
      updated_at: string
      removed_at: Generated<string | null>
    }
    list_items: {
      list_id: number
      media_id: number
      kind: Kind
      /** In byte order; ties are sorted by title. See `placeBetween`. */
      place: string
      note: Generated<string>
      added_by: number | null
      added_at: string
    }
    list_likes: { list_id: number; user_id: number; created_at: string }
    /** `link_key`: opens the list as long as that is its key. */
    list_follows: { list_id: number; user_id: number; created_at: string; link_key: string | null }
    list_editors: { list_id: number; user_id: number; invited_at: string; accepted_at: string | null }
    /** Folded words of the title and the tags, and whole tags with a `#`. */
    list_words: { word: string; list_id: number }
  }
}

export type ListRow = Selectable<Tables['lists']>

export type ListItemRow = Selectable<Tables['list_items']>

export const privateColumns = {
  lists: ['link_key'],
  list_items: [],
  list_likes: [],
  list_follows: [],
  list_editors: [],
  list_words: [],
} satisfies PrivateColumns
