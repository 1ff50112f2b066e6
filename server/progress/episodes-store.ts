import { type NotNull, type SqlBool, sql } from 'kysely'
import { settingsFrom } from '#shared/contracts/notifications.ts'
import { isOneOf } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { prepareByIds, prepareColumns, prepareFirst, prepareQuery } from '#server/db/prepared.ts'
import { isTitleShown } from '#server/members/visibility.ts'
import {
  currentFirst,
  type EpisodeRow,
  type PlayRow,
  type RatedRow,
  type SeasonRow,
  type ShortEpisodeRow,
  type Statement,
  type WatchedRow,
} from './tables.ts'

/** The source still has it. A literal: with a parameter, no database uses an index of such rows only, which also has their order. */
const isThere = sql<SqlBool>`is_gone = 0`

const shortColumns = ['id', 'season', 'number', 'release_date', 'airs_at'] as const

/** Season by season, as an index has them. */
const episodeColumns = prepareColumns(shortColumns, (db, titleId: number) =>
  db
    .selectFrom('parts')
    .select(shortColumns)
    .where('media_id', '=', titleId)
    .where('type', '=', 'episode')
    .where(isThere)
    .orderBy(sql`coalesce(parent_id, 0)`)
    .orderBy('number')
    .$castTo<ShortEpisodeRow>(),
)

/** In their order, with the specials first. A soap has thousands: literals and this sort take a third of the time of rows from the database. */
export async function listEpisodes(db: Db, titleId: number): Promise<ShortEpisodeRow[]> {
  const { id: ids, season, number, release_date, airs_at } = await episodeColumns(db, titleId)
  const rows = ids.map((id, at) => ({
    id,
    season: season[at]!,
    number: number[at]!,
    release_date: release_date[at]!,
    airs_at: airs_at[at]!,
  }))
  return rows.sort((a, b) => a.season - b.season || a.number - b.number)
}

export const listEpisodesById = prepareByIds((db, ids) =>
  db
    .selectFrom('parts')
    .select(['id', 'season', 'number', 'name', 'release_date', 'airs_at', 'runtime'])
    .select(['rating_count', 'rating_sum'])
    .where(isOneOf(db, 'parts.id', ids))
    .$castTo<EpisodeRow & RatedRow>(),
)

export const listSeasons = prepareQuery((db, titleId: number) =>
  db
    .selectFrom('parts')
    .select(['id', 'number', 'name', 'release_date', 'rating_count', 'rating_sum'])
    .where('media_id', '=', titleId)
    .where('type', '=', 'season')
    .where(isThere)
    .orderBy(sql`coalesce(parent_id, 0)`)
    .orderBy('number')
    .$castTo<SeasonRow>(),
)

/** The title of an episode that the source still has, or that members have watched or rated. */
export const findShowOf = prepareFirst((db, episodeId: number) =>
  db
    .selectFrom('parts')
    .innerJoin('media', 'media.id', 'parts.media_id')
    .select(['media.id', 'media.kind', 'media.name', 'media.image', 'media.release_date'])
    .select(['media.release_year', 'media.details'])
    .where('parts.id', '=', episodeId)
    .where('parts.type', '=', 'episode')
    .where(
      sql<SqlBool>`(parts.is_gone = 0 or parts.rating_count > 0 or exists (select 1 from plays where plays.episode_id = parts.id))`,
    )
    .where(isTitleShown),
)

const playedColumns = ['episode_id', 'pass'] as const

/** Of the member, in all passes through the show. An index has the columns. */
export const listPlayed = prepareColumns(playedColumns, (db, userId: number, titleId: number) =>
  db
    .selectFrom('plays')
    .select(playedColumns)
    .where('user_id', '=', userId)
    .where('media_id', '=', titleId)
    .$castTo<Pick<PlayRow, (typeof playedColumns)[number]>>(),
)

export const listWatched = prepareQuery(
  (db, episodeIds: readonly number[], userId: number, titleId: number) =>
    db
      .selectFrom('plays')
      .select(['episode_id', 'pass', 'watched_on'])
      .where('user_id', '=', userId)
      .where('media_id', '=', titleId)
      .where(isOneOf(db, 'episode_id', episodeIds, true))
      .$castTo<WatchedRow>(),
)

/** What the member gave these parts. */
export const listPartRatings = prepareQuery((db, ids: readonly number[], userId: number) =>
  db
    .selectFrom('reviews')
    .select(['part_id', 'rating'])
    .where('user_id', '=', userId)
    .where(isOneOf(db, 'part_id', ids))
    .$narrowType<{ part_id: NotNull }>(),
)

/**
 * What the diary says about a title: of the entry under way, otherwise of the newest one that is over, otherwise `want`; and what the member
 * has said about the newest pass. One row.
 */
const statements = prepareFirst((_db, userId: number, titleId: number) => {
  const own = sql`from diary_entries where user_id = ${userId} and media_id = ${titleId}`
  return sql<Statement>`select
    (select status ${own} order by ${currentFirst} limit 1) as status,
    (select stated ${own} and pass is not null order by pass desc limit 1) as stated`
})

export async function findStatement(db: Db, userId: number, titleId: number): Promise<Statement> {
  return (await statements(db, userId, titleId))!
}

const inboxSettings = prepareFirst((db, userId: number) =>
  db.selectFrom('inboxes').select('settings').where('user_id', '=', userId),
)

export async function findTimeZone(db: Db, userId: number): Promise<string> {
  return settingsFrom((await inboxSettings(db, userId))?.settings ?? '{}').timeZone
}
