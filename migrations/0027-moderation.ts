import { type Kysely, sql } from 'kysely'
import { idColumn, idType, tableEnd } from '#server/db/dialect.ts'

/** Reports, the cases that gather them, decisions with their appeals, and what decisions hide until they are undone or final. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  const id = idType(db) as never
  const end = tableEnd(db)
  await db.schema
    .alterTable('users')
    .addColumn('standing', 'text', (c) => c.notNull().defaultTo('active'))
    .execute()
  await db.schema
    .createIndex('users_standing')
    .on('users')
    .columns(['standing', 'id'])
    .where(sql.ref('standing'), '<>', sql.lit('active'))
    .execute()
  for (const table of ['reviews', 'comments']) {
    await db.schema.alterTable(table).addColumn('removed_text', 'text').execute()
    await db.schema.alterTable(table).addColumn('own_has_spoilers', 'integer').execute()
  }
  await db.schema.alterTable('media').addColumn('removed_at', 'text').execute()
  await db.schema.dropIndex('comments_review').execute()
  await db.schema.createIndex('comments_review').on('comments').column('review_id').execute()
  await db.schema
    .createIndex('comments_listed')
    .on('comments')
    .columns(['review_id', 'created_at', 'id'])
    .where(sql.ref('removed_text'), 'is', null)
    .execute()
  await db.schema
    .createTable('removed_reviews')
    .addColumn('review_id', id, (c) => c.primaryKey().notNull())
    .addColumn('user_id', id, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('media_id', id, (c) => c.notNull().references('media.id').onDelete('cascade'))
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('row', 'text', (c) => c.notNull())
    .addUniqueConstraint('removed_reviews_mine', ['user_id', 'media_id'])
    .modifyEnd(end)
    .execute()
  await db.schema.createIndex('removed_reviews_media').on('removed_reviews').column('media_id').execute()
  await db.schema
    .createTable('removed_rows')
    .addColumn('id', idColumn(db))
    .addColumn('review_id', id, (c) =>
      c.notNull().references('removed_reviews.review_id').onDelete('cascade'),
    )
    .addColumn('user_id', id, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('table_name', 'text', (c) => c.notNull())
    .addColumn('row', 'text', (c) => c.notNull())
    .modifyEnd(end)
    .execute()
  await db.schema.createIndex('removed_rows_review').on('removed_rows').columns(['review_id', 'id']).execute()
  await db.schema.createIndex('removed_rows_user').on('removed_rows').column('user_id').execute()
  await addCases(db)
}

// oxlint-disable-next-line no-explicit-any -- see above
async function addCases(db: Kysely<any>): Promise<void> {
  const id = idType(db) as never
  const end = tableEnd(db)
  await db.schema
    .createTable('cases')
    .addColumn('id', idColumn(db))
    .addColumn('target_type', 'text', (c) => c.notNull())
    // Not a foreign key: a case outlives its target.
    .addColumn('target_id', id, (c) => c.notNull())
    .addColumn('user_id', id, (c) => c.references('users.id').onDelete('set null'))
    .addColumn('snapshot', 'text', (c) => c.notNull())
    .addColumn('is_open', 'integer', (c) => c.notNull().defaultTo(1))
    .addColumn('assignee_id', id, (c) => c.references('users.id').onDelete('set null'))
    .addColumn('report_count', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('opened_at', 'text', (c) => c.notNull())
    .addColumn('closed_at', 'text')
    .modifyEnd(end)
    .execute()
  await db.schema
    .createIndex('cases_open')
    .unique()
    .on('cases')
    .columns(['target_type', 'target_id'])
    .where(sql.ref('is_open'), '=', sql.lit(1))
    .execute()
  await db.schema.createIndex('cases_state').on('cases').columns(['is_open', 'id']).execute()
  await db.schema.createIndex('cases_user').on('cases').column('user_id').execute()
  await db.schema.createIndex('cases_assignee').on('cases').column('assignee_id').execute()

  await db.schema
    .createTable('reports')
    .addColumn('id', idColumn(db))
    .addColumn('case_id', id, (c) => c.notNull().references('cases.id').onDelete('cascade'))
    .addColumn('user_id', id, (c) => c.references('users.id').onDelete('set null'))
    .addColumn('category', 'text', (c) => c.notNull())
    .addColumn('rules', 'text', (c) => c.notNull())
    .addColumn('comment', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('outcome', 'text')
    .addColumn('closed_at', 'text')
    .addUniqueConstraint('reports_mine', ['case_id', 'user_id'])
    .modifyEnd(end)
    .execute()
  await db.schema.createIndex('reports_user').on('reports').columns(['user_id', 'id']).execute()

  await db.schema
    .createTable('decisions')
    .addColumn('id', idColumn(db))
    .addColumn('case_id', id, (c) => c.notNull().references('cases.id').onDelete('cascade'))
    .addColumn('target_type', 'text', (c) => c.notNull())
    .addColumn('target_id', id, (c) => c.notNull())
    .addColumn('user_id', id, (c) => c.references('users.id').onDelete('set null'))
    .addColumn('moderator_id', id, (c) => c.references('users.id').onDelete('set null'))
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('rules', 'text', (c) => c.notNull())
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('until', 'text')
    .addColumn('since', 'text')
    .addColumn('keeps_rating', 'integer', (c) => c.notNull().defaultTo(1))
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('ended_at', 'text')
    .addColumn('end_reason', 'text')
    .addColumn('final_at', 'text')
    .addColumn('confirmed_at', 'text')
    .addColumn('appeal', 'text')
    .addColumn('appealed_at', 'text')
    .addColumn('answer', 'text')
    .addColumn('answered_at', 'text')
    .addColumn('accepts', 'integer')
    .modifyEnd(end)
    .execute()
  await db.schema.createIndex('decisions_case').on('decisions').columns(['case_id', 'id']).execute()
  await db.schema.createIndex('decisions_user').on('decisions').columns(['user_id', 'id']).execute()
  await db.schema
    .createIndex('decisions_target')
    .on('decisions')
    .columns(['target_type', 'target_id', 'id'])
    .execute()
  await db.schema.createIndex('decisions_moderator').on('decisions').column('moderator_id').execute()
  await db.schema
    .createIndex('decisions_appealed')
    .on('decisions')
    .column('case_id')
    .where(sql<boolean>`appealed_at is not null and answered_at is null`)
    .execute()
}
