/** What can be reported. */
export const reportTargets = ['review', 'comment', 'user', 'title', 'list'] as const
export type ReportTarget = (typeof reportTargets)[number]

/** What the web app calls a target of a report. */
export const targetNames: Record<ReportTarget, string> = {
  review: 'Review',
  comment: 'Comment',
  user: 'Member',
  title: 'Title',
  list: 'List',
}

/** The categories of reports, with the words that the web app shows. */
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

/** What became of a report. */
export type ReportOutcome = 'removed' | 'handled'

/** What a decision does, with the words that the web app shows. `on` lists what it can be about. */
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

/** Returns whether an action is about the member, not only about what they posted: without an account it is not possible. */
export function needsMember(action: DecisionAction): boolean {
  return action === 'warn' || isRestriction(action)
}

/** Returns whether what is reported can be decided about in this way. */
export function isPossible(action: DecisionAction, type: ReportTarget): boolean {
  return (decisionActions[action].on as readonly ReportTarget[]).includes(type)
}

/** How a decision ended. */
export type DecisionEnd = 'undone' | 'expired' | 'accepted'

/** The decisions that change what a member may do, mildest first. */
export const restrictions = ['freeze', 'suspend', 'removeAll'] as const

/** Returns whether a decision restricts a member. */
export function isRestriction(action: string): action is (typeof restrictions)[number] {
  return (restrictions as readonly string[]).includes(action)
}
