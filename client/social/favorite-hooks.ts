import { useMutation, useQuery } from '@tanstack/react-query'
import { changed } from '#client/app/facts.ts'
import { useSession } from '#client/app/session.ts'
import { favoritesRouter, type NamedTitle, titleKey, type TitleRef } from '#client/app/kinds.ts'
import { retryOnce, runMutation, showFailure, trpc, trpcClient, trpcUtils } from '#client/app/trpc.ts'
import { showDone } from '#client/ui/toasts.ts'
import { kinds } from '#shared/domain/kinds.ts'
import { t } from '#shared/domain/message.ts'

export function useIsFavorite({ kind, id }: TitleRef) {
  const { isFavorite } = favoritesRouter(trpc.useUtils(), kinds[kind])
  const isMember = useSession() !== null
  return useQuery({ ...isFavorite.queryOptions({ id }), enabled: isMember })
}

export function settingFavorite(title: TitleRef) {
  const { kind, id } = title
  const definition = kinds[kind]
  const { isFavorite: shown } = favoritesRouter(trpcUtils, definition)
  const { add, remove } = favoritesRouter(trpcClient, definition)
  return {
    ...retryOnce,
    mutationFn: (isFavorite: boolean) => (isFavorite ? add.mutate(titleKey(title)) : remove.mutate({ id })),
    onSuccess(_: unknown, isFavorite: boolean) {
      shown.setData({ id }, { isFavorite })
      void changed('favorite', id)
    },
  }
}

export function useSetFavorite(title: TitleRef) {
  return useMutation({
    ...settingFavorite(title),
    onError: (error, isFavorite) =>
      showFailure(isFavorite ? t`Not added to your favorites` : t`Still among your favorites`, error),
  })
}

export async function toggleFavorite(title: NamedTitle): Promise<void> {
  const set = async (next: boolean) => {
    try {
      await runMutation(settingFavorite(title), next)
      showDone(
        next ? t`“${title.name}” is a favorite` : t`“${title.name}” is no longer a favorite`,
        () => void set(!next),
      )
    } catch (error) {
      showFailure(t`Your favorites were not changed`, error)
    }
  }
  const { isFavorite } = favoritesRouter(trpcUtils, kinds[title.kind])
  const known = await isFavorite.fetch({ id: title.id }).catch(() => undefined)
  if (known !== undefined) await set(!known.isFavorite)
}
