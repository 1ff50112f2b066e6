import { Trash2 } from 'lucide-react'
import { changed } from '#client/app/facts.ts'
import { showFailure, trpc } from '#client/app/trpc.ts'
import { IconButton } from '#client/ui/button.tsx'
import { useQuestion } from '#client/ui/question.tsx'

/** `creator` is the name of another member. */
export function RevokeInvite({ id, creator }: { id: number; creator?: string }) {
  const remove = trpc.invites.remove.useMutation({
    onSuccess: () => changed('invite'),
    onError: (error) => showFailure('The invite was not revoked', error),
  })
  const [ask, question] = useQuestion()
  const label = `Revoke this invite${creator === undefined ? '' : ` of ${creator}`}`
  return (
    <>
      <IconButton
        label={label}
        busy={remove.isPending}
        aria-haspopup="dialog"
        onClick={() =>
          ask({
            title: `${label}?`,
            description: 'Its link no longer works. Who has joined with it stays.',
            label: 'Revoke',
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
