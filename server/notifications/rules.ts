import { snippetMax } from '#shared/domain/limits.ts'
import type { Notification, NotificationTarget } from '#shared/contracts/notifications.ts'
import type { UserRow } from '#server/members/tables.ts'
import type { ReviewRow } from '#server/reviews/tables.ts'
import type { NotificationRow } from './tables.ts'

export type Target = NonNullable<Notification['target']>
type TitleCard = NonNullable<Target['title']>

/** By id, as far as the recipient may see it. */
type Related = {
  people: ReadonlyMap<number, Pick<UserRow, 'username' | 'picture'>>
  reviews: ReadonlyMap<
    number,
    Pick<ReviewRow, 'user_id' | 'has_spoilers'> & {
      text: string | null
      title: TitleCard
      about: Target['about']
    }
  >
  lists: ReadonlyMap<number, { user_id: number; title: string; image: string | null }>
  /** Their names. */
  imports: ReadonlyMap<number, string>
  decisions: ReadonlyMap<number, string>
  cases: ReadonlySet<number>
  seasons: ReadonlyMap<number, NonNullable<Target['season']> & { title: TitleCard }>
}

export function shownActors({ actors }: Pick<NotificationRow, 'actors'>): number[] {
  return JSON.parse(actors) as number[]
}

/** Undefined if nothing of it may be shown. */
export function present(row: NotificationRow, readTo: string, related: Related): Notification | undefined {
  const ids = shownActors(row)
  const actors = ids.flatMap((id) => {
    const person = related.people.get(id)
    return person ? { id, username: person.username, profilePicture: person.picture } : []
  })
  if (ids.length > 0 && actors.length === 0) return undefined
  const target = row.target_type === '' ? null : targetOf(row, row.target_type, related)
  if (target === undefined) return undefined
  return {
    id: row.id,
    type: row.type,
    actors,
    actorCount: row.actor_count - (ids.length - actors.length),
    target,
    at: row.at,
    isRead: row.at <= readTo,
  }
}

function targetOf(
  { user_id, target_id: id }: NotificationRow,
  type: NotificationTarget,
  { reviews, lists, imports, decisions, cases, seasons }: Related,
): Notification['target'] | undefined {
  const plain = {
    type,
    id,
    isMine: false,
    title: null,
    about: null,
    name: null,
    text: null,
    imageUrl: null,
    season: null,
  }
  if (type === 'review') {
    const row = reviews.get(id)
    if (!row) return undefined
    const isMine = row.user_id === user_id
    const text = row.has_spoilers === 1 && !isMine ? '' : (row.text ?? '')
    const { title, about } = row
    return { ...plain, isMine, title, about, text: beginningOf(text) || null, imageUrl: title.imageUrl }
  }
  if (type === 'list') {
    const list = lists.get(id)
    if (!list) return undefined
    return { ...plain, isMine: list.user_id === user_id, name: list.title, imageUrl: list.image }
  }
  if (type === 'season') {
    const found = seasons.get(id)
    if (!found) return undefined
    const { title, number, next } = found
    return { ...plain, title, imageUrl: title.imageUrl, season: { number, next } }
  }
  if (type === 'import') return { ...plain, name: imports.get(id) ?? null }
  if (type === 'decision') return { ...plain, name: decisions.get(id) ?? null }
  return type === 'case' && !cases.has(id) ? undefined : plain
}

/** The first line without spoilers' marks, up to `snippetMax` characters. */
function beginningOf(text: string): string {
  const [line = ''] = text.trim().split('\n')
  return Array.from(line).slice(0, snippetMax).join('')
}
