import { Link, useNavigate } from '@tanstack/react-router'
import { CircleCheck, LoaderCircle, MailX } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { getSession, setSession } from '#client/app/session.ts'
import { type ApiError, errorText, trpc } from '#client/app/trpc.ts'
import { refreshUser } from '#client/app/user.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { toasts } from '#client/ui/toasts.ts'
import { messages } from '#shared/texts/messages.ts'
import { EmailForm } from './email-form.tsx'
import { isUsedLink } from './hooks.ts'
import { canVerifyUser } from './passkeys.ts'
import { afterLogin } from './redirect.ts'
import { takeSignUp } from './stored-sign-up.ts'
import { t } from '#shared/domain/message.ts'

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

/**
 * A link that was used before also succeeds: mail scanners, reloads and other browsers open it. Returns `signUp` if the sign-up was in this
 * browser.
 */
function useVerifyEmail() {
  const [signUp, setSignUp] = useState<ReturnType<typeof takeSignUp>>()
  function finish() {
    setSignUp(takeSignUp())
    // The email is verified even if this fails.
    return refreshUser().catch(() => {})
  }
  const verification = trpc.accounts.verifyEmail.useMutation({
    onSuccess: finish,
    onError: (error) => (isDone(error) ? finish() : undefined),
  })
  const { data, error } = verification
  const isPending = data?.isPending === true || error?.data?.reason === 'APPROVAL_PENDING'
  const isVerified = !isPending && (verification.isSuccess || isDone(error))
  return {
    ...verification,
    isWaiting: isPending,
    isVerified,
    message: data?.message || messages.verified,
    signUp,
  }
}

function isDone(error: ApiError | null): boolean {
  return isUsedLink(error) || error?.data?.reason === 'APPROVAL_PENDING'
}

/** Logs in after a verification in the browser of the sign-up; otherwise, or if that fails, opens the login. */
function useFirstLogin() {
  const navigate = useNavigate()
  const login = trpc.accounts.firstLogin.useMutation()
  async function logIn(
    token: string,
    { loginKey, redirect, email }: NonNullable<ReturnType<typeof takeSignUp>>,
  ) {
    try {
      setSession(await login.mutateAsync({ token, loginKey }))
      void offerPasskey().catch(() => {})
      await navigate({ href: afterLogin(redirect), replace: true })
    } catch {
      await navigate({ to: '/login', search: { redirect }, state: { email } })
    }
  }
  async function offerPasskey() {
    if (!(await canVerifyUser())) return
    toasts.add({
      title: t`Sign in without your password next time?`,
      description: t`With your fingerprint, your face or the screen lock of this device.`,
      action: {
        label: t`Set it up`,
        onAction: () => void navigate({ to: '/settings', search: { tab: 'account' } }),
      },
    })
  }
  return { logIn, isPending: login.isPending }
}
