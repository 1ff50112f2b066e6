import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useRefreshUser } from '#client/app/refresh-user.ts'
import { getSession, setSession } from '#client/app/session.ts'
import { useSite } from '#client/app/site.ts'
import { type ApiError, retryOnce, trpc } from '#client/app/trpc.ts'
import { useDates } from '#client/ui/dates.ts'
import { toasts } from '#client/ui/toasts.ts'
import { messages } from '#shared/texts/messages.ts'
import { afterLogin } from './redirect.ts'
import { takeSignUp } from './stored-sign-up.ts'

// These mutations do not update the cache: main.tsx clears it after `setSession`, and the other mutations change no cached data.

/** Returns who invites with a code; `isValid` is false if it cannot be used. Undefined without a code, and while it is not known. */
export function useInvite(code: string | undefined) {
  const { data } = trpc.invites.find.useQuery({ id: code ?? '' }, { enabled: code !== undefined })
  return data?.invite
}

/** Returns a function that solves a challenge of the server, if the site requires one for a sign-up. Loads the solver. */
export function useProof() {
  const { challenge } = useSite().registration
  const utils = trpc.useUtils()
  return async (): Promise<{ proof?: string }> => {
    if (challenge === 'off') return {}
    const [{ proofOf }, given] = await Promise.all([
      import('./proof.ts'),
      utils.client.accounts.challenge.query(),
    ])
    return { proof: await proofOf(given.challenge) }
  }
}

/** Logs in. A response without token or user is an error (`isIncomplete`). */
export function useLogin() {
  const { date } = useDates()
  const mutation = trpc.accounts.login.useMutation({
    ...retryOnce,
    onSuccess({ token, user }) {
      if (token && user) setSession({ token, user })
      if (user?.deletionAt)
        toasts.add({
          title: `Your account will be deleted on ${date(user.deletionAt)}.`,
          description: 'To keep it, open Settings → Account.',
        })
    },
  })
  return { ...mutation, isIncomplete: mutation.isSuccess && !(mutation.data.token && mutation.data.user) }
}

/**
 * Verifies an email, and updates it in the session of a member. `message` says that the email is verified, even if the link was used
 * before: by a mail scanner, a reload or another browser. Also returns `signUp` if the sign-up was in this browser.
 */
export function useVerifyEmail() {
  const refreshUser = useRefreshUser()
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
  const message = verification.isSuccess
    ? verification.data.message || messages.verified
    : isDone(verification.error)
      ? verification.error?.data?.reason === 'APPROVAL_PENDING'
        ? messages.approvalPending
        : messages.verified
      : undefined
  return { ...verification, message, signUp }
}

function isDone(error: ApiError | null): boolean {
  return isUsedLink(error) || error?.data?.reason === 'APPROVAL_PENDING'
}

/** Returns whether an emailed link was refused because it has done its work before. */
export function isUsedLink(error: ApiError | null): boolean {
  return error?.data?.reason === 'LINK_USED'
}

/**
 * Logs in after a verification if the sign-up was in this browser, and opens the page that the sign-up was for. Opens the login if
 * that fails.
 */
export function useFirstLogin() {
  const navigate = useNavigate()
  const login = trpc.accounts.firstLogin.useMutation()
  async function logIn(
    token: string,
    { loginKey, redirect, email }: NonNullable<ReturnType<typeof takeSignUp>>,
  ) {
    try {
      setSession(await login.mutateAsync({ token, loginKey }))
      await navigate({ href: afterLogin(redirect), replace: true })
    } catch {
      await navigate({ to: '/login', search: { redirect }, state: { email } })
    }
  }
  return { logIn, isPending: login.isPending }
}

/** Resets the password. The server ends all sessions, so the session of this browser is dropped. */
export function useResetPassword() {
  return trpc.accounts.resetPassword.useMutation({
    onSuccess() {
      if (getSession() !== null) setSession(null)
    },
  })
}

/** Cancels the deletion of an account, and updates the session if it is this browser’s account. */
export function useKeepAccount() {
  const refreshUser = useRefreshUser()
  // The account is kept even if refreshing fails.
  return trpc.accounts.keepAccount.useMutation({ onSuccess: () => refreshUser().catch(() => {}) })
}
