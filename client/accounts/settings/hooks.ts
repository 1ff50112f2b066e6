import { useMutation } from '@tanstack/react-query'
import { getSession, setSession, useSession } from '#client/session.ts'
import { retryOnce, type RouterOutputs, trpc } from '#client/trpc.ts'

import { downloadData } from './download.ts'

export type Me = RouterOutputs['accounts']['me']['user']

/** The member; until the response (`isPlaceholderData`) that of the session. */
export function useMe() {
  const user = useSession()?.user
  return trpc.accounts.me.useQuery(undefined, {
    enabled: user !== undefined,
    ...(user && { placeholderData: { user } }),
  })
}

/** Updates the profile and the session. Other cached queries with the old name or picture stay until they are stale. */
export function useUpdateProfile() {
  const utils = trpc.useUtils()
  return trpc.accounts.updateProfile.useMutation({
    ...retryOnce,
    onSuccess({ user }) {
      const session = getSession()
      if (session !== null) setSession({ ...session, user })
      utils.accounts.me.setData(undefined, { user })
    },
  })
}

/** Changes the password. The server ends the member's other sessions. */
export function useUpdatePassword() {
  const utils = trpc.useUtils()
  return trpc.accounts.updatePassword.useMutation({
    onSuccess: () => utils.accounts.listSessions.invalidate(),
  })
}

export function useSessions() {
  return trpc.accounts.listSessions.useQuery()
}

/** Ends a session, with an optimistic update of the list and a rollback. */
export function useEndSession() {
  const utils = trpc.useUtils()
  return trpc.accounts.endSession.useMutation({
    async onMutate({ id }) {
      await utils.accounts.listSessions.cancel()
      const before = utils.accounts.listSessions.getData()
      utils.accounts.listSessions.setData(
        undefined,
        (old) => old && { sessions: old.sessions.filter((session) => session.id !== id) },
      )
      return { before }
    },
    onError: (_error, _input, context) => utils.accounts.listSessions.setData(undefined, context?.before),
    onSettled: () => utils.accounts.listSessions.invalidate(),
  })
}

/** What a deletion of the account would remove. Fetched anew each time it is shown. */
export function useDeletion(isShown: boolean) {
  return trpc.accounts.deletion.useQuery(undefined, { enabled: isShown, staleTime: 0, gcTime: 0 })
}

export function useRequestDeletion() {
  const setDeletionAt = useSetDeletionAt()
  return trpc.accounts.requestDeletion.useMutation({
    onSuccess: ({ deletionAt }) => setDeletionAt(deletionAt),
  })
}

export function useCancelDeletion() {
  const setDeletionAt = useSetDeletionAt()
  return trpc.accounts.cancelDeletion.useMutation({ ...retryOnce, onSuccess: () => setDeletionAt(null) })
}

/** Returns a function that updates the date of the deletion in the session and in the cached member. */
function useSetDeletionAt() {
  const utils = trpc.useUtils()
  return (deletionAt: string | null) => {
    const session = getSession()
    if (session !== null) setSession({ ...session, user: { ...session.user, deletionAt } })
    utils.accounts.me.setData(undefined, (old) => old && { user: { ...old.user, deletionAt } })
  }
}

export function useDownload() {
  return useMutation({ mutationFn: downloadData })
}
