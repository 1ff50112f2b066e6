import { createFileRoute } from '@tanstack/react-router'
import { MediumSkeleton } from '#client/catalogue/medium/skeleton.tsx'
import { kinds } from '#shared/media.ts'
import { Medium, MediumProblem, NoMedium } from './-medium.tsx'
import { loadMedium, readMediumSearch } from './-medium-data.ts'

export const Route = createFileRoute('/tv-shows/$tvShowId')({
  validateSearch: readMediumSearch,
  loader: ({ context, params, location }) => loadMedium(context, 'tvShow', params.tvShowId, location.search),
  head: ({ loaderData }) => ({ meta: [{ title: loaderData?.name ?? kinds.tvShow.words.one }] }),
  component: TvShowPage,
  pendingComponent: MediumSkeleton,
  errorComponent: (problem) => <MediumProblem kind="tvShow" {...problem} />,
  notFoundComponent: () => <NoMedium kind="tvShow" />,
})

function TvShowPage() {
  return <Medium kind="tvShow" id={Number(Route.useParams().tvShowId)} search={Route.useSearch()} />
}
