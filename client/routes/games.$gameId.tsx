import { createFileRoute } from '@tanstack/react-router'
import { TitleSkeleton } from '#client/catalogue/title/title-skeleton.tsx'
import { readReviewsSearch } from '#client/reviews/listing.ts'
import { kinds } from '#shared/media.ts'
import { TitlePage, TitleProblem, NoTitle } from './-title-page.tsx'
import { loadTitle } from './-title-data.ts'

export const Route = createFileRoute('/games/$gameId')({
  validateSearch: readReviewsSearch,
  loader: ({ context, params, location }) => loadTitle(context, 'game', params.gameId, location.search),
  head: ({ loaderData }) => ({ meta: [{ title: loaderData?.name ?? kinds.game.words.one }] }),
  component: GamePage,
  pendingComponent: TitleSkeleton,
  errorComponent: (problem) => <TitleProblem kind="game" {...problem} />,
  notFoundComponent: () => <NoTitle kind="game" />,
})

function GamePage() {
  return <TitlePage kind="game" id={Number(Route.useParams().gameId)} search={Route.useSearch()} />
}
