import { useState } from 'react'
import { errorText } from '#client/app/trpc.ts'
import { Callout } from '#client/ui/callout.tsx'
import { Form, type FormErrors, TextArea, TextField } from '#client/ui/field.tsx'
import { lazyComponent } from '#client/ui/lazy.ts'
import { showDone } from '#client/ui/toasts.ts'
import { SubmitButton } from '#client/ui/button.tsx'
import { bioMax } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import { responseErrors, useValidation } from '../field-errors.ts'
import { type Me, useUpdateProfile } from './hooks.ts'
import { changedFields, type ProfileFields } from './rules.ts'

const { Component: EmailDialog, load: loadEmailDialog } = lazyComponent(
  async () => (await import('./email-dialog.tsx')).EmailDialog,
)

export function ProfileForm({ user, isReady }: { user: Me & ProfileFields; isReady: boolean }) {
  const [fields, setFields] = useState<ProfileFields>(user)
  const [known, setKnown] = useState<ProfileFields>(user)
  if (user.username !== known.username || user.email !== known.email || user.bio !== known.bio) {
    setKnown(user)
    setFields(user)
  }
  const [errors, setErrors] = useState<FormErrors>()
  const [notice, setNotice] = useState<string>()
  const [changes, setChanges] = useState<Partial<ProfileFields> | null>(null)
  const [passwordErrors, setPasswordErrors] = useState<FormErrors>()
  const update = useUpdateProfile()
  const validate = useValidation('updateProfile')

  async function submit() {
    setNotice(undefined)
    update.reset()
    if (!isReady) return setNotice(messages.profileNotReady)
    const changed = changedFields(user, fields)
    if (Object.keys(changed).length === 0) {
      setErrors(undefined)
      return setNotice(messages.noChanges)
    }
    const invalid = await validate(changed)
    setErrors(invalid)
    if (invalid) return
    if (changed.email === undefined) save(changed)
    else {
      loadEmailDialog()
      setPasswordErrors(undefined)
      setChanges(changed)
    }
  }

  function confirm(password: string) {
    if (password.trim() === '') return setPasswordErrors({ password: messages.currentPasswordMissing })
    if (changes !== null) save(changes, password)
  }

  function save(changed: Partial<ProfileFields>, password?: string) {
    update.mutate(
      { ...changed, ...(password !== undefined && { password }) },
      {
        onSuccess({ message }) {
          setChanges(null)
          // A new email is not valid until it is verified.
          setFields((typed) => ({ ...typed, email: user.email }))
          showDone(message)
        },
        onError(error) {
          const fieldErrors = responseErrors(error)
          setErrors(fieldErrors)
          // The form below the dialog shows the errors.
          if (fieldErrors) setChanges(null)
          else setPasswordErrors({ password: errorText(error, messages.profileUpdateFailed) })
        },
      },
    )
  }

  const problem =
    update.error && !responseErrors(update.error)
      ? errorText(update.error, messages.profileUpdateFailed)
      : undefined
  return (
    <>
      <Form errors={errors} onSubmit={submit} className="card">
        {user.pendingEmail === null ? null : (
          <Callout title={`Waiting for ${user.pendingEmail}`}>
            Open the link that we sent there to confirm it. Until then your email is {user.email}.
          </Callout>
        )}
        <TextField
          name="username"
          label="Display name"
          value={fields.username}
          onChange={(username) => setFields((typed) => ({ ...typed, username }))}
          autoComplete="nickname"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <TextField
          name="email"
          label="Email"
          type="email"
          inputMode="email"
          value={fields.email}
          onChange={(email) => setFields((typed) => ({ ...typed, email }))}
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          hint="Only you see it."
          required
        />
        <TextArea
          name="bio"
          label="About you"
          note="optional"
          hint="Everyone sees it on your profile."
          value={fields.bio}
          onChange={(bio) => setFields((typed) => ({ ...typed, bio }))}
          limit={bioMax}
          rows={3}
        />
        {problem === undefined || changes !== null ? null : <Callout tone="error">{problem}</Callout>}
        {notice === undefined ? null : <Callout>{notice}</Callout>}
        <div className="actions">
          <SubmitButton busy={update.isPending} busyLabel="Saving…">
            Save changes
          </SubmitButton>
        </div>
      </Form>
      <EmailDialog
        email={changes?.email}
        busy={update.isPending}
        errors={passwordErrors}
        onConfirm={confirm}
        onClose={() => {
          setChanges(null)
          update.reset()
        }}
      />
    </>
  )
}
