import { insertMany } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import type { OfferSource } from '#server/titles/sources/source.ts'

export const country = 'DE'
/** Which is not asked: what it said is stored. */
export const offersSource: OfferSource = { findOffers: async () => [], listServices: async () => [] }

/** Of each movie and show, and of the services of each member. */
export async function generateOffers(db: Db, { now }: { now: Date }): Promise<void> {
  const checked_at = now.toISOString()
  const services = Array.from({ length: 60 }, (_, at) => ({ id: at + 1, name: `Service ${at}`, image: null }))
  const titles = await db.selectFrom('media').select('id').where('kind', 'in', ['movie', 'tvShow']).execute()
  const some = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => 1 + ((from + 7 * at) % 60))
  await db.transaction().execute(async (trx) => {
    await insertMany(trx, 'streaming_services', services)
    const ids = JSON.stringify(services.map(({ id }) => id))
    await insertMany(trx, 'country_services', [{ country, services: ids, checked_at }])
    for (let from = 0; from < titles.length; from += 1_000) {
      const part = titles.slice(from, from + 1_000)
      await insertMany(
        trx,
        'offer_checks',
        part.map(({ id }) => ({ media_id: id, checked_at })),
      )
      await insertMany(
        trx,
        'offers',
        part.map(({ id }) => ({
          media_id: id,
          country,
          link: null,
          services: JSON.stringify({ stream: some(id, 1 + (id % 6)), rent: some(id, 5), buy: some(id, 8) }),
        })),
      )
    }
    await trx.updateTable('users').set({ country, subscriptions: '[1,2,3]' }).execute()
  })
}
