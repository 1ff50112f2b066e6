import { retryOnce, showFailure, trpc } from '#client/app/trpc.ts'
import { useSession } from '#client/app/session.ts'
import { Button } from '#client/ui/button.tsx'
import { useQuestion } from '#client/ui/question.tsx'

export function AnswerRequest({ userId, name }: { userId: number; name: string }) {
  const utils = trpc.useUtils()
  const me = useSession()?.user.id
  const options = {
    ...retryOnce,
    onError: (error: unknown) => showFailure('That did not work', error),
    onSettled: () => {
      void utils.privacy.requests.invalidate()
      void utils.social.followers.invalidate()
      if (me !== undefined) void utils.accounts.profile.invalidate({ id: me })
    },
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
            title: `Reject the request of ${name}?`,
            description: `${name} is not told, and can ask again.`,
            label: 'Reject',
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
