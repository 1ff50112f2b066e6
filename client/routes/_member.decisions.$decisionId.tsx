import { createFileRoute } from '@tanstack/react-router'
import { DecisionScreen } from '#client/moderation/decision-screen.tsx'
import { NotFoundPage } from './-shell/problems.tsx'
import { t } from '#shared/domain/message.ts'

export const Route = createFileRoute('/_member/decisions/$decisionId')({
  head: () => ({ meta: [{ title: t`A decision about your account` }] }),
  component: () => <DecisionScreen id={Number(Route.useParams().decisionId)} notFound={<NotFoundPage />} />,
})
