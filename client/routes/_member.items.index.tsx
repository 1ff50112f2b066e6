import { createFileRoute } from '@tanstack/react-router'
import { ItemsScreen } from '#client/catalogue/items/items-screen.tsx'
import { itemsInput, readItemsParams } from '#client/catalogue/items/params.ts'

import { FirstSteps } from './-first-run/first-steps.tsx'

export const Route = createFileRoute('/_member/items/')({
  validateSearch: readItemsParams,
  loaderDeps: ({ search }) => itemsInput(search),
  // Not awaited: the previous page of the list stays, dimmed, until the next one is loaded.
  loader: ({ context, deps }) => void context.trpc.items.list.prefetch(deps),
  head: () => ({ meta: [{ title: 'Items' }] }),
  component: ItemsRoute,
})

function ItemsRoute() {
  return (
    <>
      <FirstSteps className="mt-8" />
      <ItemsScreen {...Route.useSearch()} />
    </>
  )
}
