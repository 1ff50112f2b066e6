import { type Kysely, sql } from 'kysely'
import { bytewise, idType, isSqlite, tableEnd } from '#server/db/dialect.ts'

/** The genres and decades of titles, and the indexes of a member's library and of the sorts of the catalogue. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  await addFacets(db)
  // The ratings of a member by time, with what a library is filtered by.
  await db.schema
    .createIndex('reviews_library')
    .on('reviews')
    .columns(['user_id', 'created_at', 'id', 'kind', 'rating', 'media_id'])
    .execute()
  await sql`create index media_released on media (coalesce(release_date, ''), id)`.execute(db)
  await sql`create index media_scores on media
    ((case when rating_count = 0 then 0 else (rating_sum + 17.5) / (rating_count + 5) end), id)`.execute(db)
}

/**
 * `title_facets` has a row per title and genre, and one with a blank genre per title; the decade is 0 if the year is unknown.
 * `facet_counts` counts these rows, in sixteen rows each, so that concurrent inserts seldom wait for the same row.
 */
// oxlint-disable-next-line no-explicit-any -- see above
async function addFacets(db: Kysely<any>): Promise<void> {
  const end = isSqlite(db) ? sql`strict, without rowid` : sql``
  await db.schema
    .createTable('title_facets')
    .addColumn('media_id', idType(db) as never, (c) => c.notNull().references('media.id').onDelete('cascade'))
    .addColumn('genre', bytewise(db) as never, (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('decade', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('title_facets_key', ['media_id', 'genre'])
    .modifyEnd(end)
    .execute()
  await db.schema
    .createIndex('title_facets_list')
    .on('title_facets')
    .columns(['genre', 'kind', 'decade', 'media_id'])
    .execute()
  await db.schema
    .createTable('facet_counts')
    .addColumn('genre', bytewise(db) as never, (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('decade', 'integer', (c) => c.notNull())
    .addColumn('shard', 'integer', (c) => c.notNull())
    .addColumn('count', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('facet_counts_key', ['genre', 'kind', 'decade', 'shard'])
    .modifyEnd(tableEnd(db))
    .execute()

  const genresOf = (details: string) =>
    isSqlite(db)
      ? sql`select value as genre from json_each(${sql.ref(details)}, '$.genres')`
      : sql`select jsonb_array_elements_text(${sql.ref(details)}::jsonb -> 'genres') as genre`
  const batch = 1_000
  const { rows } = await sql<{ last: number }>`select coalesce(max(id), 0) as last from media`.execute(db)
  for (let after = 0; after < rows[0]!.last; after += batch) {
    const ofBatch = sql`from media where id > ${after} and id <= ${after + batch}`
    const decade = sql`coalesce(release_year, 0) / 10 * 10`
    await sql`insert into title_facets (media_id, genre, kind, decade)
      select id, '', kind, ${decade} ${ofBatch}`.execute(db)
    await (
      isSqlite(db)
        ? sql`insert or ignore into title_facets (media_id, genre, kind, decade)
          select media.id, value, kind, ${decade} from media, json_each(details, '$.genres')
          where media.id > ${after} and media.id <= ${after + batch}`
        : sql`insert into title_facets (media_id, genre, kind, decade)
          select id, jsonb_array_elements_text(details::jsonb -> 'genres'), kind, ${decade} ${ofBatch}
          on conflict do nothing`
    ).execute(db)
  }
  await sql`insert into facet_counts (genre, kind, decade, shard, count)
    select genre, kind, decade, media_id % 16, count(*) from title_facets
    group by genre, kind, decade, media_id % 16`.execute(db)

  const count = sql`insert into facet_counts (genre, kind, decade, shard, count)
    values (new.genre, new.kind, new.decade, new.media_id % 16, 1)
    on conflict (genre, kind, decade, shard) do update set count = facet_counts.count + 1;`
  const uncount = sql`update facet_counts set count = count - 1 where genre = old.genre
    and kind = old.kind and decade = old.decade and shard = old.media_id % 16;`
  // In the order of genres, so that transactions that insert titles lock the rows of facet_counts in one order.
  const add = sql`insert into title_facets (media_id, genre, kind, decade)
    select new.id, genre, new.kind, coalesce(new.release_year, 0) / 10 * 10
    from (select '' as genre union ${genresOf('new.details')}) as genres order by genre;`
  const remove = sql`delete from title_facets where media_id = old.id;`
  if (isSqlite(db)) {
    await sql`create trigger facet_counts_insert after insert on title_facets begin ${count} end`.execute(db)
    await sql`create trigger facet_counts_delete after delete on title_facets begin ${uncount} end`.execute(
      db,
    )
    await sql`create trigger title_facets_insert after insert on media begin ${add} end`.execute(db)
    await sql`create trigger title_facets_update after update of details, release_year, kind on media
      when old.details <> new.details or old.release_year is not new.release_year or old.kind <> new.kind
      begin ${remove} ${add} end`.execute(db)
  } else {
    await sql`create function update_facet_counts() returns trigger language plpgsql as $$ begin
      if tg_op = 'INSERT' then ${count} else ${uncount} end if;
      return null; end $$`.execute(db)
    await sql`create trigger facet_counts_changed after insert or delete on title_facets
      for each row execute function update_facet_counts()`.execute(db)
    await sql`create function update_title_facets() returns trigger language plpgsql as $$ begin
      if tg_op = 'UPDATE' then ${remove} end if;
      ${add}
      return null; end $$`.execute(db)
    await sql`create trigger title_facets_inserted after insert on media
      for each row execute function update_title_facets()`.execute(db)
    await sql`create trigger title_facets_updated after update of details, release_year, kind on media
      for each row when (old.details <> new.details or old.release_year is distinct from new.release_year
        or old.kind <> new.kind) execute function update_title_facets()`.execute(db)
  }
}
