import { createFileRoute } from '@tanstack/react-router'
import { TitleSkeleton } from '#client/catalogue/title/title-skeleton.tsx'
import { readReviewsSearch } from '#client/reviews/listing.ts'
import { kinds } from '#shared/media.ts'
import { TitlePage, TitleProblem, NoTitle } from './-title-page.tsx'
import { loadTitle } from './-title-data.ts'

export const Route = createFileRoute('/movies/$movieId')({
  validateSearch: readReviewsSearch,
  loader: ({ context, params, location }) => loadTitle(context, 'movie', params.movieId, location.search),
  head: ({ loaderData }) => ({ meta: [{ title: loaderData?.name ?? kinds.movie.words.one }] }),
  component: MoviePage,
  pendingComponent: TitleSkeleton,
  errorComponent: (problem) => <TitleProblem kind="movie" {...problem} />,
  notFoundComponent: () => <NoTitle kind="movie" />,
})

function MoviePage() {
  return <TitlePage kind="movie" id={Number(Route.useParams().movieId)} search={Route.useSearch()} />
}
