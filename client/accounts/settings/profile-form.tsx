import { useState } from 'react'
import { errorText } from '#client/app/trpc.ts'
import { Callout } from '#client/ui/callout.tsx'
import { Form, type FormErrors, TextArea, TextField } from '#client/ui/field.tsx'
import { showDone } from '#client/ui/toasts.ts'
import { SubmitButton } from '#client/ui/button.tsx'
import { bioMax } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import { responseErrors, useValidation } from '../field-errors.ts'
import { ConfirmSelfDialog, loadConfirmSelf } from './confirmation.tsx'
import { type Me, useUpdateProfile } from './hooks.ts'
import { changedFields, type ProfileFields } from './rules.ts'
import { t } from '#shared/domain/message.ts'

export function ProfileForm({ user, isReady }: { user: Me & ProfileFields; isReady: boolean }) {
  const [fields, setFields] = useState<ProfileFields>(user)
  const [known, setKnown] = useState<ProfileFields>(user)
  if (user.username !== known.username || user.email !== known.email || user.bio !== known.bio) {
    setKnown(user)
    setFields(user)
  }
  const [errors, setErrors] = useState<FormErrors>()
  const [notice, setNotice] = useState<string>()
  const [changes, setChanges] = useState<Partial<ProfileFields>>({})
  const [isConfirming, setConfirming] = useState(false)
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
    if (changed.email === undefined) return save(changed)
    loadConfirmSelf()
    setChanges(changed)
    setConfirming(true)
  }

  /** The form below the dialog shows the failure. */
  async function save(changed: Partial<ProfileFields>) {
    try {
      const { message } = await update.mutateAsync(changed)
      // A new email is not valid until it is verified.
      setFields((typed) => ({ ...typed, email: user.email }))
      showDone(message)
    } catch (error) {
      setErrors(responseErrors(error))
    }
    setConfirming(false)
  }

  const problem =
    update.error && !responseErrors(update.error)
      ? errorText(update.error, messages.profileUpdateFailed)
      : undefined
  return (
    <>
      <Form errors={errors} onSubmit={submit} className="card">
        {user.pendingEmail === null ? null : (
          <Callout title={t`Waiting for ${user.pendingEmail}`}>
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
          value={fields.email}
          onChange={(email) => setFields((typed) => ({ ...typed, email }))}
          autoComplete="email"
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
        {problem === undefined ? null : <Callout tone="error">{problem}</Callout>}
        {notice === undefined ? null : <Callout>{notice}</Callout>}
        <div className="actions">
          <SubmitButton busy={update.isPending} busyLabel="Saving…">
            Save changes
          </SubmitButton>
        </div>
      </Form>
      <ConfirmSelfDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title="Confirm your new email"
        description={t`We will send a link to ${changes.email ?? ''}. Your email changes once you open it.`}
        label="Change email"
        busyLabel="Saving…"
        onConfirmed={() => save(changes)}
      />
    </>
  )
}
