import type { Play } from '#shared/contracts/progress.ts'
import type { Db } from '#server/db/open.ts'
import { toTitleCard } from '#server/titles/rules.ts'
import { listCards } from '#server/titles/store.ts'
import type { findPlay } from './plays-store.ts'
import { toEpisode } from './rules.ts'

export type ShownPlay = NonNullable<Awaited<ReturnType<typeof findPlay>>>

export async function toPlays(db: Db, rows: readonly ShownPlay[]): Promise<Play[]> {
  const ids = [...new Set(rows.map(({ media_id }) => media_id))]
  const cards = new Map((await listCards(db, ids)).map((card) => [card.id, toTitleCard(card)]))
  return rows.flatMap((row) => {
    const title = cards.get(row.media_id)
    if (!title) return []
    const episode = toEpisode({ ...row, id: row.episode_id, season: row.season ?? 0 })
    const { id, pass, watched_on: watchedOn, source, batch_id: batch } = row
    return { id, title, episode, pass, watchedOn, source, batch }
  })
}
