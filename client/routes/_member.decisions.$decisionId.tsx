import { createFileRoute } from '@tanstack/react-router'
import { DecisionScreen } from '#client/moderation/decision-screen.tsx'
import { NotFoundPage } from './-shell/problems.tsx'

export const Route = createFileRoute('/_member/decisions/$decisionId')({
  head: () => ({ meta: [{ title: 'A decision about your account' }] }),
  component: () => <DecisionScreen id={Number(Route.useParams().decisionId)} notFound={<NotFoundPage />} />,
})
