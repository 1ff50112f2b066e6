import { Link } from '@tanstack/react-router'
import { Heart } from 'lucide-react'
import { rowSizes, TitleCard } from '#client/titles/title-card.tsx'
import { TitleOverlay } from '#client/titles/title-overlay.tsx'
import { LoadError } from '#client/app/load-error.tsx'
import { trpc } from '#client/app/trpc.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { PosterGrid, PosterGridSkeleton } from '#client/ui/poster-grid.tsx'
import { Section, SectionLink } from '#client/ui/section.tsx'
import { cardOf } from '#client/app/kinds.ts'
import { kinds } from '#shared/domain/kinds.ts'
import { messages } from '#shared/texts/messages.ts'

const shown = 6

export function FriendsFavourites() {
  return (
    <Section
      title="Friends' favourites"
      action={<SectionLink render={<Link to="/favorites" />}>View all favourites</SectionLink>}
    >
      <Favourites />
    </Section>
  )
}

function Favourites() {
  const { data, isPending, isLoadingError, refetch } = trpc.favoriteMovies.network.useQuery({
    limit: shown,
  })
  if (isPending) return <PosterGridSkeleton row count={shown} />
  if (isLoadingError) {
    return <LoadError title="Your friends' favourites did not load" onRetry={refetch} />
  }
  const movies = (data.favoriteMovies ?? []).map((movie) => cardOf(kinds.movie, movie))
  if (movies.length === 0) {
    return (
      <EmptyState
        icon={<Heart aria-hidden />}
        title={messages.networkFavoritesEmpty}
        action={<ButtonLink render={<Link to="/search" />}>Find people</ButtonLink>}
      >
        Follow people whose taste you trust, and see the movies they love here.
      </EmptyState>
    )
  }
  return (
    <PosterGrid row label="Friends' favourites">
      {movies.map((movie) => (
        <TitleCard
          key={movie.id}
          title={movie}
          sizes={rowSizes}
          meta={movie.releaseYear}
          overlay={<TitleOverlay {...movie} />}
        />
      ))}
    </PosterGrid>
  )
}
