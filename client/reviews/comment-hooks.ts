import { useMutation } from '@tanstack/react-query'
import { retryOnce, type RouterOutputs, trpc } from '#client/app/trpc.ts'
import { messages } from '#shared/texts/messages.ts'
import { commentPath } from '#client/app/deleted.ts'
import { deleteLater } from '#client/app/deletions.ts'
import { patchReview } from './hooks.ts'
import { t } from '#shared/domain/message.ts'

export type Comment = RouterOutputs['reviews']['comments']['comments'][number]
type Utils = ReturnType<typeof trpc.useUtils>

const commentsStaleMs = 5 * 60_000

export function useComments(reviewId: number) {
  return trpc.reviews.comments.useQuery({ id: reviewId }, { staleTime: commentsStaleMs })
}

export function useEarlierComments(reviewId: number) {
  const utils = trpc.useUtils()
  return useMutation({
    ...retryOnce,
    mutationFn: (before: number) => utils.client.reviews.comments.query({ id: reviewId, before }),
    onSuccess({ comments, total }) {
      patchComments(utils, reviewId, total, (shown) => [...comments, ...shown])
    },
  })
}

export function useAddComment(reviewId: number) {
  const utils = trpc.useUtils()
  return trpc.reviews.addComment.useMutation({
    onSuccess({ comment, commentCount }) {
      patchComments(utils, reviewId, commentCount, (comments) => [...comments, comment])
    },
  })
}

/** The deletion can be undone for some seconds. */
export function useRemoveComment(reviewId: number) {
  const utils = trpc.useUtils()
  const input = { id: reviewId }
  const count = (by: number) => {
    const total = utils.reviews.comments.getData(input)?.total
    if (total !== undefined) patchComments(utils, reviewId, total + by, (comments) => comments)
  }
  return (id: number) => {
    count(-1)
    deleteLater({
      path: commentPath(id),
      texts: { deleted: messages.commentDeleted, failed: t`The comment is still there` },
      onDeleted({ commentCount }) {
        if (commentCount !== undefined)
          patchComments(utils, reviewId, commentCount, (comments) =>
            comments.filter((comment) => comment.id !== id),
          )
      },
      onRestored: () => count(1),
    })
  }
}

function patchComments(
  utils: Utils,
  reviewId: number,
  total: number,
  change: (comments: Comment[]) => Comment[],
) {
  utils.reviews.comments.setData(
    { id: reviewId },
    (old) => old && { ...old, comments: change(old.comments), total },
  )
  patchReview({ id: reviewId, commentCount: total })
}
