import { Link, useNavigate } from '@tanstack/react-router'
import { Heart } from 'lucide-react'
import { inPlace, toMember } from '#client/app/links.ts'
import { LoadError } from '#client/app/load-error.tsx'
import { useSession } from '#client/app/session.ts'
import { ShowMore } from '#client/app/show-more.tsx'
import { kindWords } from '#client/titles/kind-words.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { PosterGridSkeleton } from '#client/ui/poster-grid.tsx'
import { SectionLink } from '#client/ui/section.tsx'
import { Tabs } from '#client/ui/tabs.tsx'
import { allKinds, type KindDefinition, kinds } from '#shared/domain/kinds.ts'
import { FavoritesOrder } from './favorites-order.tsx'
import type { FavoritesParams } from './favorites-rules.ts'
import { useFavoritePages } from './hooks.ts'

export function FavoritesScreen({ kind = 'movie' }: FavoritesParams) {
  const userId = useSession()?.user.id
  const navigate = useNavigate()
  if (userId === undefined) return null
  const definition = kinds[kind]
  return (
    <div data-kind={kind} className="page min-h-svh py-8 sm:py-12">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <h1 className="text-h1 max-sm:max-w-[8em]">My Favourite {definition.words.many}</h1>
        <SectionLink render={<Link {...toMember(userId)} />}>Your profile</SectionLink>
      </div>
      <Tabs
        label="Kind"
        className="mt-6"
        value={kind}
        onChange={(next) =>
          void navigate({
            to: '/favorites',
            search: { kind: next === 'movie' ? undefined : next },
            ...inPlace,
          })
        }
        items={allKinds.map((one) => ({ value: one.kind, label: one.words.many }))}
      >
        <Favorites key={kind} definition={definition} userId={userId} />
      </Tabs>
    </div>
  )
}

function Favorites({ definition, userId }: { definition: KindDefinition; userId: number }) {
  const words = kindWords[definition.kind].favorites
  const { cards, ...favorites } = useFavoritePages(definition, userId)

  if (favorites.isPending) return <PosterGridSkeleton count={7} />
  if (cards === undefined)
    return (
      <LoadError title="Your favourites did not load" error={favorites.error} onRetry={favorites.refetch} />
    )
  if (cards.length === 0)
    return (
      <EmptyState
        icon={<Heart aria-hidden />}
        title={words.none}
        action={
          <>
            <ButtonLink variant="primary" render={<Link to="/search" />}>
              {words.find}
            </ButtonLink>
            <ButtonLink render={<Link to="/imports" />}>Import your history</ButtonLink>
          </>
        }
      >
        {words.press}
      </EmptyState>
    )
  return (
    <>
      <FavoritesOrder definition={definition} label={words.mine} cards={cards} />
      <ShowMore query={favorites} className="mt-6" />
    </>
  )
}
