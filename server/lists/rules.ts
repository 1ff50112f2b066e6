import { hash, randomBytes } from 'node:crypto'
import type { z } from 'zod'
import type { changedList, ListItem } from '#shared/contracts/lists.ts'
import { listPopularDays } from '#shared/domain/limits.ts'
import type { DiaryStatus } from '#shared/domain/kinds.ts'
import type { titleCard } from '#shared/contracts/scalars.ts'
import { dayMs } from '#shared/domain/days.ts'
import { nameKey, searchText } from '#server/db/fold.ts'
import type { UserRow } from '#server/members/tables.ts'
import type { ListItemRow, ListRow } from './tables.ts'

type List = z.infer<typeof changedList>
type Card = z.infer<typeof titleCard>

type Row = Omit<ListRow, 'link_key'> & Pick<UserRow, 'username' | 'picture'>

export function toList(row: Row, previewTitles: Card[]): List {
  return {
    id: row.id,
    owner: { id: row.user_id, username: row.username, profilePicture: row.picture },
    title: row.title,
    description: row.description,
    isRanked: row.is_ranked === 1,
    visibility: row.visibility,
    tags: JSON.parse(row.tags) as string[],
    itemCount: row.item_count,
    likeCount: row.like_count,
    copiedFrom: row.copied_from,
    previewTitles,
    previewImages: previewTitles.flatMap(({ imageUrl }) => imageUrl ?? []),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...(row.removed_at !== null && { isRemoved: true as const }),
  }
}

type Mine = { rating: number | null; status: DiaryStatus | null }
type ItemRow = Pick<ListItemRow, 'note' | 'added_by' | 'added_at'> & {
  position: number
  adder_name: string | null
  adder_picture: string | null
}

export function toItem(row: ItemRow, title: Card, mine: Mine | undefined): ListItem {
  return {
    position: row.position,
    note: row.note,
    addedBy:
      row.added_by === null
        ? null
        : { id: row.added_by, username: row.adder_name!, profilePicture: row.adder_picture },
    addedAt: row.added_at,
    title,
    ...(mine && { mine }),
  }
}

export function wordsOf(title: string, tags: readonly string[]): string[] {
  const words = searchText(title, ...tags).split(' ')
  return [...new Set([...words, ...tags.map((tag) => `#${tag}`)])].filter(Boolean)
}

/**
 * Returns a hash of the name of a list that a decision has removed, whose text is not kept. It is equal for the forms in which people write a
 * name.
 */
export function hashOfName(name: string): string {
  return hash('sha256', nameKey(name), 'base64url')
}

export function newLinkKey(): string {
  return randomBytes(16).toString('base64url')
}

export function linkOf(listId: number, key: string): string {
  return `/list/${listId}?key=${key}`
}

export function popularSince(now: Date): string {
  return new Date(now.getTime() - listPopularDays * dayMs).toISOString()
}
