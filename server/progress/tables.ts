import { type Generated, type Selectable, sql } from 'kysely'
import type { BatchType } from '#shared/contracts/progress.ts'
import type { DiaryStatus } from '#shared/domain/kinds.ts'
import type { PrivateColumns, Tables } from '#server/db/tables.ts'
import type { PartRow } from '#server/titles/tables.ts'

type PlayColumns = {
  episode_id: number
  /** From 1. Each is an entry of the diary. */
  pass: number
  /** As in the diary; null if the day is unknown. */
  watched_on: string | null
  /** If the member marked it when they watched it. */
  watched_at: string | null
  batch_id: number | null
  /** `member`, or the service of an import. */
  source: string
  /** At the service it was imported from. */
  origin: string | null
  created_at: string
}

declare module '#server/db/tables.ts' {
  interface Tables {
    /** An episode that a member watched, once in each pass. Whatever is said about progress is derived from these rows. */
    plays: PlayColumns & {
      id: Generated<number>
      user_id: number
      /** The title of the episode. */
      media_id: number
      /** Since the batch, whose undo then leaves the play. */
      is_changed: Generated<number>
    }
    /** By a batch that can be undone. */
    removed_plays: PlayColumns & { removed_by: number; is_changed: number }
    /** What one call or import did with plays. */
    batches: {
      id: Generated<number>
      user_id: number
      /** Null for an import. */
      media_id: number | null
      type: BatchType
      source: string
      count: number
      import_id: number | null
      created_at: string
      /** Also when one of its plays changed. */
      changed_at: string
      undone_at: string | null
    }
  }
}

export type PlayRow = Selectable<Tables['plays']>
export type BatchRow = Selectable<Tables['batches']>

export type EpisodeRow = Pick<PartRow, 'id' | 'number' | 'name' | 'release_date' | 'airs_at' | 'runtime'> & {
  season: number
}
/** What is read of all episodes of a show, which may be thousands. */
export type ShortEpisodeRow = Pick<EpisodeRow, 'id' | 'season' | 'number' | 'release_date' | 'airs_at'>
/** The number of ratings of a part, and their sum. */
export type RatedRow = Pick<PartRow, 'rating_count' | 'rating_sum'>
export type SeasonRow = Pick<PartRow, 'id' | 'number' | 'name' | 'release_date'> & RatedRow

/** In the passes of one member through one show, which may be thousands: the columns of the rows. */
export type Played = { episode_id: number[]; pass: number[] }
export type WatchedRow = Pick<PlayRow, 'episode_id' | 'pass' | 'watched_on'>

/** The order of a member’s entries of one title: the one in progress, then what is over, newest first, then `want`. */
export const currentFirst = sql`case status when 'want' then 1 when 'finished' then 2 when 'dropped' then 2 else 3 end desc,
  coalesce(finished_on, started_on, '') desc, id desc`

/** What the diary says about a show, without plays. */
export type Statement = { status: DiaryStatus | null; stated: DiaryStatus | null }

export const privateColumns = {
  plays: ['watched_on', 'watched_at'],
  removed_plays: ['watched_on', 'watched_at'],
  batches: [],
} satisfies PrivateColumns
