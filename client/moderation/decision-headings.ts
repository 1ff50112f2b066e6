import type { DecisionAction } from '#shared/domain/moderation.ts'
import { t } from '#shared/domain/message.ts'

export const decisionHeadings: Record<DecisionAction, string> = {
  dismiss: t`Nothing was decided`,
  markSpoiler: t`Your text was marked as a spoiler`,
  remove: t`What you posted was removed`,
  warn: t`You received a warning`,
  freeze: t`Your account is frozen`,
  suspend: t`Your account is suspended`,
  removeAll: t`Your account is suspended, and what you wrote was removed`,
}
