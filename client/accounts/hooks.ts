import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useRefreshUser } from '#client/refresh-user.ts'
import { getSession, setSession } from '#client/session.ts'
import { useSite } from '#client/site.ts'
import { retryOnce, trpc } from '#client/trpc.ts'
import { useDates } from '#client/ui/dates.ts'
import { toasts } from '#client/ui/toasts.ts'
import { afterLogin } from './redirect.ts'
import { takeSignUp } from './stored-sign-up.ts'

// These mutations do not update the cache: main.tsx clears it after `setSession`, and the other mutations change no cached data.

/** Returns who invites with a code; `isValid` is false if it cannot be used. Undefined without a code, and while it is not known. */
export function useInvite(code: string | undefined) {
  const { data } = trpc.invites.find.useQuery({ id: code ?? '' }, { enabled: code !== undefined })
  return data?.invite
}

/** Returns a function that solves a challenge of the server, if the site requires that of a sign-up. Loads the solver. */
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

/** Verifies an email, and updates it in the session of a member. Also returns `signUp` if the sign-up was in this browser. */
export function useVerifyEmail() {
  const refreshUser = useRefreshUser()
  const [signUp, setSignUp] = useState<ReturnType<typeof takeSignUp>>()
  const verification = trpc.accounts.verifyEmail.useMutation({
    onSuccess() {
      setSignUp(takeSignUp())
      // The email is verified even if this fails.
      return refreshUser().catch(() => {})
    },
  })
  return { ...verification, signUp }
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

/** Cancels the deletion of an account, and updates the session if it is that of this browser. */
export function useKeepAccount() {
  const refreshUser = useRefreshUser()
  // The account is kept even if refreshing fails.
  return trpc.accounts.keepAccount.useMutation({ onSuccess: () => refreshUser().catch(() => {}) })
}
