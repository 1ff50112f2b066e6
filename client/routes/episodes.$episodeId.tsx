import { createFileRoute, Link } from '@tanstack/react-router'
import type { TitleRef } from '#client/app/kinds.ts'
import { readId } from '#client/app/params.ts'
import { EpisodeScreen } from '#client/progress/episode-screen.tsx'
import { loadEpisode } from '#client/progress/load-episode.ts'
import { readReviewsSearch } from '#client/reviews/listing.ts'
import { prefetchReviews } from '#client/reviews/queries.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { lazyComponent } from '#client/ui/lazy.ts'
import { KindIcon } from '#client/ui/kind.tsx'
import { t } from '#shared/domain/message.ts'
import { messages } from '#shared/texts/messages.ts'

export const Route = createFileRoute('/episodes/$episodeId')({
  validateSearch: readReviewsSearch,
  loader: async ({ context, params, location }) => {
    const id = readId(params.episodeId)
    const search = readReviewsSearch(location.search)
    const [{ name }] = await Promise.all([
      loadEpisode(context, id),
      id !== null && prefetchReviews(context, reviewedEpisode(id), search),
    ])
    // Undefined without a pinned one.
    const review = context.trpc.reviews.byId.getData({ id: search.review! })?.review
    return { name: review?.about?.episodeId === id ? t`${review.user.username} on ${name}` : name }
  },
  head: ({ loaderData }) => ({ meta: [{ title: loaderData?.name }] }),
  component: EpisodeRoute,
  notFoundComponent: NoEpisode,
})

/** The loader does not know the show yet. */
const reviewedEpisode = (episodeId: number, show: TitleRef = { kind: 'tvShow', id: 0 }) => ({
  ...show,
  part: { episodeId },
})

const { AutoLoaded: Reviews } = lazyComponent(async () => (await import('./-title-page.tsx')).TitleReviews, {
  isInPage: true,
})
const { AutoLoaded: PinnedReview } = lazyComponent(
  async () => (await import('./-title-page.tsx')).PinnedReview,
  { isInPage: true },
)

function EpisodeRoute() {
  const id = Number(Route.useParams().episodeId)
  const { review } = Route.useSearch()
  return (
    <EpisodeScreen id={id}>
      {(show, name, isGone) => {
        const episode = { ...reviewedEpisode(id, show), name, isGone }
        return {
          pinned:
            review === undefined ? null : (
              <PinnedReview key={review} title={episode} id={review} className="mt-10" />
            ),
          reviews: (
            <div className="mt-12 grid grid-cols-1 gap-12 lg:max-w-[52rem]">
              <Reviews title={episode} />
            </div>
          ),
        }
      }}
    </EpisodeScreen>
  )
}

function NoEpisode() {
  return (
    <div data-kind="tvShow" className="page py-12">
      <EmptyState
        isPage
        icon={<KindIcon kind="tvShow" />}
        title={messages.episodeNotFound}
        action={
          <ButtonLink variant="primary" render={<Link to="/search" />}>
            Search for a show
          </ButtonLink>
        }
      >
        It may have been removed, or its address has a typo.
      </EmptyState>
    </div>
  )
}
