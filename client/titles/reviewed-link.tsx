import { Link } from '@tanstack/react-router'
import type { RouterOutputs } from '#client/app/trpc.ts'
import { withPart } from './part-name.ts'
import { reviewedPage } from './reviewed-page.ts'

type Decision = RouterOutputs['moderation']['myDecision']['decision']

/** What a review or a comment is about: a title, or a season or an episode of it. */
export function ReviewedLink({
  title,
  about,
  className,
}: {
  title: NonNullable<Decision['title']>
  about: Decision['about']
  className: string
}) {
  return (
    <Link to={reviewedPage(title, about)} className={className}>
      <bdi>{withPart(title.name, about)}</bdi>
    </Link>
  )
}
