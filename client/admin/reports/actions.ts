import {
  type DecisionAction,
  isPossible as canDecide,
  needsMember,
  reportCategories,
  targetNames,
} from '#shared/contracts/moderation.ts'
import type { ListedCase } from './hooks.ts'

/** The name of a case in the list: “Review by ann”. */
export function nameOf({
  target,
  member,
  snapshot,
}: Pick<ListedCase, 'target' | 'member' | 'snapshot'>): string {
  if (target.type === 'user') return `Member ${member?.username ?? snapshot.text}`
  if (target.type === 'title') return `Title ${snapshot.title?.name ?? snapshot.text.split('\n')[0]}`
  return `${targetNames[target.type]} by ${member?.username ?? 'a deleted account'}`
}

/** Returns whether an action is possible for a case. */
export function isPossible(
  action: DecisionAction,
  { target, member }: Pick<ListedCase, 'target' | 'member'>,
) {
  return canDecide(action, target.type) && (member !== null || !needsMember(action))
}

const quick = (key: string, action: DecisionAction, words: string) => ({
  key,
  action,
  words,
  on: (one: ListedCase) => isPossible(action, one),
})

/** The decisions that one key makes. */
export const quickActions = [
  quick('d', 'dismiss', 'dismiss: nothing changes'),
  quick('r', 'remove', 'remove: only its author still sees it'),
  quick('s', 'suspend', 'suspend the member for good'),
]

/** The reason that the member reads if the moderator gives none: the first category of the reports. */
export function quickReason(action: DecisionAction, { categories }: Pick<ListedCase, 'categories'>): string {
  const [first] = categories
  return action === 'dismiss' || first === undefined || first === 'other' ? '' : reportCategories[first]
}
