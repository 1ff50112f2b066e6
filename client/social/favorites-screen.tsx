import { Link } from '@tanstack/react-router'
import { Star } from 'lucide-react'
import { TitleMarks } from '#client/title-marks.tsx'
import { LoadError } from '#client/load-error.tsx'
import { useSession } from '#client/session.ts'
import { trpc } from '#client/trpc.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { PosterCard } from '#client/ui/poster-card.tsx'
import { PosterGrid, PosterGridSkeleton } from '#client/ui/poster-grid.tsx'
import { SectionLink } from '#client/ui/section.tsx'
import { imageSrcSet } from '#shared/images.ts'
import { kinds } from '#shared/media.ts'
import { favoriteCards } from './favorite-card.ts'

const { movie } = kinds

function useFavoriteMovies(userId: number | undefined) {
  return trpc.favoriteMovies.list.useQuery({ id: userId ?? 0 }, { enabled: userId !== undefined })
}

export function FavoritesScreen() {
  const userId = useSession()?.user.id
  const favorites = useFavoriteMovies(userId)
  return (
    <div data-kind="movie" className="page min-h-svh py-8 sm:py-12">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <h1 className="text-h1">My Favourite Movies</h1>
        {userId === undefined ? null : (
          <SectionLink render={<Link to="/user/$userId" params={{ userId: String(userId) }} />}>
            TV shows, books and games are on your profile
          </SectionLink>
        )}
      </div>
      <div className="mt-8">
        <Favorites favorites={favorites} />
      </div>
    </div>
  )
}

function Favorites({ favorites }: { favorites: ReturnType<typeof useFavoriteMovies> }) {
  if (favorites.isPending) return <PosterGridSkeleton count={7} />
  if (favorites.data === undefined)
    return (
      <LoadError title="Your favourites did not load" error={favorites.error} onRetry={favorites.refetch} />
    )
  const cards = favoriteCards(movie, favorites.data)
  if (cards.length === 0)
    return (
      <EmptyState
        icon={<Star aria-hidden />}
        title="No movies added yet."
        action={
          <ButtonLink variant="primary" render={<Link to="/search" />}>
            Find a movie
          </ButtonLink>
        }
      >
        Press ☆ Favorite on a movie’s page to add it here.
      </EmptyState>
    )
  return (
    <PosterGrid label="My favourite movies">
      {cards.map(({ id, name, image, year }, index) => (
        <PosterCard
          key={id}
          kind="movie"
          title={name}
          kindLabel={movie.words.one}
          meta={year ?? undefined}
          image={{
            src: image,
            srcSet: imageSrcSet(image),
            sizes: '(min-width: 640px) 11rem, 45vw',
          }}
          eager={index < 7}
          transitionName={`poster-${id}`}
          marks={<TitleMarks kind="movie" id={id} name={name} />}
          render={<Link to="/movies/$movieId" params={{ movieId: String(id) }} />}
        />
      ))}
    </PosterGrid>
  )
}
