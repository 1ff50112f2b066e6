import type { DecisionAction } from '#shared/domain/moderation.ts'

export const decisionHeadings: Record<DecisionAction, string> = {
  dismiss: 'Nothing was decided',
  markSpoiler: 'Your text was marked as a spoiler',
  remove: 'What you posted was removed',
  warn: 'You received a warning',
  freeze: 'Your account is frozen',
  suspend: 'Your account is suspended',
  removeAll: 'Your account is suspended, and what you wrote was removed',
}
