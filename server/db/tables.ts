import type { Generated } from 'kysely'
import type { QueueName } from '#server/process/queue-names.ts'

/**
 * Each feature declares its tables in its `tables.ts`, so that this folder knows no feature. Times are ISO 8601 text in UTC; flags are 0 or
 * 1; ids start at 1.
 */
export interface Tables {
  secrets: { name: string; value: string }
  /** Waiting, running or given up (server/process/queue.ts). */
  tasks: {
    id: Generated<number>
    queue: QueueName
    /** Unique in the queue. Null if it may contain the same work more than once. */
    key: Generated<string | null>
    owner: Generated<string>
    priority: Generated<number>
    payload: Generated<string>
    /** Claims since the task was first due. */
    attempts: Generated<number>
    /** If claimed, the end of the lease; null if it was given up. */
    due_at: string | null
    first_due_at: string
    claim: Generated<string | null>
  }
}

/**
 * Read only by the member they are about, and by members with a role; tests look for their values in responses. Visitors may read the other
 * columns, or these hold ids, times, states, keys and hashes.
 */
export type PrivateColumns = { [Table in keyof Tables]?: readonly (keyof Tables[Table])[] }
export const privateColumns = {
  tasks: [],
  secrets: [],
} satisfies PrivateColumns
