import { sql } from 'kysely'
import { toStars } from '#shared/domain/ratings.ts'
import type { Db } from '#server/db/open.ts'
import { partSize, removeInParts } from '#server/db/rows.ts'
import type { EntryRow } from './tables.ts'
import { isUsedIn, type TitleRows } from '#server/feature.ts'
import { listPairs, listReviewsOf } from '#server/reviews/move-store.ts'
import { pairOf, textOf } from '#server/reviews/rules.ts'
import * as entries from './move-store.ts'
import { exclude, joinEntries } from './rules.ts'
import { moveSteps } from './steps-store.ts'
import { insertEntry, removeEntry } from './store.ts'

/**
 * Of two on the want list the older one stays, of two under way the one that was changed last, with the texts of both. The text of a review
 * that does not stay becomes a note.
 */
export const titleRows: TitleRows = {
  tables: ['diary_entries'],
  isUsed: isUsedIn('diary_entries'),
  async move(trx, from, to) {
    await keepTexts(trx, from, to)
    await entries.freePasses(trx, from, to)
    for (let after = 0; ;) {
      const part = await entries.listEntriesOf(trx, from, after, partSize)
      const kept = new Set(part.map(({ id }) => id))
      const ofMembers = Map.groupBy(part, ({ user_id }) => user_id)
      for (const other of await entries.listCurrent(trx, to, [...ofMembers.keys()])) {
        const own = ofMembers.get(other.user_id)!.find((entry) => exclude(entry, other))
        if (!own) continue
        const joined = joinEntries(own, other)
        const gone = joined.id === own.id ? other : own
        await moveSteps(trx, gone.id, joined.id, new Date().toISOString())
        await removeEntry(trx, gone.user_id, gone.id)
        kept.delete(gone.id)
        await entries.updateJoined(trx, joined)
      }
      await entries.moveEntries(trx, [...kept], to)
      after = part.at(-1)?.id ?? 0
      if (part.length < partSize) return
    }
  },
  async remove(trx, id) {
    await removeInParts(trx, 'diary_entries', sql`media_id = ${id}`)
  },
}

/** The text becomes the note of an entry. Must run before the reviews move. */
async function keepTexts(trx: Db, from: number, to: number): Promise<void> {
  for (let after = 0; ;) {
    const reviews = await listReviewsOf(trx, { column: 'media_id', id: from }, partSize, after)
    for (const pair of await listPairs(trx, reviews, { column: 'media_id', id: to })) {
      const { kept, other } = pairOf(...pair)
      const text = textOf(other)
      if (text === '' || text === textOf(kept)) continue
      const note = { text, rating_given: other.rating_given ?? `${toStars(other.rating)}/5` }
      const entry = await entries.findBlank(trx, other.user_id, [from, to])
      if (entry) await entries.updateJoined(trx, { ...entry, ...note })
      else await insertEntry(trx, newEntry({ ...other, media_id: other.media_id! }, note))
    }
    after = reviews.at(-1)?.user_id ?? 0
    if (reviews.length < partSize) return
  }
}

function newEntry(
  { user_id, media_id, kind, updated_at }: Pick<EntryRow, 'user_id' | 'media_id' | 'kind' | 'updated_at'>,
  note: Pick<EntryRow, 'text' | 'rating_given'>,
) {
  return { user_id, media_id, kind, status: 'finished' as const, ...note, created_at: updated_at, updated_at }
}
