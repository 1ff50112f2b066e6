import type { RouterOutputs } from '#client/app/trpc.ts'
import {
  type DecisionAction,
  isPossible as canDecide,
  needsMember,
  reportCategories,
  type ReportCategory,
} from '#shared/domain/moderation.ts'
import { t } from '#shared/domain/message.ts'

type ListedCase = RouterOutputs['moderation']['list']['cases'][number]

type Named = Pick<ListedCase, 'target' | 'member'> & {
  snapshot: { text: string; title: { name: string } | null }
}
export type Decidable = Named & Pick<ListedCase, 'categories'>

export function nameOf({ target, member, snapshot }: Named): string {
  const name = member?.username ?? t`a deleted account`
  return {
    user: () => t`Member ${member?.username ?? snapshot.text}`,
    title: () => t`Title ${titleOf(snapshot)}`,
    review: () => t`Review by ${name}`,
    comment: () => t`Comment by ${name}`,
    list: () => t`List by ${name}`,
  }[target.type]()
}

function titleOf(snapshot: Named['snapshot']): string {
  return snapshot.title?.name ?? snapshot.text.split('\n')[0]!
}

export function wordsOf(action: DecisionAction, found: Named): { question: string; done: string } {
  const { target, member, snapshot } = found
  const name = member?.username ?? t`a deleted account`
  const who = member?.username ?? t`the member`
  const title = titleOf(snapshot)
  switch (action) {
    case 'dismiss':
      return { question: t`Dismiss the reports?`, done: t`Dismissed: nothing changes` }
    case 'markSpoiler':
      return target.type === 'comment'
        ? {
            question: t`Mark the comment by ${name} as a spoiler?`,
            done: t`The comment by ${name} is marked as a spoiler`,
          }
        : {
            question: t`Mark the review by ${name} as a spoiler?`,
            done: t`The review by ${name} is marked as a spoiler`,
          }
    case 'remove':
      return {
        user: { question: t`Remove ${who}?`, done: t`${who} is removed` },
        title: { question: t`Remove the title ${title}?`, done: t`The title ${title} is removed` },
        review: { question: t`Remove the review by ${name}?`, done: t`The review by ${name} is removed` },
        comment: { question: t`Remove the comment by ${name}?`, done: t`The comment by ${name} is removed` },
        list: { question: t`Remove the list by ${name}?`, done: t`The list by ${name} is removed` },
      }[target.type]
    case 'warn':
      return { question: t`Warn ${who}?`, done: t`${who} is warned` }
    case 'freeze':
      return { question: t`Freeze ${who}?`, done: t`${who} is frozen` }
    case 'suspend':
      return { question: t`Suspend ${who}?`, done: t`${who} is suspended` }
    case 'removeAll':
      return {
        question: t`Suspend ${who} and remove everything?`,
        done: t`${who} is suspended, and what they wrote is removed`,
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
