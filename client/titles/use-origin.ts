import { trpc } from '#client/app/trpc.ts'
import type { Write } from '#shared/contracts/origins.ts'

export type AboutOrigin = { entry: number } | { item: number }

const none: Write[] = []

/** What imports wrote, newest first. Asked again each time it is shown. */
export function useOrigin(about: AboutOrigin): readonly Write[] {
  const [entry, item] = 'entry' in about ? [about.entry, undefined] : [undefined, about.item]
  const ofEntry = trpc.imports.entryOrigin.useQuery(
    { id: entry ?? 0 },
    { staleTime: 0, enabled: entry !== undefined },
  )
  const ofItem = trpc.imports.origins.useQuery(
    { itemId: item ?? 0 },
    { staleTime: 0, enabled: item !== undefined },
  )
  return (ofEntry.data ?? ofItem.data)?.writes ?? none
}
