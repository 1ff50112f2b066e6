import { notFound } from '@tanstack/react-router'
import { kindRouter, titleIn, titleName } from '#client/app/kinds.ts'
import { readId } from '#client/app/params.ts'
import { readReviewsSearch } from '#client/reviews/listing.ts'
import { prefetchReviews } from '#client/reviews/queries.ts'
import type { RouterContext } from '#client/app/loader-context.ts'
import { prefetchIsFavorite } from '#client/social/queries.ts'
import { isNotFound } from '#client/app/trpc.ts'
import { type Kind, kinds } from '#shared/domain/kinds.ts'
import { t } from '#shared/domain/message.ts'

/** Without the components, which are loaded when they are needed. */
export function titleRoute(kind: Kind) {
  return {
    validateSearch: readReviewsSearch,
    loader: ({
      context,
      params,
      location,
    }: {
      context: RouterContext
      params: object
      location: { search: Record<string, unknown> }
    }) => loadTitle(context, kind, String(Object.values(params)[0]), location.search),
    head: ({ loaderData }: { loaderData?: { name: string } | undefined }) => ({
      meta: [{ title: loaderData?.name ?? kinds[kind].words.one }],
    }),
  }
}

/**
 * One batch for the whole page. The server waits for all of it, a browser for the title and a pinned review. Returns the name of the title,
 * or of its pinned review. Throws `notFound()` if there is no such title.
 */
async function loadTitle(
  context: RouterContext,
  kind: Kind,
  idText: string,
  search: Record<string, unknown>,
): Promise<{ name: string }> {
  const id = readId(idText)
  if (id === null) throw notFound()
  const { trpc } = context
  const definition = kinds[kind]
  const reviewsSearch = readReviewsSearch(search)
  const reviews = prefetchReviews(context, { kind, id }, reviewsSearch)
  if (context.getSession()) void prefetchIsFavorite(trpc, definition, id)
  const sameStory = kindRouter(trpc, definition).sameStory.prefetch({ id })
  const seasons = kind === 'tvShow' ? trpc.progress.seasons.prefetch({ id }) : undefined
  try {
    await reviews
    if (import.meta.env.SSR) await Promise.all([sameStory, seasons])
    const output = await kindRouter(trpc, definition).byId.ensureData({ id })
    const name = titleName(definition, titleIn(definition, output))
    // Undefined without a pinned one.
    const review = trpc.reviews.byId.getData({ id: reviewsSearch.review! })?.review
    return { name: review?.itemId === id ? t`${review.user.username} on ${name}` : name }
  } catch (error) {
    throw isNotFound(error) ? notFound() : error
  }
}
