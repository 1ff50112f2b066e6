import type { Notification, NotificationTarget } from '#shared/contracts/notifications.ts'
import { type ImportOrigin, originName } from '#shared/domain/import-formats.ts'
import type { ReportTarget } from '#shared/domain/moderation.ts'
import { pluck } from '#shared/domain/pluck.ts'
import { withPart } from '#server/text/part-name.ts'
import { english, type Translator } from '#server/text/translator.ts'
import { toTitleCard } from '#server/titles/rules.ts'
import { listCards } from '#server/titles/store.ts'
import type { Db } from '#server/db/open.ts'
import { findTimeZone } from '#server/progress/episodes-store.ts'
import { type Clock, clockIn, withAired } from '#server/titles/airing.ts'
import type { NotificationRow } from './tables.ts'
import { aboutOf } from '#server/reviews/rules.ts'
import { findParts } from '#server/reviews/store.ts'
import { listPreviews, listReadableAmong } from '#server/lists/store.ts'
import { present, shownActors, type Target } from './rules.ts'
import * as store from './store.ts'

/** Without notifications of which nothing may be shown. `readTo` says what has been read. */
export async function presentAll(
  db: Db,
  recipient: store.Recipient,
  rows: readonly NotificationRow[],
  readTo: string,
  now: Date,
  texts: Translator = english,
): Promise<Notification[]> {
  const related = await readRelated(db, recipient, rows, now, texts)
  return rows.flatMap((row) => present(row, readTo, related) ?? [])
}

async function readRelated(
  db: Db,
  recipient: store.Recipient,
  rows: readonly NotificationRow[],
  now: Date,
  texts: Translator,
) {
  const { id } = recipient
  const idsOf = (type: NotificationTarget) => [
    ...new Set(rows.filter((row) => row.target_type === type).map((row) => row.target_id)),
  ]
  const people = await store.listActors(db, [...new Set(rows.flatMap(shownActors))], id)
  const reviews = await store.listReviewTargets(db, idsOf('review'), id)
  const parts = await findParts(db, [...new Set(reviews.flatMap(({ part_id }) => part_id ?? []))])
  const lists = await listReadableAmong(db, idsOf('list'), id)
  const images = await firstImages(db, pluck(lists, 'id'))
  return {
    people: new Map(people.map((row) => [row.id, row])),
    reviews: new Map(
      reviews.map((row) => [
        row.review_id,
        { ...row, title: toTitleCard(row), about: aboutOf(parts.get(row.part_id ?? 0)) },
      ]),
    ),
    lists: new Map(lists.map((list) => [list.id, { ...list, image: images.get(list.id) ?? null }])),
    imports: new Map(
      (await store.listImportTargets(db, idsOf('import'), id)).map((row) => [
        row.id,
        nameOfImport(row, texts),
      ]),
    ),
    decisions: new Map(
      (await store.listDecisionTargets(db, idsOf('decision'), id)).map((row) => [
        row.id,
        nameOfDecided(row, texts),
      ]),
    ),
    seasons: new Map((await readSeasons(db, idsOf('season'), id, now)).map((season) => [season.id, season])),
    cases: new Set(await store.listDecidable(db, idsOf('case'), recipient)),
  }
}

async function readSeasons(db: Db, ids: readonly number[], userId: number, now: Date) {
  if (ids.length === 0) return []
  const clock = clockIn(await findTimeZone(db, userId), now)
  const rows = await store.listSeasonTargets(db, ids, userId)
  return rows.map((row) => ({
    id: row.season_id,
    number: row.season_number,
    title: toTitleCard(row),
    next: nextIn(row, clock),
  }))
}

async function firstImages(db: Db, listIds: readonly number[]): Promise<Map<number, string | null>> {
  const firsts = [...Map.groupBy(await listPreviews(db, listIds), ({ list_id }) => list_id).values()].map(
    ([first]) => first!,
  )
  const cards = await listCards(db, [...new Set(firsts.map(({ media_id }) => media_id))])
  const byId = new Map(cards.map((card) => [card.id, card.image]))
  return new Map(firsts.map(({ list_id, media_id }) => [list_id, byId.get(media_id) ?? null]))
}

type NextRow = {
  season_number: number
  next_id: number | null
  next_number: number | null
  next_name: string | null
  next_on: string | null
  next_at: string | null
  next_runtime: number | null
  later_on: string | null
}

/** Null if the member has watched all of the season. */
function nextIn(row: NextRow, clock: Clock): NonNullable<Target['season']>['next'] {
  if (row.next_id === null) return null
  const season = row.season_number
  const next = { season, release_date: row.next_on, airs_at: row.next_at }
  const later = { season, release_date: row.later_on, airs_at: null }
  return {
    id: row.next_id,
    season,
    number: row.next_number!,
    name: row.next_name!,
    airDate: row.next_on,
    airsAt: row.next_at,
    runtime: row.next_runtime,
    isAired: withAired([next, later], clock)[0]!.isAired,
  }
}

/** “Letterboxd: 9 titles imported”. */
function nameOfImport(
  row: { service: ImportOrigin; facts: string },
  { t, plural, translate }: Translator,
): string {
  const { counts } = JSON.parse(row.facts) as { counts?: Record<string, number> }
  const service = translate(originName(row.service))
  return t`${service}: ${plural(counts?.['taken'] ?? 0, { one: '# title', other: '# titles' })} imported`
}

/** “your review of Dune”. */
function nameOfDecided(row: { target_type: ReportTarget; snapshot: string }, texts: Translator): string {
  const { t } = texts
  const { title, about = null } = JSON.parse(row.snapshot) as {
    title?: { name: string } | null
    about?: Target['about']
  }
  const name = title?.name && withPart(title.name, about, texts)
  const names: Record<ReportTarget, string> = {
    review: name === undefined ? t`your review` : t`your review of ${name}`,
    comment: t`your comment`,
    user: t`your account`,
    title: name === undefined ? t`your title` : t`your title ${name}`,
    list: t`your list`,
  }
  return names[row.target_type]
}
