import { randomUUID } from 'node:crypto'
import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely'
import { isSqlite, lockKeys } from './dialect.ts'
import type { Db } from './open.ts'
import { prepareFirst, prepareQuery } from './prepared.ts'
import { removeInParts } from './rows.ts'
import type { QueueName } from '#server/process/queue-names.ts'
import type { Tables } from './tables.ts'

export type Task = Selectable<Tables['tasks']>
type NewTask = Pick<Insertable<Tables['tasks']>, 'queue' | 'key' | 'owner' | 'priority' | 'payload'>

export function toRow(task: NewTask, dueAt: Date): Insertable<Tables['tasks']> {
  return { ...task, due_at: dueAt.toISOString(), first_due_at: dueAt.toISOString() }
}

/** A task with the same key is moved to this time instead, and its claim ends. The keys must be different. */
export async function enqueue(db: Db, tasks: NewTask | readonly NewTask[], dueAt: Date): Promise<void> {
  const rows = [tasks].flat().map((task) => toRow(task, dueAt))
  await db
    .insertInto('tasks')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['queue', 'key']).doUpdateSet((eb) => ({
        due_at: eb.ref('excluded.due_at'),
        first_due_at: eb.ref('excluded.first_due_at'),
        attempts: 0,
        claim: null,
      })),
    )
    .execute()
}

/** By key or owner. A process that works on one loses its claim. */
export async function removeTasks(
  db: Db,
  queue: QueueName,
  column: 'key' | 'owner',
  values: readonly string[],
): Promise<void> {
  await db.deleteFrom('tasks').where('queue', '=', queue).where(column, 'in', values).execute()
}

/** That are due before the time. */
export async function postponeTasks(db: Db, queue: QueueName, owner: string, until: Date): Promise<void> {
  await db
    .updateTable('tasks')
    .set({ due_at: until.toISOString() })
    .where('queue', '=', queue)
    .where('owner', '=', owner)
    .where('due_at', '<', until.toISOString())
    .execute()
}

/** Of one owner with the same priority. */
export type Line = Pick<Task, 'owner' | 'priority'>

/** By priority and owner, with the time of each first task. One look-up in the index per line, however many tasks it has. */
export const listLines = prepareQuery(
  (db, queue: QueueName, priority: number, owner: string, limit: number) => {
    const firstAfter = (line: RawBuilder<unknown>) => sql`(select id from tasks where queue = ${queue}
      and due_at is not null and (priority, owner) > ${line} order by priority, owner, due_at limit 1)`
    const [first, next] = isSqlite(db)
      ? // The plus signs keep SQLite from comparing two columns, for which it would use only one column of the index.
        [sql`(${priority}, ${owner})`, sql`(+last.priority, +last.owner)`]
      : [sql`(${priority}::int, ${owner}::text)`, sql`(last.priority, last.owner)`]
    return sql<Line & { due_at: string }>`
      with recursive lines(id, place) as (
        select ${firstAfter(first)}, 1
        union all
        select ${firstAfter(next)}, place + 1
        from lines join tasks as last on last.id = lines.id where place < ${limit}
      )
      select owner, priority, due_at from lines join tasks on tasks.id = lines.id order by place`
  },
)

/** The one that has been due for longest; counts an attempt. Undefined if none is due. With `isOnly`, an owner has at most one claimed task. */
export async function claimTask(
  db: Db,
  { queue, owner, priority, isOnly }: Line & { queue: QueueName; isOnly: boolean },
  now: Date,
  until: Date,
): Promise<Task | undefined> {
  const times = [now.toISOString(), until.toISOString()] as const
  const claim = (on: Db) => claimDue(on, queue, priority, owner, Number(isOnly), ...times, randomUUID())
  if (!isOnly || isSqlite(db)) return claim(db)
  // A statement does not see a claim that another process commits meanwhile.
  return db.transaction().execute(async (trx) => {
    await lockKeys(trx, [`task ${queue} ${owner}`])
    return claim(trx)
  })
}

/** On Postgres, a subquery may run several times and return a different row each time. */
const claimDue = prepareFirst(
  (
    db,
    queue: QueueName,
    priority: number,
    owner: string,
    isOnly: number,
    now: string,
    until: string,
    claim: string,
  ) => sql<Task>`
    with due as materialized (
      select id from tasks
      where queue = ${queue} and priority = ${priority} and owner = ${owner} and due_at <= ${now}
        and (${isOnly} = 0 or not exists (select 1 from tasks as others where others.queue = ${queue}
          and others.owner = ${owner} and others.claim is not null and others.due_at > ${now}))
      order by due_at, id limit 1 ${isSqlite(db) ? sql`` : sql`for update skip locked`}
    )
    update tasks set claim = ${claim}, due_at = ${until}, attempts = attempts + 1
    where id = (select id from due) returning *`,
)

const claimed = (db: Db, { id, claim }: Task) =>
  db.updateTable('tasks').where('id', '=', id).where('claim', '=', claim)

/** Locks the task until the transaction ends. Returns false if the claim was lost. */
export async function extendClaim(db: Db, task: Task, until: Date): Promise<boolean> {
  const { numUpdatedRows } = await claimed(db, task).set({ due_at: until.toISOString() }).executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Given up if `dueAt` is null. With `isRetry`, its attempts continue to count. */
export async function releaseTask(db: Db, task: Task, dueAt: Date | null, isRetry: boolean): Promise<void> {
  const due_at = dueAt?.toISOString() ?? null
  await claimed(db, task)
    .set({ due_at, claim: null, ...(!isRetry && { attempts: 0, first_due_at: due_at! }) })
    .execute()
}

export async function removeTask(db: Db, { id, claim }: Task): Promise<void> {
  await db.deleteFrom('tasks').where('id', '=', id).where('claim', '=', claim).execute()
}

/** None of the processes may be running. */
export async function endClaims(db: Db, now: Date): Promise<void> {
  await db
    .updateTable('tasks')
    .set({ claim: null, due_at: now.toISOString() })
    .where('claim', 'is not', null)
    .execute()
}

/** First due before the time. Returns how many. */
export async function removeGivenUp(db: Db, before: Date): Promise<number> {
  return removeInParts(db, 'tasks', sql`due_at is null and first_due_at < ${before.toISOString()}`)
}

export type QueueMeasures = {
  queue: QueueName
  waiting: number
  givenUp: number
  /** Their last attempt failed. */
  failing: number
  /** When it was first due. */
  oldestAt: string | null
}

export async function measureQueues(db: Db): Promise<QueueMeasures[]> {
  return db
    .selectFrom('tasks')
    .select(({ fn }) => [
      'queue',
      fn.count<number>('due_at').as('waiting'),
      sql<number>`count(*) - count(due_at)`.as('givenUp'),
      sql<number>`count(case when due_at is not null and attempts > (case when claim is null then 0 else 1 end) then 1 end)`.as(
        'failing',
      ),
      sql<string | null>`min(case when due_at is not null then first_due_at end)`.as('oldestAt'),
    ])
    .groupBy('queue')
    .execute()
}
