import type { RouterOutputs } from '#client/app/trpc.ts'
import {
  type DecisionAction,
  isPossible as canDecide,
  needsMember,
  reportCategories,
  type ReportCategory,
  targetNames,
} from '#shared/domain/moderation.ts'

type ListedCase = RouterOutputs['moderation']['list']['cases'][number]

type Named = Pick<ListedCase, 'target' | 'member'> & {
  snapshot: { text: string; title: { name: string } | null }
}
/** What is decided about: a case, or a title without reports. */
export type Decidable = Named & Pick<ListedCase, 'categories'>

/** The name of a case in the list: “Review by ann”. */
export function nameOf({ target, member, snapshot }: Named): string {
  if (target.type === 'user') return `Member ${member?.username ?? snapshot.text}`
  if (target.type === 'title') return `Title ${snapshot.title?.name ?? snapshot.text.split('\n')[0]}`
  return `${targetNames[target.type]} by ${member?.username ?? 'a deleted account'}`
}

/** The name of a case within a sentence: “the review by ann”, “ann”. */
function nameInSentence(found: Named): string {
  const name = nameOf(found)
  if (found.target.type === 'user') return name.replace('Member ', '')
  return `the ${name.charAt(0).toLowerCase()}${name.slice(1)}`
}

/** The question before a decision, and what is said after it. */
export function wordsOf(action: DecisionAction, found: Named): { question: string; done: string } {
  const what = nameInSentence(found)
  const who = found.member?.username ?? 'the member'
  const done = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)
  switch (action) {
    case 'dismiss':
      return { question: 'Dismiss the reports?', done: 'Dismissed: nothing changes' }
    case 'markSpoiler':
      return { question: `Mark ${what} as a spoiler?`, done: done(`${what} is marked as a spoiler`) }
    case 'remove':
      return { question: `Remove ${what}?`, done: done(`${what} is removed`) }
    case 'warn':
      return { question: `Warn ${who}?`, done: `${who} is warned` }
    case 'freeze':
      return { question: `Freeze ${who}?`, done: `${who} is frozen` }
    case 'suspend':
      return { question: `Suspend ${who}?`, done: `${who} is suspended` }
    case 'removeAll':
      return {
        question: `Suspend ${who} and remove everything?`,
        done: `${who} is suspended, and what they wrote is removed`,
      }
  }
}

/** Returns whether an action is possible for a case. */
export function isPossible(
  action: DecisionAction,
  { target, member }: Pick<ListedCase, 'target' | 'member'>,
) {
  return canDecide(action, target.type) && (member !== null || !needsMember(action))
}

/** The decisions that a report of a category asks for, the mildest that solves it first. */
const askedFor: Record<ReportCategory, readonly DecisionAction[]> = {
  spam: ['remove', 'warn'],
  harassment: ['remove', 'warn'],
  illegal: ['remove', 'suspend'],
  spoiler: ['markSpoiler', 'warn'],
  rule: ['remove', 'warn'],
  other: ['warn', 'remove'],
}

/** Returns the decision that the reports of a case ask for; undefined if none is possible. */
export function askedAction(
  found: Pick<ListedCase, 'target' | 'member' | 'categories'>,
): DecisionAction | undefined {
  return askedFor[found.categories[0] ?? 'other'].find((action) => isPossible(action, found))
}

/** The keys of decisions. Dismissing changes nothing, so it happens at once; all others ask first. */
export const decisionKeys: Readonly<Record<string, DecisionAction>> = {
  d: 'dismiss',
  m: 'markSpoiler',
  r: 'remove',
  w: 'warn',
  s: 'suspend',
}

/** Returns the key of a decision. */
export function keyOf(action: DecisionAction): string | undefined {
  return Object.keys(decisionKeys).find((key) => decisionKeys[key] === action)
}

/** The reason that the member reads if the moderator gives none: the first category of the reports. */
export function reasonOf({ categories }: Pick<ListedCase, 'categories'>): string {
  const [first] = categories
  return first === undefined || first === 'other' ? '' : reportCategories[first]
}
