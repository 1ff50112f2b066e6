import { changed } from '#client/app/facts.ts'
import { retryOnce, showFailure, trpc } from '#client/app/trpc.ts'
import { Button } from '#client/ui/button.tsx'
import { useQuestion } from '#client/ui/question.tsx'
import { t } from '#shared/domain/message.ts'

export function AnswerRequest({ userId, name }: { userId: number; name: string }) {
  const options = {
    ...retryOnce,
    onError: (error: unknown) => showFailure(t`That did not work`, error),
    onSettled: () => void changed('follower'),
  }
  const accept = trpc.privacy.accept.useMutation(options)
  const reject = trpc.privacy.reject.useMutation(options)
  const [ask, question] = useQuestion()
  const isPending = accept.isPending || reject.isPending
  return (
    <span className="flex gap-2">
      <Button variant="primary" busy={isPending} onClick={() => accept.mutate({ userId })}>
        Accept<span className="sr-only"> {name}</span>
      </Button>
      <Button
        busy={isPending}
        aria-haspopup="dialog"
        onClick={() =>
          ask({
            title: t`Reject the request of ${name}?`,
            description: t`${name} is not told, and can ask again.`,
            label: t`Reject`,
            onConfirm: () => reject.mutate({ userId }),
          })
        }
      >
        Reject<span className="sr-only"> {name}</span>
      </Button>
      {question}
    </span>
  )
}
