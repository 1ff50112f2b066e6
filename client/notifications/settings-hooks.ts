import { useMutationState } from '@tanstack/react-query'
import { getMutationKey } from '@trpc/react-query'
import { retryOnce, type RouterOutputs, showFailure, trpc } from '#client/app/trpc.ts'
import { type Change, merge } from '#shared/domain/merge.ts'
import { t } from '#shared/domain/message.ts'

export type Settings = RouterOutputs['notifications']['settings']

const settingChanges = getMutationKey(trpc.notifications.changeSettings)

/** With the changes that the server has not answered. */
export function useSettings() {
  const { data, ...query } = trpc.notifications.settings.useQuery()
  const changes = useMutationState({
    filters: { mutationKey: settingChanges, status: 'pending' },
    select: ({ state }) => state.variables as Change<Settings>,
  })
  return { ...query, data: data && changes.reduce<Settings>(merge, data) }
}

export function useChangeSettings() {
  const { settings } = trpc.useUtils().notifications
  return trpc.notifications.changeSettings.useMutation({
    ...retryOnce,
    // In the order of the presses.
    scope: { id: 'notification settings' },
    async onSuccess(now) {
      await settings.cancel()
      settings.setData(undefined, now)
    },
    onError: (error) => showFailure(t`The setting was not saved`, error),
  })
}
