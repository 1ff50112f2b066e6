import type { z } from 'zod'
import { appealDays } from '#shared/domain/limits.ts'
import {
  type decisionById,
  type correctTitle,
  type createReport,
  type caseById,
  type listCases,
  type Snapshot,
  type Standing,
} from '#shared/contracts/moderation.ts'
import type { Role } from '#shared/domain/roles.ts'
import type { UserRow } from '#server/members/tables.ts'
import type { CardRow, TitleRow } from '#server/titles/tables.ts'
import type { CaseRow, DecisionInForce, DecisionRow, ListedCaseRow, ReportRow } from './tables.ts'
import { isRestriction, type ReportTarget } from '#shared/domain/moderation.ts'
import { dayMs } from '#shared/domain/days.ts'

type PersonRow = Pick<UserRow, 'id' | 'username' | 'picture'>

/** Until then a decision can be undone and appealed; then what it removed is destroyed. */
export function finalTime(createdAt: string): Date {
  return new Date(Date.parse(createdAt) + appealDays * dayMs)
}

/** Nobody about themselves, and only admins about moderators and admins. */
export function mayDecide(actor: { id: number; role: Role }, member: { id: number; role: Role }): boolean {
  return actor.id !== member.id && (member.role === 'member' || actor.role === 'admin')
}

/** From when on `removeAll` removes; null removes all. */
export function removedSince(days: number | undefined, now: Date): string | null {
  return days === undefined ? null : new Date(now.getTime() - days * dayMs).toISOString()
}

export function standingOf(decisions: readonly DecisionInForce[], now: Date): Standing {
  const lasting = decisions.filter(({ until }) => until === null || until > now.toISOString())
  if (lasting.some(({ action }) => action === 'suspend' || action === 'removeAll')) return 'suspended'
  return lasting.some(({ action }) => action === 'freeze') ? 'frozen' : 'active'
}

export function covers({ since, created_at }: DecisionInForce, createdAt: string): boolean {
  return (since === null || createdAt >= since) && createdAt <= created_at
}

type Content = { type: 'review' | 'comment' | 'list'; id: number; createdAt: string }
export type Wanted = { isHidden: boolean; keepsRating: boolean; isSpoiler: boolean }

export function wantedOf(
  content: Content,
  decisions: readonly DecisionInForce[],
  standing: Standing,
): Wanted {
  const { type, id, createdAt } = content
  const own = decisions.filter((one) => one.target_type === type && one.target_id === id)
  const removals = [
    ...own.filter(({ action }) => action === 'remove'),
    ...decisions.filter((one) => one.action === 'removeAll' && covers(one, createdAt)),
  ].filter(({ final_at }) => final_at === null)
  return {
    isHidden: removals.length > 0 || standing === 'suspended',
    keepsRating: removals.every(({ keeps_rating }) => keeps_rating === 1),
    isSpoiler: own.some(({ action }) => action === 'markSpoiler'),
  }
}

type Decidable = {
  text: string
  removed_text: string | null
  has_spoilers: number
  own_has_spoilers: number | null
}

export function decidedColumns(row: Decidable, { isHidden, isSpoiler }: Wanted): Decidable | undefined {
  const own = withoutDecisions(row)
  const values = {
    ...(isHidden ? { text: '', removed_text: own.text } : { text: own.text, removed_text: null }),
    ...(isSpoiler
      ? { has_spoilers: 1, own_has_spoilers: own.has_spoilers }
      : { has_spoilers: own.has_spoilers, own_has_spoilers: null }),
  }
  const isSame = (Object.keys(values) as (keyof Decidable)[]).every((key) => row[key] === values[key])
  return isSame ? undefined : values
}

export function withoutDecisions<Row extends Decidable>(row: Row): Row {
  return {
    ...row,
    text: row.removed_text ?? row.text,
    removed_text: null,
    has_spoilers: row.own_has_spoilers ?? row.has_spoilers,
    own_has_spoilers: null,
  }
}

/** Until what it removed is destroyed; a restriction as long as it lasts. */
export function isUndoable(
  row: Pick<DecisionRow, 'action' | 'ended_at' | 'created_at' | 'until' | 'final_at'>,
  now: Date,
) {
  if (row.ended_at !== null) return false
  if (isRestriction(row.action) && (row.until === null || row.until > now.toISOString())) return true
  return row.final_at === null && finalTime(row.created_at) > now
}

export function isReversed({ end_reason }: Pick<DecisionRow, 'end_reason'>): boolean {
  return end_reason === 'undone' || end_reason === 'accepted'
}

/** A member can appeal once, in time, and not against what was undone. */
export function isAppealable(
  row: Pick<DecisionRow, 'action' | 'end_reason' | 'created_at' | 'appealed_at'>,
  now: Date,
): boolean {
  return (
    row.action !== 'dismiss' &&
    row.appealed_at === null &&
    !isReversed(row) &&
    finalTime(row.created_at) > now
  )
}

/** Snapshots of earlier versions do not name the part. */
export function snapshotOf({ snapshot }: Pick<CaseRow, 'snapshot'>): Snapshot {
  return { about: null, ...(JSON.parse(snapshot) as Omit<Snapshot, 'about'>) }
}

function presentPerson({ id, username, picture }: PersonRow) {
  return { id, username, profilePicture: picture }
}

export function personOf(people: ReadonlyMap<number, PersonRow>, id: number | null) {
  const person = id === null ? undefined : people.get(id)
  return person ? presentPerson(person) : null
}

export function auditName(type: ReportTarget, snapshot: Snapshot, username: string | undefined): string {
  return (type === 'title' ? snapshot.title?.name : username) ?? ''
}

type Decided = z.infer<typeof caseById.output>['case']['decisions'][number]

function presentDecided(row: DecisionRow) {
  return {
    id: row.id,
    target: { type: row.target_type, id: row.target_id },
    action: row.action,
    rules: JSON.parse(row.rules) as string[],
    reason: row.reason,
    until: row.until,
    createdAt: row.created_at,
    endedAt: row.ended_at,
    endReason: row.end_reason,
    appeal:
      row.appealed_at === null
        ? null
        : {
            text: row.appeal ?? '',
            appealedAt: row.appealed_at,
            answer: row.answer,
            answeredAt: row.answered_at,
            isAccepted: row.accepts === null ? null : row.accepts === 1,
          },
  }
}

export function presentDecision(
  row: DecisionRow,
  people: ReadonlyMap<number, PersonRow>,
  now: Date,
): Decided {
  return {
    ...presentDecided(row),
    caseId: row.case_id,
    keepsRating: row.keeps_rating === 1,
    since: row.since,
    moderator: personOf(people, row.moderator_id),
    isUndoable: isUndoable(row, now),
  }
}

export function presentOwnDecision(
  row: DecisionRow,
  snapshot: Snapshot,
  now: Date,
): z.infer<typeof decisionById.output>['decision'] {
  return {
    ...presentDecided(row),
    content: snapshot.text,
    title: snapshot.title,
    about: snapshot.about,
    needsConfirmation: row.action === 'warn' && row.confirmed_at === null && row.ended_at === null,
    appealUntil: isAppealable(row, now) ? finalTime(row.created_at).toISOString() : null,
  }
}

export function presentReport(
  row: ReportRow & Pick<CaseRow, 'target_type' | 'target_id'>,
): z.infer<typeof createReport.output>['report'] {
  return {
    id: row.id,
    target: { type: row.target_type, id: row.target_id },
    category: row.category,
    comment: row.comment,
    createdAt: row.created_at,
    outcome: row.outcome,
    closedAt: row.closed_at,
  }
}

export function presentCase(
  row: ListedCaseRow,
  people: ReadonlyMap<number, PersonRow>,
): z.infer<typeof listCases.output>['cases'][number] {
  return {
    id: row.id,
    target: { type: row.target_type, id: row.target_id },
    state: row.is_open === 1 ? 'open' : 'closed',
    openedAt: row.opened_at,
    closedAt: row.closed_at,
    assignee: personOf(people, row.assignee_id),
    member: personOf(people, row.user_id),
    snapshot: snapshotOf(row),
    categories: row.categories ? (row.categories.split(',') as ReportRow['category'][]) : [],
    reportCount: row.report_count,
    isAppealed: Boolean(row.is_appealed),
  }
}

export function presentTitle(
  row: CardRow &
    Pick<TitleRow, 'overview' | 'created_at' | 'rating_count' | 'removed_at'> & {
      creator_id: number | null
      username: string | null
      picture: string | null
    },
): z.infer<typeof correctTitle.output>['title'] {
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    imageUrl: row.image,
    releaseYear: row.release_year,
    overview: row.overview,
    creator:
      row.creator_id === null
        ? null
        : presentPerson({ id: row.creator_id, username: row.username!, picture: row.picture }),
    createdAt: row.created_at,
    ratingCount: row.rating_count,
    isRemoved: row.removed_at !== null,
  }
}
