import { Link } from '@tanstack/react-router'
import { Heart } from 'lucide-react'
import { TitleMarks } from '#client/title-marks.tsx'
import { LoadError } from '#client/load-error.tsx'
import { readKey, titleImage, titleName, titlePath } from '#client/kinds.ts'
import { trpc } from '#client/trpc.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { PosterCard } from '#client/ui/poster-card.tsx'
import { PosterGrid, PosterGridSkeleton } from '#client/ui/poster-grid.tsx'
import { Section, SectionLink } from '#client/ui/section.tsx'
import { imageSrcSet } from '#shared/images.ts'
import { kinds } from '#shared/media.ts'
import { messages } from '#shared/messages.ts'

const definition = kinds.movie
/** One row of the page. */
const shown = 6

/** The favorite movies of the member's network. */
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
  const movies = data.favoriteMovies ?? []
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
        <PosterCard
          key={movie.id}
          title={titleName(definition, movie)}
          kind="movie"
          meta={readKey(movie, 'releaseYear') as number | null}
          image={{
            src: titleImage(definition, movie),
            srcSet: imageSrcSet(titleImage(definition, movie)),
            sizes: '(min-width: 64rem) 172px, 9.5rem',
          }}
          marks={<TitleMarks kind="movie" id={movie.id} name={titleName(definition, movie)} />}
          render={<Link to={titlePath(definition, movie.id)} />}
        />
      ))}
    </PosterGrid>
  )
}
