import { type ReactNode, useState } from 'react'
import { trpcClient } from '#client/app/trpc.ts'
import { useDates } from '#client/ui/dates.ts'
import { lazyComponent } from '#client/ui/lazy.ts'
import { showDone } from '#client/ui/toasts.ts'
import type { Review } from './queries.ts'
import type { ReviewDraft } from './review-draft.ts'
import { type ReviewedTitle, reviewedKey } from './title.ts'
import { type Snapshot, useRestoreReview } from './write-hooks.ts'
import { truncate } from '#shared/texts/truncate.ts'
import { t } from '#shared/domain/message.ts'

const { Component: ConfirmDialog, load } = lazyComponent(
  async () => (await import('#client/ui/dialog.tsx')).ConfirmDialog,
)

const shownMax = 160

/**
 * Asks before `send` replaces a text that the form did not start from, such as one of another tab; afterwards a toast undoes that. `guard`
 * rejects like `send`, or if the current review does not load.
 */
export function useGuard(title: ReviewedTitle): {
  guard: (draft: Pick<ReviewDraft, 'base' | 'written'>, send: () => Promise<Review>) => Promise<void>
  question: ReactNode
} {
  const restore = useRestoreReview(title)
  const { release } = useDates()
  const [asked, setAsked] = useState<{ before: Snapshot; answer: (isYes: boolean) => void }>()
  const [isOpen, setOpen] = useState(false)

  async function sendOver(before: Snapshot | null, send: () => Promise<Review>) {
    const review = await send()
    if (before === null || before.text === '' || before.updatedAt === review.updatedAt) return
    showDone(t`Your review is saved.`, () => restore.mutate({ ...before, replaced: review.updatedAt }))
  }

  return {
    async guard({ base, written }, send) {
      const { snapshot: before } = await trpcClient.reviews.snapshot.query(reviewedKey(title))
      const isLost =
        before !== null && before.text !== '' && before.text !== base && before.text !== written.text
      if (isLost) {
        load()
        const { promise, resolve: answer } = Promise.withResolvers<boolean>()
        setAsked({ before, answer })
        setOpen(true)
        const isYes = await promise
        setOpen(false)
        if (!isYes) return
      }
      await sendOver(before, send)
    },
    question: (
      <ConfirmDialog
        open={isOpen}
        onOpenChange={() => asked?.answer(false)}
        title="Replace your review?"
        description={
          asked &&
          t`You wrote on ${release(asked.before.updatedAt.slice(0, 10))}: “${truncate(asked.before.text, shownMax)}”`
        }
        confirmLabel="Replace"
        canUndo
        onConfirm={() => asked?.answer(true)}
      />
    ),
  }
}
