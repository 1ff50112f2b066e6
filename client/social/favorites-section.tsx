import { Link } from '@tanstack/react-router'
import { kindWords } from '#client/titles/kind-words.ts'
import { TitleCard } from '#client/titles/title-card.tsx'
import { MyRating } from '#client/titles/my-rating.tsx'
import { TitleOverlay } from '#client/titles/title-overlay.tsx'
import { errorText } from '#client/app/trpc.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { RenderedLater } from '#client/ui/hydration.ts'
import { PosterGrid, PosterGridSkeleton } from '#client/ui/poster-grid.tsx'
import { Section, SectionLink } from '#client/ui/section.tsx'
import { type KindDefinition, kindsOnHome } from '#shared/domain/kinds.ts'
import { useAllFavorites, useFavorites } from './hooks.ts'
import { t } from '#shared/domain/message.ts'

type Props = { definition: KindDefinition; userId: number; isOwn: boolean }

/** Renders nothing if there are none: see `NoFavorites`. */
export function FavoritesSection({ definition, userId, isOwn }: Props) {
  const { kind } = definition
  const { heading: favoritesHeading } = kindWords[kind].favorites
  const { shown, hintAbove } = definition.profile
  const favorites = useFavorites(definition, userId)
  const total = favorites.data?.length ?? 0
  if (favorites.data && total === 0) return null
  return (
    <div data-kind={kind} className="-m-4 p-4 not-first:lazy-paint">
      <Section
        title={favoritesHeading}
        count={total > 0 ? total : undefined}
        action={
          <div className="flex flex-wrap items-center gap-x-4">
            {total > hintAbove ? <Hint shown={Math.min(total, shown)} total={total} /> : null}
            {isOwn && total > 1 ? (
              <SectionLink
                render={<Link to="/favorites" search={{ kind: kind === 'movie' ? undefined : kind }} />}
              >
                Order
              </SectionLink>
            ) : null}
          </div>
        }
      >
        <RenderedLater>
          {favorites.isPending ? (
            <PosterGridSkeleton row count={shown} />
          ) : favorites.isLoadingError ? (
            <Callout
              tone="error"
              title={t`${favoritesHeading} did not load`}
              action={
                <Button variant="outline" onClick={() => void favorites.refetch()}>
                  Try again
                </Button>
              }
            >
              {errorText(favorites.error)}
            </Callout>
          ) : (
            <PosterGrid row label={favoritesHeading}>
              {favorites.data?.slice(0, shown).map((title) => (
                <TitleCard
                  key={title.id}
                  title={title}
                  sizes="(min-width: 64rem) 11rem, (min-width: 40rem) 9rem, 38vw"
                  meta={title.releaseYear ?? undefined}
                  transitionName={`poster-${title.id}`}
                  overlay={<TitleOverlay {...title} isTheirs={!isOwn} />}
                >
                  {isOwn ? undefined : <MyRating {...title} />}
                </TitleCard>
              ))}
            </PosterGrid>
          )}
        </RenderedLater>
      </Section>
    </div>
  )
}

export function NoFavorites({ userId, isOwn }: { userId: number; isOwn: boolean }) {
  const lists = useAllFavorites(userId)
  const empty = kindsOnHome.filter((_, index) => lists[index]?.data?.length === 0)
  if (empty.length === 0) return null
  return (
    <div className="rounded-card border border-dashed border-edge/60 p-5">
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(13rem,100%),1fr))] gap-x-8 gap-y-4">
        {empty.map(({ kind }) => (
          <div key={kind}>
            <h2 className="text-label">{kindWords[kind].favorites.heading}</h2>
            <p className="text-muted">{kindWords[kind].favorites.empty}</p>
          </div>
        ))}
      </div>
      {isOwn ? (
        <div className="mt-5 flex flex-wrap items-center gap-x-4 gap-y-3">
          <p className="me-auto text-muted">Press ♡ Favorite on the page of a title that you love.</p>
          <ButtonLink render={<Link to="/search" />}>Find one</ButtonLink>
          <ButtonLink render={<Link to="/imports" />}>Import your history</ButtonLink>
        </div>
      ) : null}
    </div>
  )
}

function Hint({ shown, total }: { shown: number; total: number }) {
  return (
    <p className="text-meta text-muted tabular-nums">
      {total > shown ? t`${shown} of ${total}` : t`All ${total}`}
    </p>
  )
}
