import { Trash2 } from 'lucide-react'
import { Button } from '#client/ui/button.tsx'
import { useQuestion } from '#client/ui/question.tsx'
import { messages } from '#shared/texts/messages.ts'
import type { Review } from './hooks.ts'
import type { ReviewedTitle } from './title.ts'
import { removeReview } from './write-hooks.ts'
import { t } from '#shared/domain/message.ts'

export function DeleteReview({
  title,
  review,
  onDeleted,
}: {
  title: ReviewedTitle
  review: Review
  onDeleted: () => void
}) {
  const [ask, question] = useQuestion()
  return (
    <>
      <Button
        variant="ghost"
        size="sm"
        icon={<Trash2 aria-hidden />}
        aria-haspopup="dialog"
        onClick={() =>
          ask({
            title: messages.deleteReview,
            description: t`Its stars, comments and reactions go with it.`,
            label: t`Delete`,
            onConfirm() {
              removeReview(title, review, messages.reviewDeleted)
              onDeleted()
            },
          })
        }
      >
        Delete
      </Button>
      {question}
    </>
  )
}
