import { sql } from 'kysely'
import type { Rollup } from '#server/db/counters.ts'
import { isSqlite } from '#server/db/dialect.ts'
import type { Feature } from '#server/feature.ts'

const nameParts: Rollup = {
  table: 'name_parts',
  columns: ['part', 'user_id'],
  owner: 'user_id',
  rows(db) {
    // The same as in the triggers: from the second to the 60th character on, 32 characters each.
    const places = isSqlite(db)
      ? sql`json_each(${JSON.stringify(Array.from({ length: 59 }, (_, at) => at + 2))})`
      : sql`generate_series(2, 60) as places(value)`
    return sql`select distinct substr(search_text, value, 32) as part, users.id as user_id
      from users cross join ${places} where value <= length(search_text)`
  },
}

export const accounts: Feature = {
  deletion: [{ table: 'credentials' }, { table: 'sign_in_steps' }, { table: 'idempotency_keys' }],
  rollups: [nameParts],
}
