import { UserX } from 'lucide-react'
import { changed } from '#client/app/facts.ts'
import { retryOnce, showFailure, trpc } from '#client/app/trpc.ts'
import { IconButton } from '#client/ui/button.tsx'
import { useQuestion } from '#client/ui/question.tsx'
import { showDone } from '#client/ui/toasts.ts'
import { t } from '#shared/domain/message.ts'

export function RemoveFollower({ userId, name }: { userId: number; name: string }) {
  const remove = trpc.privacy.removeFollower.useMutation({
    ...retryOnce,
    onSuccess() {
      showDone(t`${name} no longer follows you.`)
      void changed('follower')
    },
    onError: (error) => showFailure(t`That did not work`, error),
  })
  const [ask, question] = useQuestion()
  return (
    <>
      <IconButton
        label={t`Remove ${name} from your followers`}
        title="Remove from your followers"
        size="sm"
        busy={remove.isPending}
        aria-haspopup="dialog"
        onClick={() =>
          ask({
            title: t`Remove ${name} from your followers?`,
            description: t`${name} is not told, and can follow you again, or ask to if your account is private.`,
            label: t`Remove`,
            onConfirm: () => remove.mutate({ userId }),
          })
        }
      >
        <UserX aria-hidden />
      </IconButton>
      {question}
    </>
  )
}
