import { type Kysely, sql } from 'kysely'
import { bytewise, idType, isSqlite, tableEnd } from '#server/db/dialect.ts'

/** Roll-ups that keep popular titles, the member search and the pages of a kind independent of the number of rows. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  await addRatingCounts(db)
  await addNameParts(db)
  await addTitleCounts(db)
}

/** Ratings of each title per span of 1, 8 and 64 days. `start` is in days since 1970 and a multiple of `days`. */
// oxlint-disable-next-line no-explicit-any -- see above
async function addRatingCounts(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('rating_counts')
    .addColumn('media_id', idType(db) as never, (c) => c.notNull().references('media.id').onDelete('cascade'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('days', 'integer', (c) => c.notNull())
    .addColumn('start', 'integer', (c) => c.notNull())
    .addColumn('count', 'integer', (c) => c.notNull())
    .addColumn('sum', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('rating_counts_key', ['media_id', 'days', 'start'])
    .modifyEnd(tableEnd(db))
    .execute()

  const day = isSqlite(db)
    ? sql`cast(julianday(substr(rated_at, 1, 10)) - 2440587.5 as integer)`
    : sql`(substr(rated_at, 1, 10)::date - date '1970-01-01')`
  const batch = 1_000
  const { rows } = await sql<{ last: number }>`select coalesce(max(id), 0) as last from media`.execute(db)
  for (let after = 0; after < rows[0]!.last; after += batch)
    await sql`insert into rating_counts (media_id, kind, days, start, count, sum)
      select media_id, kind, days, day / days * days, count(*), sum(rating)
      from (select media_id, kind, rating, ${day} as day from reviews
        where media_id > ${after} and media_id <= ${after + batch}) as ratings
      cross join (select 1 as days union all select 8 union all select 64) as spans
      group by media_id, kind, days, day / days * days`.execute(db)

  // The most rated titles of each span; for the part of a day, the ratings of one title.
  await db.schema
    .createIndex('rating_counts_top')
    .on('rating_counts')
    .columns(['kind', 'days', 'start', 'count', 'media_id'])
    .execute()
  await db.schema
    .createIndex('reviews_rated_at')
    .on('reviews')
    .columns(['media_id', 'rated_at', 'rating'])
    .execute()
  await db.schema.dropIndex('reviews_popular').execute()
}

/** Every suffix of each folded username except the username itself, cut to 32 characters: a search inside names is a range. */
// oxlint-disable-next-line no-explicit-any -- see above
async function addNameParts(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('name_parts')
    .addColumn('part', bytewise(db) as never, (c) => c.notNull())
    // Not a foreign key, which would need a second index: the trigger deletes the parts with the member.
    .addColumn('user_id', idType(db) as never, (c) => c.notNull())
    .addPrimaryKeyConstraint('name_parts_key', ['part', 'user_id'])
    .modifyEnd(isSqlite(db) ? sql`strict, without rowid` : sql``)
    .execute()
  if (isSqlite(db)) {
    // Positions 2 to 60. A trigger cannot contain a recursive query.
    const places = sql.lit(JSON.stringify(Array.from({ length: 59 }, (_, at) => at + 2)))
    const add = sql`insert or ignore into name_parts (part, user_id)
      select substr(new.search_text, value, 32), new.id from json_each(${places})
      where value <= length(new.search_text);`
    const remove = sql`delete from name_parts where user_id = old.id and part in (
      select substr(old.search_text, value, 32) from json_each(${places})
      where value <= length(old.search_text));`
    await sql`create trigger name_parts_insert after insert on users begin ${add} end`.execute(db)
    await sql`create trigger name_parts_delete after delete on users begin ${remove} end`.execute(db)
    await sql`create trigger name_parts_update after update of search_text on users
      when old.search_text <> new.search_text begin ${remove} ${add} end`.execute(db)
  } else {
    await sql`create function name_parts_of(name text) returns setof text language sql immutable as $$
      select distinct substr(name, place, 32) from generate_series(2, least(length(name), 60)) as place $$`.execute(
      db,
    )
    await sql`create function update_name_parts() returns trigger language plpgsql as $$ begin
      if tg_op <> 'INSERT' then
        delete from name_parts where user_id = old.id and part in (select name_parts_of(old.search_text));
      end if;
      if tg_op <> 'DELETE' then
        insert into name_parts (part, user_id) select name_parts_of(new.search_text), new.id on conflict do nothing;
      end if;
      return null; end $$`.execute(db)
    await sql`create trigger name_parts_changed after insert or delete on users
      for each row execute function update_name_parts()`.execute(db)
    await sql`create trigger name_parts_updated after update of search_text on users
      for each row when (old.search_text <> new.search_text) execute function update_name_parts()`.execute(db)
  }
  const batch = 5_000
  const { rows } = await sql<{ last: number }>`select coalesce(max(id), 0) as last from users`.execute(db)
  for (let after = 0; after < rows[0]!.last; after += batch) {
    const range = sql`users.id > ${after} and users.id <= ${after + batch}`
    await (
      isSqlite(db)
        ? sql`insert or ignore into name_parts (part, user_id) select substr(search_text, value, 32), users.id
          from users cross join json_each(${JSON.stringify(Array.from({ length: 59 }, (_, at) => at + 2))})
          where ${range} and value <= length(search_text)`
        : sql`insert into name_parts (part, user_id)
          select name_parts_of(search_text), id from users where ${range}`
    ).execute(db)
  }
}

/** The number of titles of each kind, in sixteen rows each, so that concurrent inserts seldom wait for the same row. */
// oxlint-disable-next-line no-explicit-any -- see above
async function addTitleCounts(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('title_counts')
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('shard', 'integer', (c) => c.notNull())
    .addColumn('count', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('title_counts_key', ['kind', 'shard'])
    .modifyEnd(tableEnd(db))
    .execute()
  await sql`insert into title_counts (kind, shard, count)
    select kind, id % 16, count(*) from media group by kind, id % 16`.execute(db)
  const add = sql`insert into title_counts (kind, shard, count) values (new.kind, new.id % 16, 1)
    on conflict (kind, shard) do update set count = title_counts.count + 1;`
  const remove = sql`update title_counts set count = count - 1 where kind = old.kind and shard = old.id % 16;`
  if (isSqlite(db)) {
    await sql`create trigger title_counts_insert after insert on media begin ${add} end`.execute(db)
    await sql`create trigger title_counts_delete after delete on media begin ${remove} end`.execute(db)
  } else {
    await sql`create function update_title_counts() returns trigger language plpgsql as $$ begin
      if tg_op = 'INSERT' then ${add} else ${remove} end if;
      return null; end $$`.execute(db)
    await sql`create trigger title_counts_changed after insert or delete on media
      for each row execute function update_title_counts()`.execute(db)
  }
}
