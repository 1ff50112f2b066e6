import { Link } from '@tanstack/react-router'

export function RemovedNote({ what }: { what: 'review' | 'list' }) {
  return (
    <p className="text-meta font-semibold text-danger">
      A moderator removed this {what}. Only you still see it.{' '}
      <Link to="/settings" search={{ tab: 'account' }} className="link">
        Why, and how to appeal
      </Link>
    </p>
  )
}
