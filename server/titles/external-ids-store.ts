import { type Insertable, sql } from 'kysely'
import { allKinds, type IdSource, type Kind } from '#shared/domain/kinds.ts'
import { isOneOf, isSqlite, lockKeys } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { insertNew } from '#server/db/rows.ts'
import type { Tables } from '#server/db/tables.ts'
import { knownColumns, type KnownTitle } from './tables.ts'

type ExternalId = { source: IdSource; external_id: string }

/** Skips ids that already belong to a title. */
export async function insertExternalIds(db: Db, ids: Insertable<Tables['external_ids']>[]): Promise<void> {
  if (ids.length > 0) await insertNew(db, 'external_ids', ids)
}

export async function listByExternalIds(
  db: Db,
  source: IdSource,
  ids: readonly string[],
): Promise<{ external_id: string; media_id: number }[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('external_ids')
    .select(['external_id', 'media_id'])
    .where('source', '=', source)
    .where('external_id', 'in', ids)
    .execute()
}

export async function listByAnyId(
  db: Db,
  ids: readonly { source: string; external_id: string }[],
): Promise<Tables['external_ids'][]> {
  if (ids.length === 0) return []
  const json = JSON.stringify(ids, ['source', 'external_id'])
  const wanted = isSqlite(db)
    ? sql`select value ->> 'source' as source, value ->> 'external_id' as id from json_each(${json})`
    : sql`select source, external_id as id from json_to_recordset(${json}::json) as ids(source text, external_id text)`
  const { rows } = await sql<Tables['external_ids']>`select owners.* from (${wanted}) as wanted
    join external_ids as owners on owners.source = wanted.source and owners.external_id = wanted.id`.execute(
    db,
  )
  return rows
}

export async function listExternalIds(db: Db, titleId: number): Promise<ExternalId[]> {
  return db
    .selectFrom('external_ids')
    .select(['source', 'external_id'])
    .where('media_id', '=', titleId)
    .execute()
}

const searchedSources = allKinds
  .flatMap(({ idSources }) => idSources)
  .filter((source) => source !== 'starter')

export async function listLocalIds(db: Db, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('external_ids')
    .select('media_id')
    .where(isOneOf(db, 'media_id', ids))
    .where('source', 'in', searchedSources)
    .execute()
  const sourced = new Set(rows.map((row) => row.media_id))
  return ids.filter((id) => !sourced.has(id))
}

/** Members of IMDb and TVDB enter them: a movie and a show can have the same one by mistake. */
const sharedSources: readonly IdSource[] = ['imdb', 'tvdb']

/**
 * The oldest if several do. Locks the ids until the transaction ends. IMDb and TVDB ids only identify a title of the same kind from another
 * source.
 */
export async function lockByExternalIds(
  trx: Db,
  { ids, kind, source: found }: { ids: readonly ExternalId[]; kind: Kind; source: string },
): Promise<KnownTitle | undefined> {
  await lockKeys(
    trx,
    ids.map(({ source, external_id }) => `${source}:${external_id}`),
  )
  return trx
    .selectFrom('external_ids')
    .innerJoin('media', 'media.id', 'external_ids.media_id')
    .select(knownColumns)
    .where((eb) =>
      eb.or(
        ids.map(({ source, external_id }) =>
          eb.and([
            eb.and({ 'external_ids.source': source, 'external_ids.external_id': external_id }),
            ...(sharedSources.includes(source)
              ? [eb('media.kind', '=', kind), eb('media.source', 'not in', ['starter', 'import', found])]
              : []),
          ]),
        ),
      ),
    )
    .orderBy('media.id')
    .executeTakeFirst()
}
