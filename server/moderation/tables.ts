import type { Generated, Selectable } from 'kysely'
import type { PrivateColumns, Tables } from '#server/db/tables.ts'
import type {
  DecisionAction,
  DecisionEnd,
  ReportCategory,
  ReportOutcome,
  ReportTarget,
} from '#shared/domain/moderation.ts'

declare module '#server/db/tables.ts' {
  interface Tables {
    removed_reviews: {
      review_id: number
      user_id: number
      media_id: number | null
      part_id: number | null
      created_at: string
      /** The row of `reviews`, as JSON. */
      row: string
    }
    /** The names of removed lists that their owners have deleted. */
    removed_lists: { list_id: number; name_hash: string; user_id: number; created_at: string }
    /** The comments and reactions of removed reviews. */
    removed_rows: {
      id: Generated<number>
      review_id: number
      user_id: number
      table_name: 'comments' | 'reactions'
      row: string
    }
    /** Where each picture was shown: that column is null meanwhile. */
    removed_pictures: {
      id: Generated<number>
      user_id: number
      path: string
      table_name: 'users' | 'media'
      column_name: 'picture' | 'image' | 'backdrop'
      row_id: number
    }
    cases: {
      id: Generated<number>
      target_type: ReportTarget
      target_id: number
      user_id: number | null
      snapshot: string
      /** At most one case of a target is open. */
      is_open: Generated<number>
      assignee_id: Generated<number | null>
      report_count: Generated<number>
      opened_at: string
      closed_at: Generated<string | null>
    }
    reports: {
      id: Generated<number>
      case_id: number
      user_id: number | null
      category: ReportCategory
      /** The texts of the broken rules, as JSON. */
      rules: string
      comment: string
      created_at: string
      outcome: Generated<ReportOutcome | null>
      closed_at: Generated<string | null>
    }
    decisions: {
      id: Generated<number>
      case_id: number
      target_type: ReportTarget
      target_id: number
      user_id: number | null
      moderator_id: number | null
      action: DecisionAction
      /** The texts of the broken rules, as JSON. */
      rules: string
      reason: string
      until: string | null
      /** `removeAll` removes what was written from this time on. */
      since: string | null
      keeps_rating: Generated<number>
      created_at: string
      ended_at: Generated<string | null>
      end_reason: Generated<DecisionEnd | null>
      final_at: Generated<string | null>
      confirmed_at: Generated<string | null>
      appeal: Generated<string | null>
      appealed_at: Generated<string | null>
      answer: Generated<string | null>
      answered_at: Generated<string | null>
      accepts: Generated<number | null>
    }
  }
}

export type CaseRow = Selectable<Tables['cases']>

export type DecisionRow = Selectable<Tables['decisions']>

export type ReportRow = Selectable<Tables['reports']>

/** Categories are separated by commas; `is_appealed`: an appeal waits. */
export type ListedCaseRow = CaseRow & { categories: string; is_appealed: number }

/** With the columns that its effect depends on. */
export type DecisionInForce = Pick<
  DecisionRow,
  'action' | 'target_type' | 'target_id' | 'since' | 'until' | 'keeps_rating' | 'created_at' | 'final_at'
>

export const privateColumns = {
  removed_reviews: [],
  removed_lists: ['name_hash'],
  removed_rows: [],
  removed_pictures: [],
  cases: ['snapshot'],
  reports: ['comment'],
  decisions: ['reason', 'appeal', 'answer'],
} satisfies PrivateColumns
