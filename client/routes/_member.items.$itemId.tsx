import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { ItemScreen } from '#client/catalogue/items/item-screen.tsx'
import { ItemScreenPending } from '#client/catalogue/items/item-skeleton.tsx'
import { SimilarTitles } from '#client/feed/similar-titles.tsx'
import { ItemReviewForm } from '#client/reviews/item-review-form.tsx'
import { newestFirst } from '#client/reviews/listing.ts'
import type { ReviewedTitle } from '#client/reviews/title.ts'
import { UserReviews } from '#client/reviews/user-reviews.tsx'
import { t } from '#shared/domain/message.ts'

export const Route = createFileRoute('/_member/items/$itemId')({
  loader: async ({ context: { trpc }, params }) => {
    const id = Number(params.itemId)
    // Does not reject: the screen shows the error.
    await trpc.items.byId.prefetch({ id })
    return { name: trpc.items.byId.getData({ id })?.item.name }
  },
  head: ({ loaderData }) => ({ meta: [{ title: loaderData?.name ?? t`Item` }] }),
  component: ItemRoute,
  pendingComponent: ItemScreenPending,
})

function ItemRoute() {
  const { itemId } = Route.useParams()
  return (
    <ItemScreen key={itemId} id={Number(itemId)}>
      {(title) => ({
        reviews: <ItemReviews title={title} />,
        similar: <SimilarTitles {...title} className="mt-12" />,
      })}
    </ItemScreen>
  )
}

function ItemReviews({ title }: { title: ReviewedTitle }) {
  const [page, setPage] = useState(1)
  return (
    <>
      <ItemReviewForm title={title} />
      <UserReviews
        heading="Reviews"
        title={title}
        listing={{ ...newestFirst, page }}
        onListing={(change) => setPage(change.page ?? 1)}
      />
    </>
  )
}
