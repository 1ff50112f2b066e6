import { createFileRoute } from '@tanstack/react-router'
import { MediumSkeleton } from '#client/catalogue/medium/skeleton.tsx'
import { kinds } from '#shared/media.ts'
import { Medium, MediumProblem, NoMedium } from './-medium.tsx'
import { loadMedium, readMediumSearch } from './-medium-data.ts'

export const Route = createFileRoute('/games/$gameId')({
  validateSearch: readMediumSearch,
  loader: ({ context, params, location }) => loadMedium(context, 'game', params.gameId, location.search),
  head: ({ loaderData }) => ({ meta: [{ title: loaderData?.name ?? kinds.game.words.one }] }),
  component: GamePage,
  pendingComponent: MediumSkeleton,
  errorComponent: (problem) => <MediumProblem kind="game" {...problem} />,
  notFoundComponent: () => <NoMedium kind="game" />,
})

function GamePage() {
  return <Medium kind="game" id={Number(Route.useParams().gameId)} search={Route.useSearch()} />
}
