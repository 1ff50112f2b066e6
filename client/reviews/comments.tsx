import { Link } from '@tanstack/react-router'
import { MessageCircle, Trash2 } from 'lucide-react'
import { cloneElement, type ReactElement, type SubmitEvent, useRef, useState } from 'react'
import { useSession } from '#client/session.ts'
import { errorText } from '#client/trpc.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { Button, IconButton } from '#client/ui/button.tsx'
import { useDraft } from '#client/ui/draft.ts'
import { TextArea } from '#client/ui/field.tsx'
import { useFormats } from '#client/ui/formats.ts'
import { SkeletonText } from '#client/ui/skeleton.tsx'
import { Time } from '#client/ui/time.tsx'
import { toasts } from '#client/ui/toasts.ts'
import { commentTextMax } from '#shared/limits.ts'
import { messages } from '#shared/messages.ts'
import { type Comment, useAddComment, useComments, useEarlierComments, useRemoveComment } from './hooks.ts'
import { useLogInLink } from '#client/log-in.tsx'

export function CommentsToggle({
  count,
  isOpen,
  panelId,
  onClick,
}: {
  count: number
  isOpen: boolean
  panelId: string
  onClick: () => void
}) {
  return (
    <Button
      variant="ghost"
      icon={<MessageCircle aria-hidden />}
      aria-expanded={isOpen}
      aria-controls={panelId}
      onClick={onClick}
      className="px-2.5! text-meta! tabular-nums sm:px-3.5! aria-expanded:text-ink"
    >
      Comments ({count})
    </Button>
  )
}

/** The comments of a review and the form for another. Always rendered, since the toggle's aria-controls refers to it. */
export function Comments({ id, reviewId, isOpen }: { id: string; reviewId: number; isOpen: boolean }) {
  const user = useSession()?.user
  const panel = useRef<HTMLDivElement>(null)
  return (
    <div
      id={id}
      ref={panel}
      tabIndex={-1}
      hidden={!isOpen}
      className="mt-2 rounded-card bg-raised/60 p-4 sm:p-5"
    >
      {isOpen ? (
        <>
          <CommentList reviewId={reviewId} userId={user?.id} onRemoved={() => panel.current?.focus()} />
          {user === undefined ? (
            <JoinLink />
          ) : (
            <CommentForm key={user.id} reviewId={reviewId} userId={user.id} />
          )}
        </>
      ) : null}
    </div>
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
  const { comments: shown, total } = comments.data
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
        {shown.map((comment) => (
          <li key={comment.id}>
            <CommentItem
              reviewId={reviewId}
              comment={comment}
              isOwn={comment.author.id === userId}
              onRemoved={onRemoved}
            />
          </li>
        ))}
      </ol>
    </>
  )
}

/** Loads the comments before those shown; at first a long list shows its last ones. */
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
  isOwn,
  onRemoved,
}: {
  reviewId: number
  comment: Comment
  isOwn: boolean
  onRemoved: () => void
}) {
  const { author, text, createdAt } = comment
  const remove = useRemoveComment(reviewId)
  return (
    <article
      aria-label={`Comment by ${author.username}`}
      className="grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-3"
    >
      <Avatar name={author.username} src={author.profilePicture} size="sm" />
      <div className="min-w-0 pt-0.5">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <Link
            to="/user/$userId"
            params={{ userId: String(author.id) }}
            className="-my-2 rounded-sm py-2 text-meta font-semibold wrap-break-word hover:underline"
          >
            {author.username}
          </Link>
          <Time value={createdAt} relative className="text-tiny text-muted" />
        </p>
        <p className="mt-0.5 max-w-[43.3em] text-label leading-normal font-normal wrap-break-word whitespace-pre-line">
          {text}
        </p>
      </div>
      {isOwn ? (
        <IconButton
          label="Delete comment"
          size="sm"
          busy={remove.isPending}
          className="-mt-1"
          onClick={() =>
            remove.mutate(
              { id: comment.id },
              {
                onSuccess: ({ message }) => {
                  toasts.add({ title: message })
                  onRemoved()
                },
                onError: (error) =>
                  toasts.add({
                    tone: 'error',
                    title: 'The comment is still there',
                    description: errorText(error),
                  }),
              },
            )
          }
        >
          <Trash2 aria-hidden />
        </IconButton>
      ) : null}
    </article>
  )
}

function CommentForm({ reviewId, userId }: { reviewId: number; userId: number }) {
  const add = useAddComment(reviewId)
  const { text, ...draft } = useDraft(`comment ${reviewId} ${userId}`, '')
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
      { id: reviewId, text },
      {
        onSuccess() {
          draft.clear()
          setProblem(undefined)
          setSaid('Your comment is posted.')
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
        limit={text.length > commentTextMax * 0.9 ? commentTextMax : undefined}
        error={problem}
        placeholder="Add a comment"
      />
      <p role="status" className="sr-only">
        {said}
      </p>
      <Button
        type="submit"
        busy={add.isPending}
        busyLabel="Posting…"
        variant="outline"
        className="justify-self-start"
      >
        Post comment
      </Button>
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
