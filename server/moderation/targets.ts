import type { Snapshot } from '#shared/contracts/moderation.ts'
import { storedRating, toStars } from '#shared/domain/ratings.ts'
import { toTitleCard } from '#server/titles/rules.ts'
import { listCards } from '#server/titles/store.ts'
import type { Db } from '#server/db/open.ts'
import { readSettings } from '#server/members/settings.ts'
import type { ReviewRow } from '#server/reviews/tables.ts'
import { aboutOf } from '#server/reviews/rules.ts'
import { findParts, findTitleOf } from '#server/reviews/store.ts'
import { findRemovedReview, findWholeReview } from './content-store.ts'
import { blank } from './store.ts'
import * as store from './targets-store.ts'
import type { ReportTarget } from '#shared/domain/moderation.ts'

/** `userId` is the author, or null if the account is gone. */
export type Target = {
  type: ReportTarget
  id: number
  userId: number | null
  isShown: boolean
  snapshot: Snapshot
}

export async function findTarget(db: Db, type: ReportTarget, id: number): Promise<Target | undefined> {
  const found = await finders[type](db, id)
  if (!found) return undefined
  const isAuthorShown = found.userId === null || (await store.isVisible(db, found.userId))
  return { type, id, ...found, isShown: found.isShown && isAuthorShown }
}

/**
 * Everybody who may read it, with the `key` of a list’s link, and who can have seen it although one of the two has blocked the other: a
 * comment on an own review, and what visitors may read.
 */
export async function mayReport(
  db: Db,
  { type, id }: Target,
  viewer: { id: number; key?: string | undefined },
) {
  if (await isReadableBy(db, { type, id }, viewer)) return true
  if (type === 'comment' && (await store.isOnReviewOf(db, id, viewer.id))) return true
  return (await readSettings(db)).visitorsMayRead && (await isReadableBy(db, { type, id }, { id: 0 }))
}

async function isReadableBy(
  db: Db,
  { type, id }: Pick<Target, 'type' | 'id'>,
  viewer: { id: number; key?: string | undefined },
) {
  if (!(await store.isReadable(db, type, id, viewer))) return false
  if (type !== 'comment') return true
  const comment = await store.findCommentTarget(db, id)
  return comment !== undefined && (await store.isReadable(db, 'review', comment.review_id, viewer))
}

type Found = Pick<Target, 'userId' | 'isShown' | 'snapshot'> | undefined

const finders: Record<ReportTarget, (db: Db, id: number) => Promise<Found>> = {
  async review(db, id) {
    const present = await findWholeReview(db, id)
    const removed = present ? undefined : await findRemovedReview(db, id)
    const row = present ?? (removed && (JSON.parse(removed.row) as ReviewRow))
    if (!row) return undefined
    return {
      userId: row.user_id,
      isShown: present !== undefined && row.removed_text === null,
      snapshot: {
        ...blank,
        text: row.removed_text ?? row.text,
        rating: toStars(storedRating(row.rating)),
        hasSpoilers: row.has_spoilers === 1,
        title: await cardOf(db, await findTitleOf(db, row)),
        about: await partOf(db, row),
        writtenAt: row.updated_at,
      },
    }
  },
  async comment(db, id) {
    const row = await store.findCommentTarget(db, id)
    if (!row) return undefined
    return {
      userId: row.user_id,
      isShown: row.removed_text === null,
      snapshot: {
        ...blank,
        text: row.removed_text ?? row.text,
        hasSpoilers: row.has_spoilers === 1,
        title: await cardOf(db, row.media_id),
        about: await partOf(db, row),
        writtenAt: row.created_at,
      },
    }
  },
  async user(db, id) {
    const row = await store.findUserTarget(db, id)
    if (!row) return undefined
    const { username: text, picture: imageUrl, created_at: writtenAt } = row
    return { userId: row.id, isShown: true, snapshot: { ...blank, text, imageUrl, writtenAt } }
  },
  async list(db, id) {
    const row = await store.findListTarget(db, id)
    if (!row) return undefined
    const tags = (JSON.parse(row.tags) as string[]).map((tag) => `#${tag}`).join(' ')
    const notes = await store.listNotes(db, id)
    const text = [row.title, row.description, tags, ...notes].filter(Boolean).join('\n\n')
    const writtenAt = row.updated_at
    return {
      userId: row.user_id,
      isShown: row.removed_at === null,
      snapshot: { ...blank, text, writtenAt },
    }
  },
  async title(db, id) {
    const row = await store.findTitleTarget(db, id)
    if (!row) return undefined
    return {
      userId: row.created_by,
      isShown: row.removed_at === null,
      snapshot: {
        ...blank,
        text: row.overview ? `${row.name}\n\n${row.overview}` : row.name,
        imageUrl: row.image,
        title: await cardOf(db, row.id),
        writtenAt: row.created_at,
      },
    }
  },
}

async function partOf(db: Db, { part_id }: Pick<ReviewRow, 'part_id'>): Promise<Snapshot['about']> {
  return part_id === null ? null : aboutOf((await findParts(db, [part_id])).get(part_id))
}

async function cardOf(db: Db, id: number): Promise<Snapshot['title']> {
  const [card] = await listCards(db, [id])
  return card ? toTitleCard(card) : null
}
