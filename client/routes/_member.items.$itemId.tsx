import { createFileRoute } from '@tanstack/react-router'
import { ItemScreen } from '#client/catalogue/items/item-screen.tsx'
import { ItemScreenPending } from '#client/catalogue/items/item-skeleton.tsx'
import { ReviewItem } from '#client/reviews/review-item.tsx'

export const Route = createFileRoute('/_member/items/$itemId')({
  loader: async ({ context: { trpc }, params }) => {
    const id = Number(params.itemId)
    // The screen tells of failures.
    await Promise.all([trpc.items.byId.prefetch({ id }), trpc.reviews.ofItem.prefetch({ id, page: 1 })])
    return { name: trpc.items.byId.getData({ id })?.item.name }
  },
  head: ({ loaderData }) => ({ meta: [{ title: loaderData?.name ?? 'Item' }] }),
  component: ItemRoute,
  pendingComponent: ItemScreenPending,
})

function ItemRoute() {
  const { itemId } = Route.useParams()
  return <ItemScreen key={itemId} id={Number(itemId)} ReviewItem={ReviewItem} />
}
