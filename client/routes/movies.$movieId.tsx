import { createFileRoute } from '@tanstack/react-router'
import { MediumSkeleton } from '#client/catalogue/medium/skeleton.tsx'
import { kinds } from '#shared/media.ts'
import { Medium, MediumProblem, NoMedium } from './-medium.tsx'
import { loadMedium, readMediumSearch } from './-medium-data.ts'

export const Route = createFileRoute('/movies/$movieId')({
  validateSearch: readMediumSearch,
  loader: ({ context, params, location }) => loadMedium(context, 'movie', params.movieId, location.search),
  head: ({ loaderData }) => ({ meta: [{ title: loaderData?.name ?? kinds.movie.words.one }] }),
  component: MoviePage,
  pendingComponent: MediumSkeleton,
  errorComponent: (problem) => <MediumProblem kind="movie" {...problem} />,
  notFoundComponent: () => <NoMedium kind="movie" />,
})

function MoviePage() {
  return <Medium kind="movie" id={Number(Route.useParams().movieId)} search={Route.useSearch()} />
}
