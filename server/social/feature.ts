import { counterOf } from '#server/db/counters.ts'
import { toTitleCard } from '#server/titles/rules.ts'
import { listCards } from '#server/titles/store.ts'
import { exportPart, type Feature, type RemoveBatch } from '#server/feature.ts'
import { lockMembers } from '#server/social/privacy-store.ts'
import { toPerson } from './rules.ts'
import {
  listFavoritesAmong,
  listFollowedAmong,
  listFollowsOf,
  listPeople,
  removeFollow,
  selectExportedFavorites,
  selectExportedFollows,
} from './store.ts'
import { titleRows } from './title-rows.ts'

export const social: Feature = {
  export: {
    favorites: exportPart(
      selectExportedFavorites,
      ['media_id'],
      (row) => ({ title: row.media_id, createdAt: row.created_at, place: row.place }),
      {
        tables: ['favorites'],
        sheet: {
          file: 'favorites.csv',
          description: 'Your favorites.',
          headings: { createdAt: 'Added at' },
        },
      },
    ),
    following: exportPart(
      selectExportedFollows,
      ['follows.followee_id'],
      (row) => ({ username: row.username, id: row.followee_id, createdAt: row.created_at }),
      {
        sheet: {
          file: 'following.csv',
          description: 'The members you follow.',
          headings: { id: null, createdAt: 'Followed at' },
        },
      },
    ),
  },
  deletion: [
    { table: 'follows', owner: 'follower_id', remove: removeFollows('follower_id') },
    { table: 'follows', owner: 'followee_id', remove: removeFollows('followee_id') },
    { table: 'favorites' },
  ],
  counters: [
    counterOf('users', 'follower_count', 'follows f where f.followee_id = users.id'),
    counterOf('users', 'following_count', 'follows f where f.follower_id = users.id'),
  ],
  titles: titleRows,
  changes: {
    async favorite(db, userId, ids) {
      const cards = await listCards(db, await listFavoritesAmong(db, userId, ids))
      return cards.map((card) => [card.id, { title: toTitleCard(card) }])
    },
    async follow(db, userId, ids) {
      const people = await listPeople(db, await listFollowedAmong(db, userId, ids), userId, 'met')
      return people.map((row) => [row.id, { user: toPerson(row) }])
    },
  },
}

/** Each in its own transaction, because it locks two members. */
function removeFollows(side: 'follower_id' | 'followee_id'): RemoveBatch {
  return async (db, userId, limit) => {
    const follows = await listFollowsOf(db, side, userId, limit)
    for (const follow of follows)
      await db.transaction().execute(async (trx) => {
        await lockMembers(trx, [follow.follower_id, follow.followee_id])
        await removeFollow(trx, follow)
      })
    return follows.length
  }
}
