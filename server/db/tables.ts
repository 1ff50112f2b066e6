import type { Generated } from 'kysely'
import type { QueueName } from '#server/process/queue-names.ts'

/**
 * The tables of the database, by name. The `tables.ts` of each feature declares its own here, so that this folder knows no feature.
 * Times are ISO 8601 text in UTC; flags are 0 or 1; ids start at 1.
 */
export interface Tables {
  /** Random keys of this site, by name. */
  secrets: { name: string; value: string }
  /** Background work that is waiting, running or given up (server/process/queue.ts). */
  tasks: {
    id: Generated<number>
    queue: QueueName
    /** Unique in the queue. Null if the queue may contain the same work more than once. */
    key: Generated<string | null>
    /** The member or other party that the task is for; owners take turns. */
    owner: Generated<string>
    /** Lower ones first. */
    priority: Generated<number>
    payload: Generated<string>
    /** Claims since the task was first due. */
    attempts: Generated<number>
    /** When the task is due; the end of the lease if it is claimed; null if it was given up. */
    due_at: string | null
    /** When it was due before any retry. */
    first_due_at: string
    /** Identifies the claim of a process. */
    claim: Generated<string | null>
  }
}

/**
 * Of the tables of a feature, the columns that only the member they are about reads, and members with a role; tests look for their
 * values in responses. Visitors may read the other columns, or these hold ids, times, states, keys and hashes.
 */
export type PrivateColumns = { [Table in keyof Tables]?: readonly (keyof Tables[Table])[] }
export const privateColumns = {
  tasks: [],
  secrets: [],
} satisfies PrivateColumns
