import { TRPCError } from '@trpc/server'
import type { Db } from '#server/db/open.ts'
import { listExternalIds } from '#server/titles/external-ids-store.ts'
import { openRounds } from '#server/titles/refresh.ts'
import type { CountryOffers, OfferSource, Sources } from '#server/titles/sources/source.ts'
import { lockTitle } from '#server/titles/store.ts'
import type { Priority } from '#server/titles/sources/fetcher.ts'
import * as store from './store.ts'
import type { ServicesByType } from './tables.ts'

const dayMs = 24 * 3_600_000
/** Then the source is asked again. */
const freshForMs = dayMs
/** A caller does not wait for the source if what is stored is not older. */
const shownForMs = 7 * dayMs
/** TMDB’s terms allow six months. */
const keptForMs = 30 * dayMs
const waitMaxMs = 3_000
const titlesPerRun = 50
const removedPerBatch = 100

type Reader = { db: Db; source: OfferSource; now: Date }

/** Of this process: one call of the source at a time about the same title or country. */
const running = new WeakMap<OfferSource, Map<string, Promise<boolean>>>()

function shared(source: OfferSource, key: string, work: () => Promise<boolean>): Promise<boolean> {
  let ofSource = running.get(source)
  if (!ofSource) running.set(source, (ofSource = new Map()))
  const known = ofSource.get(key)
  if (known) return known
  // A source that fails is logged by its calls; what is stored stays.
  const promise = work()
    .catch(() => false)
    .finally(() => ofSource.delete(key))
  ofSource.set(key, promise)
  return promise
}

/** False if the work has failed or takes longer than `waitMaxMs`; then it goes on. */
async function inTime(work: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const passed = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), waitMaxMs)
    timer.unref()
  })
  return Promise.race([work, passed]).finally(() => clearTimeout(timer))
}

type Kept = {
  /** Of the work that callers share. */
  key: string
  readCheckedAt: () => Promise<string | undefined>
  refresh: () => Promise<boolean>
}

/** Starts `refresh` if what is stored is a day old, and waits if it is older than a week. Returns whether anything is stored. */
async function keepFresh({ source, now }: Reader, { key, readCheckedAt, refresh }: Kept): Promise<boolean> {
  const checkedAt = await readCheckedAt()
  const ageMs = checkedAt === undefined ? Infinity : now.getTime() - Date.parse(checkedAt)
  if (ageMs < freshForMs) return true
  // Another caller's refresh may have ended since `checkedAt` was read.
  const refreshed = shared(source, key, async () => (await readCheckedAt()) !== checkedAt || refresh())
  if (ageMs < shownForMs) return true
  return (await inTime(refreshed)) || ageMs < keptForMs
}

/** Returns whether the offers of a title are stored, after the source was asked if need be. `db` is written to. */
export async function areOffersKnown(reader: Reader, titleId: number): Promise<boolean> {
  return keepFresh(reader, {
    key: `title ${titleId}`,
    readCheckedAt: async () => (await store.findChecked(reader.db, titleId))?.checked_at,
    refresh: () => refreshOffers(reader, titleId, 'sync'),
  })
}

/** The same for the services of a country. */
export async function areServicesKnown(reader: Reader, country: string): Promise<boolean> {
  const { db, source, now } = reader
  return keepFresh(reader, {
    key: `country ${country}`,
    readCheckedAt: async () => (await store.findCountryServices(db, country))?.checked_at,
    async refresh() {
      const services = await source.listServices(country)
      await db.transaction().execute(async (trx) => {
        await store.saveServices(trx, services)
        const ids = JSON.stringify(services.map(({ id }) => id))
        await store.saveCountryServices(trx, { country, services: ids, checked_at: now.toISOString() })
      })
      return true
    },
  })
}

/**
 * Returns false if the title has no id of the source. Throws as the source does. With `unchanged`, a title whose offers are as they were is
 * added to it, and not written.
 */
async function refreshOffers(
  { db, source, now }: Reader,
  titleId: number,
  priority: Priority,
  unchanged?: Set<number>,
): Promise<boolean> {
  const found = await source.findOffers(await listExternalIds(db, titleId), priority)
  if (!found) return false
  const [rows, services] = [found.map(toRow), distinctServices(found)]
  if (unchanged && (await store.areStored(db, titleId, rows, services))) {
    unchanged.add(titleId)
    return true
  }
  return db.transaction().execute(async (trx) => {
    // Not of a title that was removed meanwhile.
    if (!(await lockTitle(trx, titleId))) return false
    await store.saveServices(trx, services)
    await store.saveOffers(trx, titleId, rows, now.toISOString())
    return true
  })
}

function distinctServices(found: readonly CountryOffers[]) {
  const services = found.flatMap(({ offers }) => offers.map(({ service }) => service))
  return [...new Map(services.map((service) => [service.id, service])).values()]
}

function toRow({ country, link, offers }: CountryOffers) {
  const byType: ServicesByType = {}
  for (const { type, service } of offers) (byType[type] ??= []).push(service.id)
  return { country, link, services: JSON.stringify(byType) }
}

/** The titles of want lists, each once a day, at most 7,200 a day. A run ends if the source is down. */
export function openOfferRefresh(db: Db, { offers: source }: Pick<Sources, 'offers'>) {
  const run = openRounds(db, { everyMs: freshForMs, perRun: titlesPerRun, listDue: store.listDue })
  return async (now: Date, signal: AbortSignal): Promise<{ titles: number }> => {
    if (!source) return { titles: 0 }
    const unchanged = new Set<number>()
    const titles = await run(now, signal, async (id) => {
      try {
        await refreshOffers({ db, source, now }, id, 'import', unchanged)
        return true
      } catch (error) {
        return error instanceof TRPCError && error.code === 'BAD_GATEWAY'
      }
    })
    if (unchanged.size > 0) await store.markChecked(db, [...unchanged], now.toISOString())
    return { titles }
  }
}

/** Offers that are not refreshed any more, and all of them without a source: its terms require it. */
export async function removeOldOffers(
  db: Db,
  { offers: source }: Pick<Sources, 'offers'>,
  now: Date,
  signal: AbortSignal,
): Promise<{ titles: number }> {
  const before = new Date(now.getTime() - (source ? keptForMs : 0)).toISOString()
  let titles = 0
  while (!signal.aborted) {
    const ids = await store.listCheckedBefore(db, before, removedPerBatch)
    for (const id of ids) await db.transaction().execute((trx) => store.removeOffers(trx, id))
    titles += ids.length
    if (ids.length < removedPerBatch) break
  }
  await store.removeCountryServices(db, before)
  return { titles }
}
