import { Link } from '@tanstack/react-router'
import { MyMark } from '#client/my-mark.tsx'
import { TitleMarks } from '#client/title-marks.tsx'
import { titlePath } from '#client/kinds.ts'
import { errorText } from '#client/trpc.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { KindIcon } from '#client/ui/kind.tsx'
import { PosterCard } from '#client/ui/poster-card.tsx'
import { PosterGrid, PosterGridSkeleton } from '#client/ui/poster-grid.tsx'
import { Section } from '#client/ui/section.tsx'
import { imageSrcSet } from '#shared/images.ts'
import type { KindFacts } from '#shared/media.ts'
import { useFavorites } from './hooks.ts'

/** The newest favorites of one kind, on a profile. */
export function FavoritesSection({
  facts,
  userId,
  isOwn,
}: {
  facts: KindFacts
  userId: number
  isOwn: boolean
}) {
  const { kind, words } = facts
  const { shown, hintAbove } = facts.profile
  const favorites = useFavorites(facts, userId)
  const total = favorites.data?.length ?? 0
  return (
    <div data-kind={kind}>
      <Section
        title={words.favoritesHeading}
        count={total > 0 ? total : undefined}
        action={total > hintAbove ? <Hint shown={Math.min(total, shown)} total={total} /> : null}
      >
        {favorites.isPending ? (
          <PosterGridSkeleton row count={shown} />
        ) : favorites.isLoadingError ? (
          <Callout
            tone="error"
            title={`${words.favoritesHeading} did not load`}
            action={
              <Button variant="outline" onClick={() => void favorites.refetch()}>
                Try again
              </Button>
            }
          >
            {errorText(favorites.error)}
          </Callout>
        ) : total === 0 ? (
          <div className="flex min-h-24 flex-wrap items-center gap-x-4 gap-y-3 rounded-card border border-dashed border-edge/60 px-5 py-4">
            <KindIcon kind={kind} className="size-6 text-muted" />
            <p className="mr-auto text-muted">{words.favoritesEmpty}</p>
            {isOwn ? <ButtonLink render={<Link to="/search" />}>Find one</ButtonLink> : null}
          </div>
        ) : (
          <PosterGrid row label={words.favoritesHeading}>
            {favorites.data.slice(0, shown).map(({ id, name, image, year }) => (
              <PosterCard
                key={id}
                kind={kind}
                title={name}
                meta={year ?? undefined}
                image={{
                  src: image,
                  srcSet: imageSrcSet(image),
                  sizes: '(min-width: 64rem) 11rem, (min-width: 40rem) 9rem, 38vw',
                }}
                transitionName={`poster-${id}`}
                marks={<TitleMarks kind={kind} id={id} name={name} isTheirs={!isOwn} />}
                render={<Link to={titlePath(facts, id)} />}
              >
                {isOwn ? undefined : <MyMark kind={kind} id={id} />}
              </PosterCard>
            ))}
          </PosterGrid>
        )}
      </Section>
    </div>
  )
}

/** Shows how many of the favorites are visible, and on phones that the row can be scrolled. */
function Hint({ shown, total }: { shown: number; total: number }) {
  return (
    <p className="text-meta text-muted tabular-nums">
      {total > shown ? `The newest ${shown} of ${total}` : 'The newest first'}
      <span className="sm:hidden"> · swipe for more</span>
    </p>
  )
}
