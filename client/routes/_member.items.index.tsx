import { createFileRoute } from '@tanstack/react-router'
import { ItemsScreen } from '#client/catalogue/items/items-screen.tsx'
import { itemsInput, type ItemsParams, readItemsParams } from '#client/catalogue/items/params.ts'
import { FirstSteps } from './-first-run/first-steps.tsx'
import { t } from '#shared/domain/message.ts'

export const Route = createFileRoute('/_member/items/')({
  // Read by the component, which is not part of the first pages.
  validateSearch: (search): ItemsParams => search,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { trpc }, deps }) => void trpc.items.list.prefetch(itemsInput(readItemsParams(deps))),
  head: () => ({ meta: [{ title: t`Items` }] }),
  component: () => (
    <>
      <FirstSteps className="page mt-8" />
      <ItemsScreen {...readItemsParams(Route.useSearch())} />
    </>
  ),
})
