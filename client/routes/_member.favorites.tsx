import { createFileRoute } from '@tanstack/react-router'
import { FavoritesScreen } from '#client/social/favorites-screen.tsx'

export const Route = createFileRoute('/_member/favorites')({
  loader: ({ context: { trpc, getSession } }) => {
    const userId = getSession()?.user.id
    if (userId !== undefined) void trpc.favoriteMovies.list.prefetch({ id: userId })
  },
  head: () => ({ meta: [{ title: 'My Favourite Movies' }] }),
  component: FavoritesScreen,
})
