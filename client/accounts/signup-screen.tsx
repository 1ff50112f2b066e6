import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useSite } from '#client/app/site.ts'
import { errorText, trpc } from '#client/app/trpc.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { Form, type FormErrors, PasswordField, TextArea, TextField } from '#client/ui/field.tsx'
import { FileField, useFileUrl } from '#client/ui/file-field.tsx'
import { uploadPicture } from '#client/app/upload.ts'
import { SubmitButton } from '#client/ui/button.tsx'
import { passwordMin, signUpReasonMax, usernameMax } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import { AccountPage } from './account-page.tsx'
import { responseErrors, useValidation } from './field-errors.ts'
import { useInvite, useProof } from './hooks.ts'
import { RulesField } from './rules-field.tsx'
import { newLoginKey, storeSignUp } from './stored-sign-up.ts'
import { t } from '#shared/domain/message.ts'

type Values = { username: string; email: string; password: string; inviteCode?: string; reason?: string }
type Problem = { title: string; reason?: string }

export function SignupScreen({
  redirect,
  invite,
}: {
  redirect: string | undefined
  invite: string | undefined
}) {
  const { name: siteName, registration, rules } = useSite()
  const invited = useInvite(invite)
  const code = invited?.isValid === false ? undefined : invite
  const [acceptsRules, setAcceptsRules] = useState(false)
  const navigate = useNavigate()
  const register = trpc.accounts.register.useMutation()
  const prove = useProof()
  const validate = useValidation('register')
  const [username, setUsername] = useState('')
  const [picture, setPicture] = useState<File | null>(null)
  const [step, setStep] = useState<'idle' | 'uploading' | 'creating'>('idle')
  const [errors, setErrors] = useState<FormErrors>()
  const [problem, setProblem] = useState<Problem>()

  async function signUp({ username, email, password, inviteCode = code ?? '', reason = '' }: Values) {
    const values = {
      username,
      email: email.trim(),
      password,
      ...(inviteCode.trim() !== '' && { inviteCode: inviteCode.trim() }),
      ...(reason !== '' && { reason }),
      ...(rules.length > 0 && { acceptsRules }),
    }
    setProblem(undefined)
    // Validates before the picture is uploaded.
    const invalid = await validate(values)
    setErrors(invalid)
    if (invalid) return
    if (rules.length > 0 && !acceptsRules) return setProblem({ title: messages.rulesNotAccepted })
    // Browsers compute hashes only for https and localhost.
    if (registration.challenge === 'on' && !isSecureContext)
      return setProblem({ title: messages.challengeNeedsHttps })

    let profilePicture: string | undefined
    if (picture !== null) {
      setStep('uploading')
      try {
        profilePicture = await uploadPicture(picture)
      } catch (error) {
        setStep('idle')
        setProblem({ title: messages.profilePictureFailed, reason: (error as Error).message })
        return
      }
    }

    setStep('creating')
    try {
      const loginKey = newLoginKey()
      const { message } = await register.mutateAsync({
        ...values,
        ...(profilePicture && { profilePicture }),
        ...(await prove()),
        loginKey,
      })
      const notice = message
        ? `${message} ${messages.verificationSent(values.email)}`
        : messages.verificationSentBeforeLogin(values.email)
      storeSignUp({ email: values.email, redirect, loginKey })
      await navigate({ to: '/login', search: { redirect }, state: { notice, email: values.email } })
    } catch (error) {
      const fieldErrors = responseErrors(error)
      if (fieldErrors) setErrors(fieldErrors)
      else setProblem({ title: errorText(error, messages.signupFailed) })
    }
    setStep('idle')
  }

  return (
    <AccountPage
      title="Make it yours."
      lead="One place for every movie, show, book and game you finish, and for what your friends thought of them."
      aside={
        <div className="grid gap-6">
          <ProfilePreview name={username.trim()} picture={picture} />
          <p className="text-muted">
            Already have an account?{' '}
            <Link to="/login" search={{ redirect }} className="link">
              Log in
            </Link>
          </p>
        </div>
      }
    >
      {registration.mode === 'closed' ? (
        <Callout title={messages.registrationClosed}>{registration.message || undefined}</Callout>
      ) : (
        <Form<Values> errors={errors} onSubmit={signUp}>
          {registration.message === '' ? null : <Callout>{registration.message}</Callout>}
          {invited && (
            <Callout tone={invited.isValid || registration.mode !== 'invite' ? 'info' : 'error'}>
              {invited.isValid
                ? t`${invited.invitedBy ?? ''} invites you to ${siteName}.`
                : registration.mode === 'invite'
                  ? t`This invite has expired or was used.`
                  : t`This invite has expired or was used. You can sign up without one.`}
            </Callout>
          )}
          {problem && (
            <Callout tone="error" title={problem.title}>
              {problem.reason}
            </Callout>
          )}
          <TextField
            name="username"
            label="Username"
            value={username}
            onChange={setUsername}
            maxLength={usernameMax}
            hint="2 to 30 letters, digits, hyphens, dots or underscores, without spaces."
            autoComplete="nickname"
            autoCapitalize="none"
            spellCheck={false}
            required
          />
          <TextField
            name="email"
            label="Email"
            type="email"
            autoComplete="email"
            spellCheck={false}
            hint="Only you see it."
            required
          />
          <PasswordField
            name="password"
            label="Password"
            autoComplete="new-password"
            hint={t`At least ${passwordMin} characters.`}
            required
          />
          <FileField
            label="Profile picture"
            note="optional"
            hint="JPG, PNG or GIF. 5MB max."
            accept="image/*"
            file={picture}
            onChange={setPicture}
            disabled={step !== 'idle'}
            busyText={step === 'uploading' ? t`Uploading…` : ''}
          />
          {registration.mode === 'invite' && code === undefined ? (
            <TextField
              name="inviteCode"
              label="Invite code"
              hint="Members of this site have invites."
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              required
            />
          ) : null}
          {registration.mode === 'approval' ? (
            <TextArea
              name="reason"
              label="Why would you like to join?"
              note={registration.reasonRequired ? undefined : 'optional'}
              hint="A moderator reads it."
              limit={signUpReasonMax}
              rows={3}
              required={registration.reasonRequired}
            />
          ) : null}
          {rules.length === 0 ? null : (
            <RulesField rules={rules} checked={acceptsRules} onChange={setAcceptsRules} />
          )}
          <SubmitButton
            size="lg"
            busy={step !== 'idle'}
            busyLabel={step === 'uploading' ? t`Uploading…` : t`Creating account…`}
          >
            Create account
          </SubmitButton>
        </Form>
      )}
    </AccountPage>
  )
}

function ProfilePreview({ name, picture }: { name: string; picture: File | null }) {
  const src = useFileUrl(picture)
  return (
    <div aria-hidden className="max-lg:hidden">
      <p className="mb-2 text-meta text-muted">How others will see you</p>
      <div className="flex max-w-88 items-center gap-4 rounded-card border border-line bg-surface p-4">
        <Avatar name={name || t`You`} src={src} size="lg" />
        <div className="min-w-0">
          <p dir="auto" className="truncate font-display text-h3">
            {name || t`your_name`}
          </p>
          <p className="text-meta text-muted tabular-nums">0 items · 0 followers</p>
        </div>
      </div>
    </div>
  )
}
