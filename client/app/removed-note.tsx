import { Link } from '@tanstack/react-router'
import { t } from '#shared/domain/message.ts'

export function RemovedNote({ what }: { what: 'review' | 'list' }) {
  return (
    <p className="text-meta font-semibold text-danger">
      {what === 'review'
        ? t`A moderator removed this review. Only you still see it.`
        : t`A moderator removed this list. Only you still see it.`}{' '}
      <Link to="/settings" search={{ tab: 'account' }} className="link">
        Why, and how to appeal
      </Link>
    </p>
  )
}
