import { keepPreviousData } from '@tanstack/react-query'
import { retryOnce, trpc } from '#client/trpc.ts'
import type { KindFacts } from '#shared/media.ts'
import { kindUtils } from '#client/kinds.ts'
import type { ItemsParams } from './params.ts'

/** A page of the catalogue; the page before stays until it is there. */
export function useItems({ page = 1, category }: ItemsParams) {
  return trpc.items.list.useQuery({ page, category }, { placeholderData: keepPreviousData })
}

/** The newest reviews of an item, page by page. */
export function useItemReviews(id: number, page: number) {
  return trpc.reviews.ofItem.useQuery({ id, page }, { placeholderData: keepPreviousData })
}

/** A rating counts at once in all that is told of its title, so all of that is read anew. */
export function useReviewItem(id: number, facts: KindFacts) {
  const utils = trpc.useUtils()
  return trpc.reviews.save.useMutation({
    ...retryOnce,
    onSuccess: () =>
      Promise.all([
        utils.items.byId.invalidate({ id }),
        utils.reviews.invalidate(),
        kindUtils(utils, facts).invalidate(),
        utils.accounts.profile.invalidate(),
      ]),
  })
}
