import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import { lazyComponent } from '#client/ui/lazy.ts'
import { messages } from '#shared/texts/messages.ts'
import type { Review } from './hooks.ts'
import type { ReviewedTitle } from './title.ts'
import { removeReview } from './write-hooks.ts'

const { Component: ConfirmDialog, opens } = lazyComponent(
  async () => (await import('#client/ui/dialog.tsx')).ConfirmDialog,
)

/** The dialog is lazy-loaded on hover or focus. */
export function DeleteReview({
  title,
  review,
  size,
  onDeleted,
}: {
  title: ReviewedTitle
  review: Pick<Review, 'id' | 'rating'>
  size?: 'sm' | 'md'
  onDeleted: () => void
}) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button
        variant="ghost"
        size={size}
        icon={<Trash2 aria-hidden />}
        aria-haspopup="dialog"
        {...opens(() => setAsking(true))}
      >
        Delete
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={messages.deleteReview}
        description="Its stars, comments and reactions go with it."
        confirmLabel="Delete"
        onConfirm={() => {
          setAsking(false)
          removeReview(title, review, messages.reviewDeleted)
          onDeleted()
        }}
      />
    </>
  )
}
