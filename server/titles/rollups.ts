import { type RawBuilder, sql } from 'kysely'
import type { Rollup } from '#server/db/counters.ts'
import { isSqlite } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'

export const rollups: readonly Rollup[] = [
  {
    table: 'title_counts',
    columns: ['kind', 'shard', 'count'],
    owner: 'kind',
    rows: () => sql`select kind, id % 16 as shard, count(*) as count from media group by kind, id % 16`,
  },
  {
    table: 'title_facets',
    columns: ['media_id', 'genre', 'kind', 'decade'],
    owner: 'media_id',
    rows: (db) => facetsOfTitles(db),
  },
  {
    table: 'facet_counts',
    columns: ['genre', 'kind', 'decade', 'shard', 'count'],
    owner: 'genre',
    rows: (db) => sql`select genre, kind, decade, media_id % 16 as shard, count(*) as count
      from (${facetsOfTitles(db)}) as facets group by genre, kind, decade, media_id % 16`,
  },
]

function facetsOfTitles(db: Db): RawBuilder<unknown> {
  const decade = sql`coalesce(release_year, 0) / 10 * 10 as decade`
  const genres = isSqlite(db)
    ? sql`select media.id, value, kind, ${decade} from media, json_each(details, '$.genres')`
    : sql`select id, jsonb_array_elements_text(details::jsonb -> 'genres'), kind, ${decade} from media`
  return sql`select id as media_id, '' as genre, kind, ${decade} from media union ${genres}`
}
