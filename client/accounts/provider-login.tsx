import { LoaderCircle } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useSite } from '#client/app/site.ts'
import { errorText, trpc } from '#client/app/trpc.ts'
import { Button, SubmitButton } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { Form, type FormErrors } from '#client/ui/field.tsx'
import { messages } from '#shared/texts/messages.ts'
import { AccountPage } from './account-page.tsx'
import { LoginPassword } from './login-password.tsx'
import { useStartSession } from './hooks.ts'
import { failureText } from './provider-failure.ts'
import { RulesField } from './rules-field.tsx'
import { SecondFactorForm } from './second-factor-form.tsx'
import { t } from '#shared/domain/message.ts'

/** Completes a login with a provider, of which `code` is the result. The guard of the route redirects after it. */
export function ProviderLogin({ code, onEnd }: { code: string; onEnd: (problem?: string) => void }) {
  const login = trpc.accounts.providerLogin.useMutation({ onSuccess: useStartSession() })
  // A code works once, but effects may run twice (StrictMode).
  const sent = useRef<string>(undefined)
  const { mutate } = login
  useEffect(() => {
    if (sent.current === code) return
    sent.current = code
    mutate({ code })
  }, [code, mutate])

  const { reason, ticket, email, provider } = login.error?.data ?? {}
  const isOver = login.isError && ticket === undefined
  const problem = isOver ? errorText(login.error) : undefined
  useEffect(() => {
    if (isOver) onEnd(problem)
    // oxlint-disable-next-line react/exhaustive-deps -- once for each end
  }, [isOver])

  if (reason === 'LINK_REQUIRED' && ticket !== undefined)
    return (
      <LinkForm key={ticket} ticket={ticket} email={email ?? ''} provider={provider ?? ''} onEnd={onEnd} />
    )
  if (ticket !== undefined)
    return (
      <RulesForm
        busy={login.isPending}
        onAccept={() => mutate({ code: ticket, acceptsRules: true })}
        onCancel={() => onEnd()}
      />
    )
  return (
    <AccountPage title="One moment.">
      <p role="status" className="flex items-center gap-3">
        <LoaderCircle aria-hidden className="size-6 animate-spin text-muted" />
        You are being logged in…
      </p>
    </AccountPage>
  )
}

function LinkForm({
  ticket,
  email,
  provider,
  onEnd,
}: {
  ticket: string
  email: string
  provider: string
  onEnd: () => void
}) {
  const link = trpc.accounts.providerLink.useMutation({ onSuccess: useStartSession() })
  const [errors, setErrors] = useState<FormErrors>()
  const form = useRef<HTMLDivElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const { reason, ticket: nextTicket } = link.error?.data ?? {}
  if (nextTicket !== undefined)
    return (
      <AccountPage title="Almost there." lead="Your account asks for a code after the password.">
        <SecondFactorForm ticket={nextTicket} onStartOver={onEnd} />
      </AccountPage>
    )
  return (
    <AccountPage
      title="You are here already."
      lead={
        <span className="wrap-anywhere">
          The account with the address {email} has a password. Enter it once, so that we know that the account
          is yours. From then on, {provider} logs you in.
        </span>
      }
    >
      <div ref={form}>
        <Form<{ password: string }>
          errors={errors}
          onSubmit={({ password }) => {
            if (password === '') return setErrors({ password: t`Please enter your password.` })
            setErrors(undefined)
            link.mutate(
              { ticket, password },
              {
                onError: ({ data, message }) =>
                  setErrors(data?.reason === 'CREDENTIALS_WRONG' ? { password: message } : undefined),
              },
            )
          }}
        >
          {link.error && reason !== 'CREDENTIALS_WRONG' ? (
            <Callout tone="error">{errorText(link.error)}</Callout>
          ) : null}
          <LoginPassword />
          <SubmitButton size="lg" busy={link.isPending} busyLabel="Logging in…">
            Link and log in
          </SubmitButton>
          <Button variant="ghost" onClick={() => onEnd()}>
            Log in another way
          </Button>
        </Form>
      </div>
    </AccountPage>
  )
}

function RulesForm({
  busy,
  onAccept,
  onCancel,
}: {
  busy: boolean
  onAccept: () => void
  onCancel: () => void
}) {
  const { rules } = useSite()
  const [accepts, setAccepts] = useState(false)
  const [problem, setProblem] = useState<string>()
  return (
    <AccountPage title="Welcome." lead="One thing before your account is created: the rules of this site.">
      <Form
        onSubmit={() => {
          if (!accepts) return setProblem(messages.rulesNotAccepted)
          setProblem(undefined)
          onAccept()
        }}
      >
        {problem === undefined ? null : <Callout tone="error">{problem}</Callout>}
        <RulesField rules={rules} checked={accepts} onChange={setAccepts} />
        <SubmitButton size="lg" busy={busy} busyLabel="Creating account…">
          Create account
        </SubmitButton>
        <Button variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
      </Form>
    </AccountPage>
  )
}

/** Why a login with a provider failed. */
export function ProviderFailed({ reason, passwordLogin }: { reason: string; passwordLogin: boolean }) {
  const text = failureText(reason, { passwordLogin })
  return text === undefined ? null : <Callout tone="error">{text}</Callout>
}
