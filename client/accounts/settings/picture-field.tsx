import { useState } from 'react'
import { uploadErrorText, uploadPicture } from '#client/app/upload.ts'
import { Callout } from '#client/ui/callout.tsx'
import { FileField } from '#client/ui/file-field.tsx'
import { showDone, toasts } from '#client/ui/toasts.ts'
import { messages } from '#shared/texts/messages.ts'
import { type Me, useUpdateProfile } from './hooks.ts'
import { t } from '#shared/domain/message.ts'

export function PictureField({ user }: { user: Me }) {
  const [file, setFile] = useState<File | null>(null)
  const [step, setStep] = useState('')
  const [problem, setProblem] = useState<{ title: string; reason: string }>()
  const { mutateAsync } = useUpdateProfile()

  async function choose(chosen: File) {
    setProblem(undefined)
    setFile(chosen)
    setStep(t`Uploading…`)
    try {
      const profilePicture = await uploadPicture(chosen)
      await mutateAsync({ profilePicture })
      showDone(messages.profileUpdated)
    } catch (error) {
      setProblem({ title: messages.profilePictureRetry, reason: uploadErrorText(error) })
    }
    setFile(null)
    setStep('')
  }

  async function remove() {
    const before = user.profilePicture
    setProblem(undefined)
    setStep(t`Removing…`)
    try {
      await mutateAsync({ profilePicture: null })
      toasts.add({
        title: t`Your picture was removed.`,
        action: before === null ? undefined : { label: t`Undo`, onAction: () => void restore(before) },
      })
    } catch (error) {
      setProblem({ title: messages.profileUpdateFailed, reason: uploadErrorText(error) })
    }
    setStep('')
  }

  async function restore(profilePicture: string) {
    try {
      await mutateAsync({ profilePicture })
    } catch (error) {
      toasts.add({ title: messages.profileUpdateFailed, description: uploadErrorText(error), tone: 'error' })
    }
  }

  return (
    <div className="grid gap-3">
      <FileField
        label="Profile picture"
        hint="JPG, PNG or GIF. 5MB max."
        accept="image/*"
        chooseLabel="Upload a picture"
        file={file}
        src={user.profilePicture ?? undefined}
        disabled={step !== ''}
        busyText={step}
        onChange={(chosen) => void (chosen === null ? remove() : choose(chosen))}
      />
      {problem === undefined ? null : (
        <Callout tone="error" title={problem.title}>
          {problem.reason}
        </Callout>
      )}
    </div>
  )
}
