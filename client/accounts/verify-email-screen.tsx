import { Link } from '@tanstack/react-router'
import { CircleCheck, LoaderCircle, MailX } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { getSession } from '#client/app/session.ts'
import { errorText, trpc } from '#client/app/trpc.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { messages } from '#shared/texts/messages.ts'
import { EmailForm } from './email-form.tsx'
import { useFirstLogin, useVerifyEmail } from './hooks.ts'

export function VerifyEmailScreen({ token }: { token: string | undefined }) {
  const verification = useVerifyEmail()
  const firstLogin = useFirstLogin()
  const { mutate } = verification
  // A token works once, but effects may run twice (StrictMode).
  const sent = useRef<string>(undefined)
  useEffect(() => {
    if (!token || sent.current === token) return
    sent.current = token
    mutate({ token })
  }, [token, mutate])

  if (!token) return <Failure text={messages.missingToken} />
  const { isWaiting, isVerified, message, signUp } = verification
  if (isWaiting)
    return (
      <State
        icon={<CircleCheck aria-hidden className="text-ok" />}
        title="Almost there."
        text={messages.approvalPending}
      />
    )
  if (isVerified)
    return (
      <State icon={<CircleCheck aria-hidden className="text-ok" />} title="All set." text={message}>
        <ButtonLink
          variant="primary"
          size="lg"
          aria-busy={firstLogin.isPending}
          render={
            <Link
              to="/login"
              search={{ redirect: signUp?.redirect }}
              state={signUp ? { email: signUp.email } : {}}
              // The link alone must not log in: docs/security.md.
              onClick={(event) => {
                if (!signUp || getSession() !== null || event.ctrlKey || event.metaKey || event.shiftKey)
                  return
                event.preventDefault()
                if (!firstLogin.isPending) void firstLogin.logIn(token, signUp)
              }}
            />
          }
        >
          Continue to login
        </ButtonLink>
      </State>
    )
  if (verification.isError)
    return <Failure text={errorText(verification.error, messages.verificationFailed)} />
  return (
    <State
      icon={<LoaderCircle aria-hidden className="animate-spin text-muted" />}
      title="One moment."
      text={messages.verifying}
    />
  )
}

function Failure({ text }: { text: string }) {
  const resend = trpc.accounts.resendVerification.useMutation()
  return (
    <State
      icon={<MailX aria-hidden className="text-danger" />}
      title="That did not work."
      text={text}
      isError
    >
      <EmailForm
        mutation={resend}
        label="Your email"
        button="Resend the verification email"
        hint="We will send a new link, valid for 24 hours; or a note, if the email is already verified."
      />
    </State>
  )
}

function State({
  icon,
  title,
  text,
  isError = false,
  children,
}: {
  icon: ReactNode
  title: string
  text: string
  isError?: boolean
  children?: ReactNode
}) {
  return (
    <div className="page grid max-w-2xl grow content-center justify-items-center gap-6 py-16 text-center">
      <span className="[&_svg]:size-12 [&_svg]:stroke-[1.5]">{icon}</span>
      <div role={isError ? 'alert' : 'status'}>
        <h1 className="text-h1">{title}</h1>
        <p className="mt-4 text-lead text-muted">{text}</p>
      </div>
      <div className="w-full max-w-md">{children}</div>
    </div>
  )
}
