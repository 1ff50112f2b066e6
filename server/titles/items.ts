import type { z } from 'zod'
import type * as schema from '#shared/contracts/titles.ts'
import { kindOfCategory } from '#shared/domain/kinds.ts'
import type { Db } from '#server/db/open.ts'
import { keepResult } from '#server/db/version.ts'
import { toItem } from './rules.ts'
import {
  countFacets,
  countItems,
  countRated,
  listByFacets,
  listItemIds,
  listItemsByIds,
  listNetworkTitles,
} from './browse-store.ts'

type Query = z.output<typeof schema.listItems.input>

/** For visitors: ignores `unrated` and `network`. */
export const listItems = keepResult(
  ({ category, sort, genre, decade, page, limit }: Query) =>
    JSON.stringify([category, sort, genre, decade, page, limit]),
  (db, query) => readPage(db, query),
)

/** `unrated` leaves out what the member has rated; `network` is what people they follow rated. */
export async function listItemsFor(db: Db, query: Query, memberId: number) {
  return query.network ? readNetworkPage(db, query, memberId) : readPage(db, query, memberId)
}

async function readNetworkPage(db: Db, query: Query, memberId: number) {
  const { facets, window } = partsOf(query)
  const rated = await listNetworkTitles(db, memberId, facets.kind, query.unrated)
  const among =
    query.genre === undefined && query.decade === undefined ? rated : await listByFacets(db, facets, rated)
  const isListSmall = await isFewer(db, among.length, window)
  const ids = await listItemIds(db, { ...window, facets: {}, among, isListSmall })
  return { items: await readItems(db, ids), total: among.length }
}

async function readPage(db: Db, query: Query, rater?: number) {
  const { facets, window } = partsOf(query)
  const { genre, decade } = query
  const all =
    genre === undefined && decade === undefined
      ? await countItems(db, facets.kind)
      : await countFacets(db, facets)
  const total = rater === undefined ? all : all - (await countRated(db, rater, facets))
  if (window.offset >= total) return { items: [], total }
  const isByFacets = genre !== undefined || decade !== undefined || facets.kind !== undefined
  const isListSmall = isByFacets && (await isFewer(db, all, window))
  const among = isListSmall ? await listByFacets(db, facets) : undefined
  const ids = await listItemIds(db, {
    ...window,
    facets: isListSmall ? {} : facets,
    among,
    unratedBy: rater,
    isListSmall,
  })
  return { items: await readItems(db, ids), total }
}

function partsOf({ category, sort, genre, decade, page, limit }: Query) {
  return {
    facets: { kind: category && kindOfCategory(category), genre, decade },
    window: { sort, limit, offset: (page - 1) * limit },
  }
}

async function readItems(db: Db, ids: readonly number[]) {
  return (await listItemsByIds(db, ids)).map(toItem)
}

/**
 * Whether reading and sorting `matches` titles costs less than reading in the order of the sort until the page is full: about (offset +
 * limit) × titles ÷ matches.
 */
async function isFewer(db: Db, matches: number, { offset, limit }: { offset: number; limit: number }) {
  return matches * matches < (offset + limit) * (await countItems(db))
}
