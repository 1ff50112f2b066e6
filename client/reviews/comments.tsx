import { Link } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { cloneElement, type ReactElement, type SubmitEvent, useRef, useState } from 'react'
import { toMember } from '#client/app/links.ts'
import { ReportButton } from '#client/members/report-button.tsx'
import { useSession } from '#client/app/session.ts'
import { errorText } from '#client/app/trpc.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { Button, IconButton, SubmitButton } from '#client/ui/button.tsx'
import { Checkbox } from '#client/ui/checkbox.tsx'
import { useDraft } from '#client/ui/draft.ts'
import { TextArea } from '#client/ui/field.tsx'
import { useFormats } from '#client/ui/formats.ts'
import { useQuestion } from '#client/ui/question.tsx'
import { SkeletonText } from '#client/ui/skeleton.tsx'
import { Time } from '#client/ui/time.tsx'
import { useLogInLink } from '#client/app/log-in.tsx'
import { commentPath, useDeleted } from '#client/app/deleted.ts'
import { commentTextMax } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import {
  type Comment,
  useAddComment,
  useComments,
  useEarlierComments,
  useRemoveComment,
} from './comment-hooks.ts'
import { SafeUpTo } from './safe-up-to.tsx'
import { SpoilerText, WithheldText } from './spoiler-text.tsx'
import type { ReviewedTitle } from './title.ts'
import type { ShownSafeUpTo } from '#shared/contracts/reviews.ts'
import { t } from '#shared/domain/message.ts'

/** Use `Comments`, which lazy-loads this. */
export function CommentsPanel({
  title,
  reviewId,
  onRemoved,
}: {
  title: ReviewedTitle
  reviewId: number
  onRemoved: () => void
}) {
  const user = useSession()?.user
  return (
    <>
      <CommentList reviewId={reviewId} userId={user?.id} onRemoved={onRemoved} />
      {user === undefined ? (
        <JoinLink />
      ) : (
        <CommentForm key={user.id} title={title} reviewId={reviewId} userId={user.id} />
      )}
    </>
  )
}

function CommentList({
  reviewId,
  userId,
  onRemoved,
}: {
  reviewId: number
  userId: number | undefined
  onRemoved: () => void
}) {
  const comments = useComments(reviewId)
  const list = useRef<HTMLOListElement>(null)
  const deleted = useDeleted()
  if (comments.isPending)
    return (
      <div role="status" aria-label={messages.loading}>
        <SkeletonText lines={3} />
      </div>
    )
  if (comments.isLoadingError)
    return (
      <div role="alert" className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-meta">{messages.commentsFailed}</p>
        <Button size="sm" variant="outline" onClick={() => void comments.refetch()}>
          Try again
        </Button>
      </div>
    )
  const { total } = comments.data
  const shown = comments.data.comments.filter(({ id }) => !deleted.has(commentPath(id)))
  if (shown.length === 0) return <p className="text-meta text-muted">No comments yet.</p>
  return (
    <>
      {total > shown.length && shown[0] ? (
        <EarlierComments
          reviewId={reviewId}
          shown={shown.length}
          total={total}
          before={shown[0].id}
          onAll={() => list.current?.focus()}
        />
      ) : null}
      <ol ref={list} tabIndex={-1} aria-label="Comments" className="grid gap-4">
        {shown.map((comment, index) => (
          <li key={comment.id}>
            <CommentItem
              reviewId={reviewId}
              comment={comment}
              next={shown[index + 1]?.id}
              isOwn={comment.author.id === userId}
              onRemoved={onRemoved}
            />
          </li>
        ))}
      </ol>
    </>
  )
}

function EarlierComments({
  reviewId,
  shown,
  total,
  before,
  onAll,
}: {
  reviewId: number
  shown: number
  total: number
  before: number
  onAll: () => void
}) {
  const { count } = useFormats()
  const earlier = useEarlierComments(reviewId)
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p role="status" className="text-meta text-muted tabular-nums">
        The last {count(shown)} of {count(total)}.
      </p>
      <Button
        size="sm"
        variant="outline"
        busy={earlier.isPending}
        busyLabel="Loading…"
        onClick={() =>
          earlier.mutate(before, {
            onSuccess({ comments }) {
              // The button disappears, so the focus must move.
              if (shown + comments.length >= total) onAll()
            },
          })
        }
      >
        Show earlier comments
      </Button>
      {earlier.isError ? (
        <p role="alert" className="w-full text-meta text-danger">
          {errorText(earlier.error, messages.commentsFailed)}
        </p>
      ) : null}
    </div>
  )
}

function CommentItem({
  reviewId,
  comment,
  next,
  isOwn,
  onRemoved,
}: {
  reviewId: number
  comment: Comment
  /** The id of the comment after this one. */
  next: number | undefined
  isOwn: boolean
  onRemoved: () => void
}) {
  const { author, createdAt } = comment
  const remove = useRemoveComment(reviewId)
  const [ask, question] = useQuestion()
  return (
    <article
      aria-label={t`Comment by ${author.username}`}
      className="grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-3"
    >
      <Avatar name={author.username} src={author.profilePicture} size="sm" />
      <div className="min-w-0 pt-0.5">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <Link
            {...toMember(author.id)}
            className="inline-flex min-h-6 items-center rounded-sm text-meta font-semibold wrap-anywhere hover:underline"
          >
            <bdi>{author.username}</bdi>
          </Link>
          <Time value={createdAt} relative className="text-tiny text-muted" />
        </p>
        {comment.isWithheld ? (
          <WithheldText {...{ reviewId, commentId: comment.id, next, safeUpTo: comment.safeUpTo }}>
            {(text) => <CommentText comment={text} isOwn={isOwn} isRevealed />}
          </WithheldText>
        ) : (
          <CommentText comment={comment} isOwn={isOwn} />
        )}
      </div>
      {isOwn ? (
        <IconButton
          label="Delete comment"
          className="-mt-1.5 -me-2"
          aria-haspopup="dialog"
          onClick={() =>
            ask({
              title: t`Delete this comment?`,
              description: t`For a few seconds you can bring it back.`,
              label: t`Delete`,
              canUndo: true,
              onConfirm() {
                remove(comment.id)
                onRemoved()
              },
            })
          }
        >
          <Trash2 aria-hidden />
        </IconButton>
      ) : (
        <ReportButton
          type="comment"
          id={comment.id}
          heading={t`Report comment by ${author.username}`}
          authorId={author.id}
          className="-mt-1.5 -me-2"
        />
      )}
      {question}
    </article>
  )
}

function CommentText({
  comment,
  isOwn,
  isRevealed,
}: {
  comment: Pick<Comment, 'text' | 'hasSpoilers'>
  isOwn: boolean
  isRevealed?: boolean | undefined
}) {
  return (
    <SpoilerText
      value={comment}
      isOwn={isOwn}
      isRevealed={isRevealed}
      label="This comment contains spoilers. Show it"
      className="mt-0.5 max-w-[43.3em] text-label leading-normal font-normal wrap-anywhere whitespace-pre-line"
    />
  )
}

function CommentForm({
  title,
  reviewId,
  userId,
}: {
  title: ReviewedTitle
  reviewId: number
  userId: number
}) {
  const add = useAddComment(reviewId)
  const { text, ...draft } = useDraft(`comment ${reviewId} ${userId}`, '')
  const [hasSpoilers, setHasSpoilers] = useState(false)
  const [safeUpTo, setSafeUpTo] = useState<ShownSafeUpTo | null>(null)
  const [problem, setProblem] = useState<string>()
  const [said, setSaid] = useState('')
  const area = useRef<HTMLTextAreaElement>(null)

  function send(event: SubmitEvent) {
    event.preventDefault()
    if (add.isPending) return
    setSaid('')
    if (text.trim() === '') {
      setProblem(messages.commentEmpty)
      area.current?.focus()
      return
    }
    add.mutate(
      { id: reviewId, text, hasSpoilers, safeUpTo },
      {
        onSuccess() {
          draft.clear()
          setHasSpoilers(false)
          setSafeUpTo(null)
          setProblem(undefined)
          setSaid(t`Your comment is posted.`)
        },
        onError: (error) => setProblem(errorText(error, messages.commentFailed)),
      },
    )
  }

  return (
    <form className="mt-4 grid gap-3" onSubmit={send}>
      <TextArea
        ref={area}
        label="Your comment"
        hideLabel
        rows={1}
        value={text}
        onChange={(next) => {
          draft.set(next)
          setProblem(undefined)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
            event.currentTarget.form?.requestSubmit()
        }}
        readOnly={add.isPending}
        limit={commentTextMax}
        error={problem}
        placeholder="Add a comment"
      />
      <Checkbox
        label="My comment contains spoilers"
        checked={hasSpoilers}
        onChange={setHasSpoilers}
        disabled={add.isPending}
      />
      <SafeUpTo title={title} value={safeUpTo} onChange={setSafeUpTo} disabled={add.isPending} />
      <p role="status" className="sr-only">
        {said}
      </p>
      <div className="actions">
        <SubmitButton busy={add.isPending} busyLabel="Posting…" variant="outline">
          Post comment
        </SubmitButton>
      </div>
    </form>
  )
}

function JoinLink() {
  const link = useLogInLink() as ReactElement<{ className?: string; children?: string }>
  return (
    <p className="mt-4 text-meta">
      {cloneElement(link, {
        className: 'link inline-flex min-h-9 items-center',
        children: messages.logInToDiscuss,
      })}
    </p>
  )
}
