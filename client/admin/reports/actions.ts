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
export type Decidable = Named & Pick<ListedCase, 'categories'>

export function nameOf({ target, member, snapshot }: Named): string {
  if (target.type === 'user') return `Member ${member?.username ?? snapshot.text}`
  if (target.type === 'title') return `Title ${snapshot.title?.name ?? snapshot.text.split('\n')[0]}`
  return `${targetNames[target.type]} by ${member?.username ?? 'a deleted account'}`
}

function nameInSentence(found: Named): string {
  const name = nameOf(found)
  if (found.target.type === 'user') return name.replace('Member ', '')
  return `the ${name.charAt(0).toLowerCase()}${name.slice(1)}`
}

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

export function isPossible(
  action: DecisionAction,
  { target, member }: Pick<ListedCase, 'target' | 'member'>,
) {
  return canDecide(action, target.type) && (member !== null || !needsMember(action))
}

/** The decisions that a report asks for, the mildest sufficient one first. */
const askedFor: Record<ReportCategory, readonly DecisionAction[]> = {
  spam: ['remove', 'warn'],
  harassment: ['remove', 'warn'],
  illegal: ['remove', 'suspend'],
  spoiler: ['markSpoiler', 'warn'],
  rule: ['remove', 'warn'],
  other: ['warn', 'remove'],
}

export function askedAction(
  found: Pick<ListedCase, 'target' | 'member' | 'categories'>,
): DecisionAction | undefined {
  return askedFor[found.categories[0] ?? 'other'].find((action) => isPossible(action, found))
}

/** Dismissing changes nothing, so it happens at once; all others ask first. */
export const decisionKeys: Readonly<Record<string, DecisionAction>> = {
  d: 'dismiss',
  m: 'markSpoiler',
  r: 'remove',
  w: 'warn',
  s: 'suspend',
}

export function keyOf(action: DecisionAction): string | undefined {
  return Object.keys(decisionKeys).find((key) => decisionKeys[key] === action)
}

export function reasonOf({ categories }: Pick<ListedCase, 'categories'>): string {
  const [first] = categories
  return first === undefined || first === 'other' ? '' : reportCategories[first]
}
