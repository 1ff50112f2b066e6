import { useState } from 'react'
import { LoadError } from '#client/app/load-error.tsx'
import { errorText, type RouterOutputs } from '#client/app/trpc.ts'
import { Button, SubmitButton } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { Form, type FormErrors, PasswordField } from '#client/ui/field.tsx'
import { useFormats } from '#client/ui/formats.ts'
import { Skeletons } from '#client/ui/skeleton.tsx'
import { showDone } from '#client/ui/toasts.ts'
import { messages } from '#shared/texts/messages.ts'
import { responseErrors } from '../field-errors.ts'
import { useDeletion, useRequestDeletion } from './hooks.ts'

export function DeletionDialog({
  open,
  onClose,
  onRequested,
}: {
  open: boolean
  onClose: () => void
  onRequested: () => void
}) {
  const request = useRequestDeletion()
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next && !request.isPending) onClose()
      }}
      title="Delete your account?"
      description="It will be deleted in seven days. Until then you can keep it, here or with the link that we email you."
    >
      <Contents isShown={open} />
      <PasswordForm
        request={request}
        onClose={onClose}
        onRequested={() => {
          onClose()
          onRequested()
        }}
      />
    </Dialog>
  )
}

function Contents({ isShown }: { isShown: boolean }) {
  const deletion = useDeletion(isShown)
  const { count } = useFormats()
  if (deletion.isPending) return <Skeletons count={1} each="h-32 rounded-card" />
  if (deletion.data === undefined)
    return <LoadError title="The summary did not load" error={deletion.error} onRetry={deletion.refetch} />
  const { removes, keeps } = deletion.data
  const parts = names.flatMap(([key, one, many]) =>
    removes[key] > 0 ? `${count(removes[key])} ${removes[key] === 1 ? one : many}` : [],
  )
  return (
    <div className="grid gap-3 text-meta">
      <div>
        <h3 className="text-label">What will be removed</h3>
        <ul className="mt-1 list-disc pl-5">
          <li>Your profile, your email and all logins</li>
          {parts.map((part) => (
            <li key={part}>{part}</li>
          ))}
        </ul>
      </div>
      <div>
        <h3 className="text-label">What stays</h3>
        <p className="mt-1">
          {keeps.titles === 0
            ? 'Nothing.'
            : `${count(keeps.titles)} ${keeps.titles === 1 ? 'title' : 'titles'} that you created, without your name.`}
        </p>
      </div>
    </div>
  )
}

const names: [key: keyof RouterOutputs['accounts']['deletion']['removes'], one: string, many: string][] = [
  ['reviews', 'rating or review', 'ratings and reviews'],
  ['responses', 'comment or reaction by others to them', 'comments and reactions by others to them'],
  ['comments', 'comment', 'comments'],
  ['reactions', 'reaction', 'reactions'],
  ['diaryEntries', 'diary entry', 'diary entries'],
  ['favorites', 'favorite', 'favorites'],
  ['following', 'member that you follow', 'members that you follow'],
  ['followers', 'follower', 'followers'],
  ['uploads', 'picture, unless it belongs to a title', 'pictures, unless they belong to a title'],
  ['imports', 'import', 'imports'],
]

function PasswordForm({
  request,
  onClose,
  onRequested,
}: {
  request: ReturnType<typeof useRequestDeletion>
  onClose: () => void
  onRequested: () => void
}) {
  const [errors, setErrors] = useState<FormErrors>()
  const [problem, setProblem] = useState<string>()
  function submit(currentPassword: string) {
    setProblem(undefined)
    if (currentPassword === '') return setErrors({ currentPassword: messages.currentPasswordMissing })
    setErrors(undefined)
    request.mutate(
      { currentPassword },
      {
        onSuccess({ message }) {
          showDone(message)
          onRequested()
        },
        onError(error) {
          if (error.data?.reason === 'PASSWORD_WRONG') return setErrors({ currentPassword: error.message })
          const fieldErrors = responseErrors(error)
          if (fieldErrors) setErrors(fieldErrors)
          else setProblem(errorText(error))
        },
      },
    )
  }
  return (
    <Form<{ currentPassword: string }>
      errors={errors}
      onSubmit={({ currentPassword }) => submit(currentPassword)}
      className="mt-5"
    >
      <PasswordField
        name="currentPassword"
        label="Current password"
        autoComplete="current-password"
        required
      />
      {problem === undefined ? null : <Callout tone="error">{problem}</Callout>}
      <div className="actions">
        <Button disabled={request.isPending} onClick={onClose}>
          Cancel
        </Button>
        <SubmitButton variant="danger" busy={request.isPending} busyLabel="Deleting…">
          Delete my account
        </SubmitButton>
      </div>
    </Form>
  )
}
