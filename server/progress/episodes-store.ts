import { type NotNull, sql } from 'kysely'
import { settingsFrom } from '#shared/contracts/notifications.ts'
import { isOneOf } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { prepareByIds, prepareFirst, prepareQuery, prepareRows } from '#server/db/prepared.ts'
import { isTitleShown } from '#server/members/visibility.ts'
import type { EpisodeRow, PlayedRow, RatedRow, SeasonRow, ShortEpisodeRow, WatchedRow } from './tables.ts'

const shortColumns = ['id', 'season', 'number', 'release_date', 'airs_at'] as const

/** In their order, with the specials first. */
export const listEpisodes = prepareRows(shortColumns, (db, titleId: number) =>
  db
    .selectFrom('parts')
    .select(shortColumns)
    .where('media_id', '=', titleId)
    .where('type', '=', 'episode')
    .where('is_gone', '=', 0)
    .orderBy('season')
    .orderBy('number')
    .$castTo<ShortEpisodeRow>(),
)

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
    .where('is_gone', '=', 0)
    .orderBy('number')
    .$castTo<SeasonRow>(),
)

/** The title of an episode that the source still has. */
export const findShowOf = prepareFirst((db, episodeId: number) =>
  db
    .selectFrom('parts')
    .innerJoin('media', 'media.id', 'parts.media_id')
    .select(['media.id', 'media.kind', 'media.name', 'media.image', 'media.release_date'])
    .select(['media.release_year', 'media.details'])
    .where('parts.id', '=', episodeId)
    .where('parts.type', '=', 'episode')
    .where('parts.is_gone', '=', 0)
    .where(isTitleShown),
)

const playedColumns = ['episode_id', 'pass'] as const

/** Of the member, in all passes through the show. An index has the columns. */
export const listPlayed = prepareRows(playedColumns, (db, userId: number, titleId: number) =>
  db
    .selectFrom('plays')
    .select(playedColumns)
    .where('user_id', '=', userId)
    .where('media_id', '=', titleId)
    .$castTo<PlayedRow>(),
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

/** What the diary says about a title: of the entry under way, otherwise of the newest one that is over, otherwise `want`. */
export const findStatus = prepareFirst((db, userId: number, titleId: number) =>
  db
    .selectFrom('diary_entries')
    .select('status')
    .where('user_id', '=', userId)
    .where('media_id', '=', titleId)
    .orderBy(
      sql`case status when 'want' then 1 when 'finished' then 2 when 'dropped' then 2 else 3 end`,
      'desc',
    )
    .orderBy(sql`coalesce(finished_on, started_on, '')`, 'desc')
    .orderBy('id', 'desc')
    .limit(1),
)

/** What the member has said about the newest pass. */
export const findStated = prepareFirst((db, userId: number, titleId: number) =>
  db
    .selectFrom('diary_entries')
    .select('stated')
    .where('user_id', '=', userId)
    .where('media_id', '=', titleId)
    .where('pass', 'is not', null)
    .orderBy('pass', 'desc')
    .limit(1),
)

const inboxSettings = prepareFirst((db, userId: number) =>
  db.selectFrom('inboxes').select('settings').where('user_id', '=', userId),
)

export async function findTimeZone(db: Db, userId: number): Promise<string> {
  return settingsFrom((await inboxSettings(db, userId))?.settings ?? '{}').timeZone
}
