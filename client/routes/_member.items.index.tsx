import { createFileRoute } from '@tanstack/react-router'
import { ItemsScreen } from '#client/catalogue/items/items-screen.tsx'
import { readItemsParams } from '#client/catalogue/items/params.ts'

export const Route = createFileRoute('/_member/items/')({
  validateSearch: readItemsParams,
  loaderDeps: ({ search: { page = 1, category } }) => ({ page, category }),
  // Not waited for: the page before stays, dimmed, until this one is there.
  loader: ({ context, deps }) => void context.trpc.items.list.prefetch(deps),
  head: () => ({ meta: [{ title: 'Items' }] }),
  component: ItemsRoute,
})

function ItemsRoute() {
  return <ItemsScreen {...Route.useSearch()} />
}
