import { toTitleCard } from '#server/catalogue/rules.ts'
import { listCards } from '#server/catalogue/store.ts'
import type { Db } from '#server/db/open.ts'
import type { ChangeRow } from '#server/db/tables.ts'
import { toOwnEntry } from '#server/diary/rules.ts'
import { listEntries } from '#server/diary/store.ts'
import { withTitles } from '#server/reviews/rules.ts'
import { listReviews } from '#server/reviews/store.ts'
import { toPerson } from '#server/social/rules.ts'
import { listFollowedAmong, listPeople } from '#server/social/store.ts'
import type { Change } from '#shared/changes.ts'
import { presentChange } from './rules.ts'
import { listFavoritesAmong } from './store.ts'

type Logged = Pick<ChangeRow, 'area' | 'action' | 'thing_id' | 'media_id' | 'at'>

/** Returns changes of a member with the current state of their resources. */
export async function withResources(db: Db, userId: number, rows: readonly Logged[]): Promise<Change[]> {
  const idsOf = (area: Change['area']) => [
    ...new Set(
      rows.filter((row) => row.area === area && row.action !== 'deleted').map((row) => row.thing_id),
    ),
  ]
  const reviews = await listReviews(db, idsOf('review'), userId)
  const entries = await listEntries(db, idsOf('diary'))
  const favorites = await listFavoritesAmong(db, userId, idsOf('favorite'))
  const titleIds = new Set([...favorites, ...reviews.map((row) => row.media_id)])
  const titles = (await listCards(db, [...titleIds])).map(toTitleCard)
  const people = await listPeople(db, await listFollowedAmong(db, userId, idsOf('follow')))
  return rows.map((row) =>
    presentChange(row, {
      review: new Map(withTitles(reviews, titles).map((review) => [review.id, { review }])),
      diary: new Map(entries.map((entry) => [entry.id, { entry: toOwnEntry(entry) }])),
      favorite: new Map(
        titles.filter(({ id }) => favorites.includes(id)).map((title) => [title.id, { title }]),
      ),
      follow: new Map(people.map((row) => [row.id, { user: toPerson(row) }])),
    }),
  )
}
