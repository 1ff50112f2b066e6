import { getSession, setSession } from '#client/session.ts'
import { retryOnce, trpc } from '#client/trpc.ts'

// Logging in and out changes what every cached answer says: `setSession` empties the cache (main.tsx). The other
// mutations here change nothing that is cached.

export function useRegister() {
  return trpc.accounts.register.useMutation()
}

/** Logs in; an answer without token or user logs nobody in (`isIncomplete`). */
export function useLogin() {
  const mutation = trpc.accounts.login.useMutation({
    ...retryOnce,
    onSuccess({ token, user }) {
      if (token && user) setSession({ token, user })
    },
  })
  return { ...mutation, isIncomplete: mutation.isSuccess && !(mutation.data.token && mutation.data.user) }
}

/** Verifies an email. A member who confirms a new address sees it everywhere at once. */
export function useVerifyEmail() {
  const utils = trpc.useUtils()
  return trpc.accounts.verifyEmail.useMutation({
    async onSuccess() {
      const session = getSession()
      if (session === null) return
      // The email is verified even if this does not arrive.
      const answer = await utils.accounts.me.fetch(undefined, { staleTime: 0 }).catch(() => null)
      if (answer) setSession({ ...session, user: answer.user })
    },
  })
}

export function useResendVerification() {
  return trpc.accounts.resendVerification.useMutation()
}

export function useForgotPassword() {
  return trpc.accounts.forgotPassword.useMutation()
}

/** Ends the member's sessions everywhere, so this browser's too. */
export function useResetPassword() {
  return trpc.accounts.resetPassword.useMutation({
    onSuccess() {
      if (getSession() !== null) setSession(null)
    },
  })
}
