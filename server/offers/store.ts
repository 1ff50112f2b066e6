import { sql } from 'kysely'
import type { Insertable } from 'kysely'
import { insertMany, isOneOf } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { prepareByIds, prepareFirst } from '#server/db/prepared.ts'
import { removeInParts } from '#server/db/rows.ts'
import type { Tables } from '#server/db/tables.ts'
import type { OffersRow, ServiceRow } from './tables.ts'

export const findChecked = prepareFirst((db, titleId: number) =>
  db.selectFrom('offer_checks').select('checked_at').where('media_id', '=', titleId),
)

export const findOffers = prepareFirst((db, titleId: number, country: string) =>
  db.selectFrom('offers').selectAll().where('media_id', '=', titleId).where('country', '=', country),
)

export const listServices = prepareByIds((db, ids) =>
  db
    .selectFrom('streaming_services')
    .selectAll()
    .where(isOneOf(db, 'streaming_services.id', ids)),
)

/** Of these, those that are not stored so. */
async function listChanged(db: Db, services: readonly ServiceRow[]): Promise<ServiceRow[]> {
  const stored = await listServices(
    db,
    services.map(({ id }) => id),
  )
  const known = new Map(stored.map((one) => [one.id, one]))
  return services.filter(
    ({ id, name, image }) => known.get(id)?.name !== name || known.get(id)?.image !== image,
  )
}

/** In the order of their ids, so that two transactions do not deadlock. */
export async function saveServices(trx: Db, services: readonly ServiceRow[]): Promise<void> {
  const changed = await listChanged(trx, services)
  for (const service of changed.sort((a, b) => a.id - b.id))
    await trx
      .insertInto('streaming_services')
      .values(service)
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet({ name: service.name, image: service.image }),
      )
      .execute()
}

type NewOffers = Omit<OffersRow, 'media_id'>

/** Whether exactly these offers and services of a title that was asked for before are stored. */
export async function areStored(
  db: Db,
  titleId: number,
  rows: readonly NewOffers[],
  services: readonly ServiceRow[],
): Promise<boolean> {
  if (!(await findChecked(db, titleId)) || (await listChanged(db, services)).length > 0) return false
  const stored = await db.selectFrom('offers').selectAll().where('media_id', '=', titleId).execute()
  const textsOf = (list: readonly NewOffers[]) =>
    list.map((row) => JSON.stringify([row.country, row.link, row.services])).sort()
  return textsOf(stored).join() === textsOf(rows).join()
}

/** One write for many titles whose offers are as they were: each write ends what is cached for visitors. */
export async function markChecked(db: Db, ids: readonly number[], checked_at: string): Promise<void> {
  await db
    .updateTable('offer_checks')
    .set({ checked_at })
    .where(isOneOf(db, 'media_id', ids))
    .execute()
}

/** Replaces the offers of all countries. */
export async function saveOffers(
  trx: Db,
  media_id: number,
  rows: readonly NewOffers[],
  checked_at: string,
): Promise<void> {
  await trx.deleteFrom('offers').where('media_id', '=', media_id).execute()
  await insertMany(
    trx,
    'offers',
    rows.map((row) => ({ media_id, ...row })),
  )
  await trx
    .insertInto('offer_checks')
    .values({ media_id, checked_at })
    .onConflict((conflict) => conflict.column('media_id').doUpdateSet({ checked_at }))
    .execute()
}

export async function removeOffers(trx: Db, titleId: number): Promise<void> {
  for (const table of ['offers', 'offer_checks'] as const)
    await removeInParts(trx, table, sql`media_id = ${titleId}`)
}

/** At most `limit` titles that were last checked before this time, the oldest first. */
export async function listCheckedBefore(db: Db, before: string, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('offer_checks')
    .select('media_id')
    .where('checked_at', '<', before)
    .orderBy('checked_at')
    .limit(limit)
    .execute()
  return rows.map(({ media_id }) => media_id)
}

export const findCountryServices = prepareFirst((db, country: string) =>
  db.selectFrom('country_services').selectAll().where('country', '=', country),
)

export async function saveCountryServices(
  trx: Db,
  row: Insertable<Tables['country_services']>,
): Promise<void> {
  const { services, checked_at } = row
  await trx
    .insertInto('country_services')
    .values(row)
    .onConflict((conflict) => conflict.column('country').doUpdateSet({ services, checked_at }))
    .execute()
}

export async function removeCountryServices(db: Db, before: string): Promise<void> {
  await db.deleteFrom('country_services').where('checked_at', '<', before).execute()
}

export const findSettings = prepareFirst((db, userId: number) =>
  db.selectFrom('users').select(['country', 'subscriptions']).where('id', '=', userId),
)

export async function updateSettings(
  db: Db,
  userId: number,
  changes: { country?: string | null; subscriptions?: string },
): Promise<void> {
  await db.updateTable('users').set(changes).where('id', '=', userId).execute()
}

/**
 * By id, of a slice of all titles: those that the source can know, that are on the want list of a member and were last checked before
 * `before`.
 */
export async function listDue(
  db: Db,
  { after, upTo, before }: { after: number; upTo: number; before: string },
): Promise<number[]> {
  const one = sql`1`.as('one')
  const rows = await db
    .selectFrom('media')
    .select('media.id')
    .where('media.id', '>', after)
    .where('media.id', '<=', upTo)
    .where('kind', 'in', ['movie', 'tvShow'])
    .where('removed_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('offer_checks')
            .select(one)
            .whereRef('offer_checks.media_id', '=', 'media.id')
            .where('checked_at', '>=', before),
        ),
      ),
    )
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('external_ids')
          .select(one)
          .whereRef('external_ids.media_id', '=', 'media.id')
          .where('source', 'in', ['tmdb-movie', 'tmdb-tv']),
      ),
    )
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('diary_entries')
          .select(one)
          .whereRef('diary_entries.media_id', '=', 'media.id')
          .where('status', '=', 'want'),
      ),
    )
    .orderBy('media.id')
    .execute()
  return rows.map(({ id }) => id)
}
