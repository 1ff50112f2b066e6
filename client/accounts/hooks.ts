import { refreshUser } from '#client/app/user.ts'
import { getSession, type Session, setSession } from '#client/app/session.ts'
import { useSite } from '#client/app/site.ts'
import { type ApiError, retryOnce, trpc } from '#client/app/trpc.ts'
import { useDates } from '#client/ui/dates.ts'
import { toasts } from '#client/ui/toasts.ts'
import { responseErrors } from './field-errors.ts'
import { t } from '#shared/domain/message.ts'

// These mutations do not update the cache: main.tsx clears it after `setSession`, and the others change no cached data.

/** Undefined without a code, and until the invite is known. */
export function useInvite(code: string | undefined) {
  const { data } = trpc.invites.find.useQuery({ id: code ?? '' }, { enabled: code !== undefined })
  return data?.invite
}

/** Solves the server’s challenge for a sign-up, if the site requires one. */
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

/** Returns a function that starts the session of a login’s response, and says if the account is about to be deleted. */
export function useStartSession() {
  const { date } = useDates()
  return ({ token, user }: Partial<Session>) => {
    if (token && user) setSession({ token, user })
    if (user?.deletionAt)
      toasts.add({
        title: t`Your account will be deleted on ${date(user.deletionAt)}.`,
        description: t`To keep it, open Settings → Account.`,
      })
  }
}

/** A response without token or user is an error (`isIncomplete`). */
export function useLogin() {
  const mutation = trpc.accounts.login.useMutation({ ...retryOnce, onSuccess: useStartSession() })
  return { ...mutation, isIncomplete: mutation.isSuccess && !(mutation.data.token && mutation.data.user) }
}

/** Whether an emailed link was refused because it has done its work before. */
export function isUsedLink(error: ApiError | null): boolean {
  return error?.data?.reason === 'LINK_USED'
}

/** Whether an emailed link was refused because it is unknown or has expired: the call has no other refusal without a reason or an issue. */
export function isDeadLink(error: ApiError | null): boolean {
  const { code, reason } = error?.data ?? {}
  return code === 'BAD_REQUEST' && reason === undefined && responseErrors(error) === undefined
}

/** The server ends all sessions, so this browser drops its own. */
export function useResetPassword() {
  return trpc.accounts.resetPassword.useMutation({
    onSuccess() {
      if (getSession() !== null) setSession(null)
    },
  })
}

export function useKeepAccount() {
  return trpc.accounts.keepAccount.useMutation({ onSuccess: () => refreshUser().catch(() => {}) })
}
