import { clsx } from 'clsx'
import { Link2, Share2 } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { copyLink } from '#client/app/copy-link.ts'
import { useSession } from '#client/app/session.ts'
import { ShareButton } from '#client/app/share-button.tsx'
import { IconButton } from '#client/ui/button.tsx'
import type { Review } from './hooks.ts'
import { type ReviewedTitle, reviewedPath } from './title.ts'
import { t } from '#shared/domain/message.ts'

type Shared = Pick<Review, 'id' | 'user' | 'userId' | 'updatedAt' | 'isRemoved'>

/** One’s own with a picture, others by their link. */
export function ShareReview({ title, review }: { title: ReviewedTitle; review: Shared }) {
  const isOwn = useSession()?.user.id === review.userId
  if (!isOwn) return <ShareLink title={title} review={review} />
  if (review.isRemoved) return null
  return (
    <ShareButton
      label="Share"
      className="max-sm:w-8!"
      shared={{ subject: 'reviews', id: review.id }}
      what="your review"
      path={permalink(title, review)}
      version={review.updatedAt}
      missing="The picture could not be drawn. Try again later."
    />
  )
}

const permalink = (title: ReviewedTitle, { id }: Shared) => `${reviewedPath(title)}?review=${id}`

function ShareLink({ title, review }: { title: ReviewedTitle; review: Shared }) {
  const canShare = useSyncExternalStore(
    () => () => {},
    () => 'share' in navigator,
    () => false,
  )
  const url = () => new URL(permalink(title, review), location.href).href

  return (
    <>
      {/* On touch devices the share sheet copies too. */}
      <IconButton
        label="Copy link"
        onClick={() => void copyLink(url())}
        className={clsx('max-sm:w-8!', canShare && 'pointer-coarse:hidden')}
      >
        <Link2 aria-hidden />
      </IconButton>
      {canShare ? (
        <IconButton
          label="Share"
          className="max-sm:w-8!"
          onClick={() =>
            void navigator.share({ title: t`Review by ${review.user.username}`, url: url() }).catch(() => {})
          }
        >
          <Share2 aria-hidden />
        </IconButton>
      ) : null}
    </>
  )
}
