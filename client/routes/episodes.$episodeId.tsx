import { createFileRoute, Link } from '@tanstack/react-router'
import { EpisodeScreen } from '#client/progress/episode-screen.tsx'
import { loadEpisode } from '#client/progress/load-episode.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { KindIcon } from '#client/ui/kind.tsx'
import { messages } from '#shared/texts/messages.ts'

export const Route = createFileRoute('/episodes/$episodeId')({
  loader: ({ context, params }) => loadEpisode(context, params.episodeId),
  head: ({ loaderData }) => ({ meta: [{ title: loaderData?.name }] }),
  component: () => <EpisodeScreen id={Number(Route.useParams().episodeId)} />,
  notFoundComponent: NoEpisode,
})

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
