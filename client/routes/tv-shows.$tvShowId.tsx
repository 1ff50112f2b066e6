import { createFileRoute } from '@tanstack/react-router'
import { TitleSkeleton } from '#client/catalogue/title/title-skeleton.tsx'
import { readReviewsSearch } from '#client/reviews/listing.ts'
import { kinds } from '#shared/media.ts'
import { TitlePage, TitleProblem, NoTitle } from './-title-page.tsx'
import { loadTitle } from './-title-data.ts'

export const Route = createFileRoute('/tv-shows/$tvShowId')({
  validateSearch: readReviewsSearch,
  loader: ({ context, params, location }) => loadTitle(context, 'tvShow', params.tvShowId, location.search),
  head: ({ loaderData }) => ({ meta: [{ title: loaderData?.name ?? kinds.tvShow.words.one }] }),
  component: TvShowPage,
  pendingComponent: TitleSkeleton,
  errorComponent: (problem) => <TitleProblem kind="tvShow" {...problem} />,
  notFoundComponent: () => <NoTitle kind="tvShow" />,
})

function TvShowPage() {
  return <TitlePage kind="tvShow" id={Number(Route.useParams().tvShowId)} search={Route.useSearch()} />
}
