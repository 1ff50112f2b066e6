import { Link } from '@tanstack/react-router'
import { PenLine } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { toMember } from '#client/app/links.ts'
import { MemberMenu } from '#client/members/member-menu.tsx'
import { RemovedNote } from '#client/app/removed-note.tsx'
import { useSession } from '#client/app/session.ts'
import { trpc } from '#client/app/trpc.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { Button } from '#client/ui/button.tsx'
import { lazyComponent } from '#client/ui/lazy.ts'
import { Stars } from '#client/ui/stars.tsx'
import { Time } from '#client/ui/time.tsx'
import { messages } from '#shared/texts/messages.ts'
import { Comments, CommentsToggle } from './comments-toggle.tsx'
import type { Review } from './hooks.ts'
import { Reactions } from './reactions.tsx'
import { ShareReview } from './share-review.tsx'
import { SpoilerText, WithheldText } from './spoiler-text.tsx'
import { type ReviewedTitle, reviewedPath } from './title.ts'
import { t } from '#shared/domain/message.ts'

const {
  Component: ReviewEditor,
  opens,
  useIsLoaded,
} = lazyComponent(async () => (await import('./review-editor.tsx')).ReviewEditor)

const { AutoLoaded: DeleteReview } = lazyComponent(
  async () => (await import('./delete-review.tsx')).DeleteReview,
)

const longText = 900

export function ReviewItem({
  title,
  review,
  onDeleted,
}: {
  title: ReviewedTitle
  review: Review
  onDeleted: () => void
}) {
  const isOwn = useSession()?.user.id === review.userId
  const [wantsEdit, setEditing] = useState(false)
  const isEditing = useIsLoaded() && wantsEdit
  const [isOpen, setOpen] = useState(false)
  const editButton = useRef<HTMLButtonElement>(null)
  const wasEditing = useRef(false)
  const panelId = useId()
  const { reviews } = trpc.useUtils()

  useEffect(() => {
    if (wasEditing.current && !isEditing) editButton.current?.focus()
    wasEditing.current = isEditing
  }, [isEditing])

  const { user } = review
  return (
    <article
      aria-label={t`Review by ${user.username}`}
      className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3.5"
    >
      <Link {...toMember(user.id)} tabIndex={-1} aria-hidden className="self-start rounded-full">
        <Avatar name={user.username} src={user.profilePicture} size="lg" />
      </Link>
      <div>
        <div className="flex flex-wrap items-center justify-between gap-x-3">
          <p className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-0.5">
            <Link
              {...toMember(user.id)}
              className="-my-2.5 rounded-sm py-2.5 text-label wrap-anywhere hover:underline"
            >
              <bdi>{user.username}</bdi>
            </Link>
            {isEditing ? null : <Stars value={review.rating} className="text-meta" />}
            <Link
              to={reviewedPath(title)}
              search={{ review: review.id }}
              resetScroll={false}
              viewTransition={false}
              // The page shows it without a request.
              onClick={() => reviews.byId.setData({ id: review.id }, { review })}
              className="inline-flex min-h-6 items-center rounded-sm text-meta text-muted hover:underline"
            >
              <Time value={review.createdAt} relative />
            </Link>
          </p>
          {isOwn && !isEditing ? (
            <div className="-me-3 flex max-sm:-ms-3.5">
              <Button
                ref={editButton}
                variant="ghost"
                size="sm"
                icon={<PenLine aria-hidden />}
                {...opens(() => setEditing(true))}
              >
                Edit
              </Button>
              <DeleteReview title={title} review={review} onDeleted={onDeleted} />
            </div>
          ) : null}
        </div>
      </div>
      {/* On a phone below the picture too. */}
      <div className="max-sm:col-span-2 sm:col-start-2">
        {isEditing ? (
          <ReviewEditor title={title} review={review} onDone={() => setEditing(false)} />
        ) : (
          <ReviewText review={review} isOwn={isOwn} />
        )}
        <div className="mt-2 -me-[10px] -ms-2 flex flex-wrap items-center sm:-ms-3.5 sm:gap-x-1">
          <Reactions review={review} />
          <CommentsToggle
            count={review.commentCount}
            isOpen={isOpen}
            panelId={panelId}
            onClick={() => setOpen(!isOpen)}
          />
          <ShareReview title={title} review={review} />
          <MemberMenu userId={user.id} name={user.username} reviewId={review.id} className="max-sm:w-8!" />
        </div>
        <Comments id={panelId} title={title} reviewId={review.id} isOpen={isOpen} />
      </div>
    </article>
  )
}

type Shown = Pick<Review, 'id' | 'text' | 'hasSpoilers' | 'safeUpTo' | 'isWithheld' | 'isRemoved'>
type TextProps = { review: Shown; isOwn: boolean; isRevealed?: boolean | undefined }

function ReviewText({ review, isOwn, isRevealed }: TextProps): ReactNode {
  const { id, text, safeUpTo } = review
  const [isFolded, setFolded] = useState(text.length > longText)
  if (review.isRemoved) return <RemovedText text={text} />
  if (review.isWithheld)
    return (
      <WithheldText reviewId={id} safeUpTo={safeUpTo}>
        {(revealed) => <ReviewText review={{ id, ...revealed }} isOwn={isOwn} isRevealed />}
      </WithheldText>
    )
  if (text === '') return <p className="text-review text-muted italic">{messages.noComment}</p>
  return (
    <>
      <SpoilerText
        value={review}
        isOwn={isOwn}
        isRevealed={isRevealed}
        label="This review contains spoilers. Show it"
        className={`max-w-[43.3em] text-review wrap-anywhere whitespace-pre-line ${isFolded ? 'line-clamp-8' : ''}`}
      />
      {isFolded ? (
        <button type="button" className="link mt-1 min-h-9 text-meta" onClick={() => setFolded(false)}>
          Read more
        </button>
      ) : null}
    </>
  )
}

function RemovedText({ text }: { text: string }) {
  return (
    <>
      <RemovedNote what="review" />
      <p dir="auto" className="mt-1 max-w-[43.3em] text-review wrap-anywhere whitespace-pre-line text-muted">
        {text}
      </p>
    </>
  )
}
