export const reportTargets = ['review', 'comment', 'user', 'title', 'list'] as const
export type ReportTarget = (typeof reportTargets)[number]

export const targetNames: Record<ReportTarget, string> = {
  review: 'Review',
  comment: 'Comment',
  user: 'Member',
  title: 'Title',
  list: 'List',
}

export const reportCategories = {
  spam: 'Spam',
  harassment: 'Harassment or hate',
  illegal: 'Illegal content',
  spoiler: 'Unmarked spoilers',
  rule: 'Breaks a rule of this site',
  other: 'Something else',
} as const
export type ReportCategory = keyof typeof reportCategories
export const reportCategoryNames = Object.keys(reportCategories) as [ReportCategory, ...ReportCategory[]]

export type ReportOutcome = 'removed' | 'handled'

export const decisionActions = {
  dismiss: { name: 'Dismiss', effect: 'Nothing changes.', on: reportTargets },
  markSpoiler: {
    name: 'Mark as spoiler',
    effect: 'The text is shown only after a click.',
    on: ['review', 'comment'],
  },
  remove: {
    name: 'Remove',
    effect: 'Only its author still sees it, with the reason. It is destroyed after 30 days.',
    on: ['review', 'comment', 'title', 'list'],
  },
  warn: {
    name: 'Warn',
    effect: 'The member must confirm a notice with the reason.',
    on: reportTargets,
  },
  freeze: {
    name: 'Freeze',
    effect: 'The member can read, export, appeal and delete the account, but write nothing.',
    on: reportTargets,
  },
  suspend: {
    name: 'Suspend',
    effect: 'The member is logged out everywhere and hidden with everything they wrote.',
    on: reportTargets,
  },
  removeAll: {
    name: 'Suspend and remove everything',
    effect:
      'Suspends the member and removes their reviews, comments, lists and pictures. They are destroyed after 30 days.',
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
