import { t } from './message.ts'

export const reportTargets = ['review', 'comment', 'user', 'title', 'list'] as const
export type ReportTarget = (typeof reportTargets)[number]

export const targetNames: Record<ReportTarget, string> = {
  review: t`Review`,
  comment: t`Comment`,
  user: t`Member`,
  title: t`Title`,
  list: t`List`,
}

export const reportCategories = {
  spam: t`Spam`,
  harassment: t`Harassment or hate`,
  illegal: t`Illegal content`,
  spoiler: t`Unmarked spoilers`,
  rule: t`Breaks a rule of this site`,
  other: t`Something else`,
} as const
export type ReportCategory = keyof typeof reportCategories
export const reportCategoryNames = Object.keys(reportCategories) as [ReportCategory, ...ReportCategory[]]

export type ReportOutcome = 'removed' | 'handled'

export const decisionActions = {
  dismiss: { name: t`Dismiss`, effect: t`Nothing changes.`, on: reportTargets },
  markSpoiler: {
    name: t`Mark as spoiler`,
    effect: t`The text is shown only after a click.`,
    on: ['review', 'comment'],
  },
  remove: {
    name: t`Remove`,
    effect: t`Only its author still sees it, with the reason. It is destroyed after 30 days.`,
    on: ['review', 'comment', 'title', 'list'],
  },
  warn: {
    name: t`Warn`,
    effect: t`The member must confirm a notice with the reason.`,
    on: reportTargets,
  },
  freeze: {
    name: t`Freeze`,
    effect: t`The member can read, export, appeal and delete the account, but write nothing.`,
    on: reportTargets,
  },
  suspend: {
    name: t`Suspend`,
    effect: t`The member is logged out everywhere and hidden with everything they wrote.`,
    on: reportTargets,
  },
  removeAll: {
    name: t`Suspend and remove everything`,
    effect: t`Suspends the member and removes their reviews, comments, lists and pictures. They are destroyed after 30 days.`,
    on: reportTargets,
  },
} as const satisfies Record<string, { name: string; effect: string; on: readonly ReportTarget[] }>
export type DecisionAction = keyof typeof decisionActions
export const decisionActionNames = Object.keys(decisionActions) as [DecisionAction, ...DecisionAction[]]

/** About the member, not only about posts: not possible without an account. */
export function needsMember(action: DecisionAction): boolean {
  return action === 'warn' || isRestriction(action)
}

export function isPossible(action: DecisionAction, type: ReportTarget): boolean {
  return (decisionActions[action].on as readonly ReportTarget[]).includes(type)
}

export type DecisionEnd = 'undone' | 'expired' | 'accepted'

export const restrictions = ['freeze', 'suspend', 'removeAll'] as const

export function isRestriction(action: string): action is (typeof restrictions)[number] {
  return (restrictions as readonly string[]).includes(action)
}
