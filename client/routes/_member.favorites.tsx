import { createFileRoute } from '@tanstack/react-router'
import { FavoritesScreen } from '#client/social/favorites-screen.tsx'
import { type FavoritesParams, readFavoritesParams } from '#client/social/favorites-rules.ts'
import { t } from '#shared/domain/message.ts'

export const Route = createFileRoute('/_member/favorites')({
  // Read by the component, which is not part of the first pages.
  validateSearch: (search): FavoritesParams => search,
  head: () => ({ meta: [{ title: t`My Favourite Movies` }] }),
  component: () => <FavoritesScreen {...readFavoritesParams(Route.useSearch())} />,
})
