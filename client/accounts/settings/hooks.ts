import { changed } from '#client/app/facts.ts'
import { useSession } from '#client/app/session.ts'
import { retryOnce, type RouterOutputs, trpc } from '#client/app/trpc.ts'
import { changeUser } from '#client/app/user.ts'
import { optimisticRemoval } from './optimistic-removal.ts'

export type Me = RouterOutputs['accounts']['me']['user']

/** Until the response arrives (`isPlaceholderData`), the user stored with the session. */
export function useMe() {
  const user = useSession()?.user
  return trpc.accounts.me.useQuery(undefined, {
    enabled: user !== undefined,
    ...(user && { placeholderData: { user } }),
  })
}

/** Other cached queries with the old name or picture stay until they are stale. */
export function useUpdateProfile() {
  return trpc.accounts.updateProfile.useMutation({
    ...retryOnce,
    onSuccess: ({ user }) => changeUser(user.id, () => user),
  })
}

/** The server also ends the member's other sessions and revokes the access tokens. */
export function useUpdatePassword() {
  return trpc.accounts.updatePassword.useMutation({
    onSuccess: () => Promise.all([changed('sessions'), changed('accessTokens'), changed('signIn')]),
  })
}

export function useEndSession() {
  const utils = trpc.useUtils()
  return trpc.accounts.endSession.useMutation(
    optimisticRemoval('sessions', utils.accounts.listSessions, ({ sessions }, id) => ({
      sessions: sessions.filter((session) => session.id !== id),
    })),
  )
}

export type AccessToken = RouterOutputs['accounts']['listAccessTokens']['tokens'][number]

export function useCreateAccessToken() {
  const utils = trpc.useUtils()
  return trpc.accounts.createAccessToken.useMutation({
    onSuccess: ({ token }) =>
      utils.accounts.listAccessTokens.setData(undefined, (old) => old && { tokens: [token, ...old.tokens] }),
  })
}

export function useRevokeAccessToken() {
  const utils = trpc.useUtils()
  return trpc.accounts.revokeAccessToken.useMutation(
    optimisticRemoval('accessTokens', utils.accounts.listAccessTokens, ({ tokens }, id) => ({
      tokens: tokens.filter((token) => token.id !== id),
    })),
  )
}

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

function useSetDeletionAt() {
  const userId = useSession()?.user.id
  return (deletionAt: string | null) => changeUser(userId, (user) => ({ ...user, deletionAt }))
}
