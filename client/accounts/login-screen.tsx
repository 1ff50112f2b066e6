import { Link, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { errorText, trpc } from '#client/app/trpc.ts'
import { Callout } from '#client/ui/callout.tsx'
import { Form, type FormErrors, TextField } from '#client/ui/field.tsx'
import { Button, SubmitButton } from '#client/ui/button.tsx'
import { lazyComponent } from '#client/ui/lazy.ts'
import { messages } from '#shared/texts/messages.ts'
import { AccountPage } from './account-page.tsx'
import { LoginPassword } from './login-password.tsx'
import { useLogin } from './hooks.ts'
import { ProviderButtons } from './provider-buttons.tsx'
import { useProviders, useReturned } from '#client/app/providers.ts'
import { t } from '#shared/domain/message.ts'

const { AutoLoaded: LoginLink } = lazyComponent(async () => (await import('./login-link.tsx')).LoginLink)
const { AutoLoaded: PasskeyLogin } = lazyComponent(
  async () => (await import('./passkey-login.tsx')).PasskeyLogin,
)
const { AutoLoaded: ProviderLogin } = lazyComponent(
  async () => (await import('./provider-login.tsx')).ProviderLogin,
)
const { AutoLoaded: ProviderFailed } = lazyComponent(
  async () => (await import('./provider-login.tsx')).ProviderFailed,
)
const { AutoLoaded: SecondFactorForm } = lazyComponent(
  async () => (await import('./second-factor-form.tsx')).SecondFactorForm,
)

// In the history state, because with a URL anyone could make this page show any message.
declare module '@tanstack/react-router' {
  interface HistoryState {
    notice?: string
    email?: string
  }
}

export function LoginScreen({ redirect }: { redirect: string | undefined }) {
  const { notice, email: knownEmail } = useLocation({ select: (location) => location.state })
  const link = useLocation({ select: ({ hash }) => /^link=([\w-]+)$/.exec(hash)?.[1] })
  const login = useLogin()
  const [errors, setErrors] = useState<FormErrors>()
  const { providers, passwordLogin } = useProviders()
  const [returned, forgetReturned] = useReturned()
  const [providerProblem, setProviderProblem] = useState<string>()

  const ticket = login.error?.data?.ticket
  const isUnverified = login.error?.data?.code === 'FORBIDDEN'
  const problem = login.isIncomplete
    ? messages.loginIncomplete
    : login.error
      ? errorText(login.error, messages.loginFailed)
      : undefined

  if (link !== undefined)
    return (
      <AccountPage
        title="Welcome back."
        lead="This link logs you in once. Then set up how you sign in, in Settings → Account."
      >
        <LoginLink token={link} />
      </AccountPage>
    )
  if (returned?.kind === 'oidc')
    return (
      <ProviderLogin
        key={returned.value}
        code={returned.value}
        onEnd={(reason) => {
          setProviderProblem(reason)
          forgetReturned()
        }}
      />
    )
  if (ticket !== undefined)
    return (
      <AccountPage title="Almost there." lead="Your account asks for a code after the password.">
        <SecondFactorForm key={ticket} ticket={ticket} onStartOver={login.reset} />
      </AccountPage>
    )
  const passwordForm = (
    <Form<{ email: string; password: string }>
      errors={errors}
      onSubmit={(values) => {
        const missing = {
          ...(values.email.trim() === '' && { email: t`Please enter your email.` }),
          ...(values.password === '' && { password: t`Please enter your password.` }),
        }
        setErrors(missing)
        if (Object.keys(missing).length === 0) login.mutate(values)
      }}
    >
      {notice === undefined || problem !== undefined ? null : <Callout>{notice}</Callout>}
      {problem === undefined ? null : (
        <Callout tone="error">
          <p>{problem}</p>
          {isUnverified ? <ResendVerification email={login.variables?.email ?? ''} /> : null}
        </Callout>
      )}
      <TextField
        name="email"
        label="Email"
        type="email"
        defaultValue={knownEmail}
        // The browser suggests passkeys beside names.
        autoComplete="username webauthn"
        spellCheck={false}
        required
      />
      <LoginPassword />
      <SubmitButton size="lg" busy={login.isPending} busyLabel="Logging in…">
        Log in
      </SubmitButton>
      <PasskeyLogin hasField />
    </Form>
  )
  return (
    <AccountPage
      title={
        knownEmail === undefined ? t`Welcome back.` : notice === undefined ? t`Welcome.` : t`Almost there.`
      }
      lead={
        knownEmail === undefined
          ? t`Your ratings, your lists and what your friends loved are where you left them.`
          : notice === undefined
            ? t`Log in, and rate the last thing you watched, read or played.`
            : t`Open the link in the email, then log in.`
      }
      aside={
        passwordLogin ? (
          <p className="text-muted">
            {notice === undefined ? t`New here?` : t`Mistyped the email?`}{' '}
            <Link to="/signup" search={{ redirect }} className="link">
              Create an account
            </Link>
          </p>
        ) : null
      }
    >
      {returned?.kind === 'oidc-error' && login.isIdle ? (
        <div className="mb-5 empty:hidden">
          <ProviderFailed reason={returned.value} passwordLogin={passwordLogin} />
        </div>
      ) : null}
      {providerProblem === undefined || !login.isIdle ? null : (
        <Callout tone="error" className="mb-5">
          {providerProblem}
        </Callout>
      )}
      {passwordLogin ? (
        passwordForm
      ) : (
        <p className="mb-5">This site has no passwords. Log in with an account that you have elsewhere.</p>
      )}
      {providers.length === 0 ? null : (
        <div className="grid gap-3">
          {passwordLogin ? <p className="mt-4 text-center text-meta text-muted">or</p> : null}
          <ProviderButtons providers={providers} redirect={redirect} />
          {passwordLogin ? null : <PasskeyLogin hasField={false} />}
        </div>
      )}
    </AccountPage>
  )
}

function ResendVerification({ email }: { email: string }) {
  const resend = trpc.accounts.resendVerification.useMutation()
  return (
    <div role="status" className="mt-3 grid justify-items-start gap-2">
      {resend.isSuccess ? (
        <p className="text-muted">{resend.data.message}</p>
      ) : (
        <Button
          size="sm"
          variant="outline"
          busy={resend.isPending}
          busyLabel="Sending…"
          onClick={() => resend.mutate({ email })}
        >
          Resend the verification email
        </Button>
      )}
      {resend.error ? <p className="text-danger">{errorText(resend.error)}</p> : null}
    </div>
  )
}
