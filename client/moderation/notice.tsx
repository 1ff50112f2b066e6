import { Link } from '@tanstack/react-router'
import { trpc } from '#client/app/trpc.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { useDates } from '#client/ui/dates.ts'
import { isRestriction } from '#shared/domain/moderation.ts'
import { decisionHeadings } from './decision-headings.ts'
import { t } from '#shared/domain/message.ts'

export function ModerationNotice() {
  const { data } = trpc.moderation.myDecisions.useQuery()
  const { date } = useDates()
  const decision = data?.decisions.find(
    ({ action, endedAt, needsConfirmation }) =>
      needsConfirmation || (endedAt === null && isRestriction(action)),
  )
  if (!decision) return null
  return (
    <div role="status" className="border-b border-danger/35 bg-danger/8">
      <div className="page flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
        <p className="text-label">
          {decision.until === null
            ? `${decisionHeadings[decision.action]}.`
            : t`${decisionHeadings[decision.action]} until ${date(decision.until)}.`}
        </p>
        <ButtonLink
          size="sm"
          variant="outline"
          render={<Link to="/decisions/$decisionId" params={{ decisionId: String(decision.id) }} />}
        >
          {decision.needsConfirmation ? t`Read and confirm` : t`Why, and how to appeal`}
        </ButtonLink>
      </div>
    </div>
  )
}
