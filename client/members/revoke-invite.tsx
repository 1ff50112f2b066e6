import { Trash2 } from 'lucide-react'
import { changed } from '#client/app/facts.ts'
import { showFailure, trpc } from '#client/app/trpc.ts'
import { IconButton } from '#client/ui/button.tsx'
import { useQuestion } from '#client/ui/question.tsx'
import { t } from '#shared/domain/message.ts'

/** `creator` is the name of another member. */
export function RevokeInvite({ id, creator }: { id: number; creator?: string }) {
  const remove = trpc.invites.remove.useMutation({
    onSuccess: () => changed('invite'),
    onError: (error) => showFailure(t`The invite was not revoked`, error),
  })
  const [ask, question] = useQuestion()
  const label = creator === undefined ? t`Revoke this invite` : t`Revoke this invite of ${creator}`
  return (
    <>
      <IconButton
        label={label}
        busy={remove.isPending}
        aria-haspopup="dialog"
        onClick={() =>
          ask({
            title: `${label}?`,
            description: t`Its link no longer works. Who has joined with it stays.`,
            label: t`Revoke`,
            onConfirm: () => remove.mutate({ id }),
          })
        }
      >
        <Trash2 aria-hidden />
      </IconButton>
      {question}
    </>
  )
}
