import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { titlePath } from '#client/app/kinds.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { Picture } from '#client/ui/picture.tsx'
import { popularDays } from '#shared/domain/limits.ts'
import { kinds } from '#shared/domain/kinds.ts'
import { type Popular, useBackdrop, usePopularOfAll } from './popular-data.ts'

export function HomeHero({ isMember }: { isMember: boolean }) {
  const {
    entries: [first],
    isPending,
  } = usePopularOfAll()
  const hasArt = isPending || first !== undefined
  return (
    <section aria-labelledby="hero" className="relative isolate overflow-hidden">
      {first === undefined ? null : <Art title={first} />}
      <div
        className={clsx(
          'page pb-6 sm:pb-10 lg:pt-28 lg:pb-12',
          'member:flex member:flex-wrap member:items-center member:justify-between member:gap-x-8 member:gap-y-3 member:pt-5 member:pb-4',
          hasArt ? 'pt-33 low:pt-6! sm:pt-48' : 'pt-12 low:pt-6! sm:pt-20',
        )}
      >
        <h1 id="hero" className="max-w-[8.8em] text-h1 sm:max-w-[10.15em] member:max-w-none member:text-h3">
          Everything you watch, read and play, remembered.
        </h1>
        <p className="mt-5 max-w-[26.6em] text-lead text-balance text-muted member:hidden">
          Rate it, write about it, and see what the people you trust thought of it.
        </p>
        <div className={clsx('mt-7 flex flex-wrap gap-3 member:mt-0', !isMember && 'for-visitors')}>
          {isMember ? (
            <ButtonLink variant="primary" size="lg" render={<Link to="/items" />}>
              Browse the library
            </ButtonLink>
          ) : (
            <>
              <ButtonLink variant="primary" size="lg" render={<Link to="/signup" />}>
                Create your account
              </ButtonLink>
              <ButtonLink variant="outline" size="lg" render={<Link to="/login" />}>
                Sign in
              </ButtonLink>
            </>
          )}
        </div>
      </div>
      <p className="page hidden pb-5 text-meta text-muted member:block">
        Weekly spotlights change every {popularDays} days · Friends' favourites, in one place · Track and rate
      </p>
    </section>
  )
}

export function HomePoints() {
  return (
    <p className="text-meta text-muted member:hidden">
      Weekly spotlights refresh every {popularDays} days · Friends' favourites, in one place · Track and rate
      what you watch
    </p>
  )
}

function Art({ title }: { title: Popular }) {
  const { src } = useBackdrop(title)
  if (!src) return null
  return (
    <>
      <div className="absolute inset-x-0 top-0 -z-10 h-54 animate-appear sm:h-80 lg:bottom-0 lg:inset-s-[34%] lg:h-auto member:hidden">
        <Picture
          src={src}
          // Under the fade a smaller image is enough on phones.
          sizes="(min-width: 64rem) 66vw, (min-width: 40rem) 100vw, 88vw"
          eager
          className="bg-transparent"
        />
        <div className="absolute inset-0 bg-linear-to-t from-bg from-36% via-bg/85 via-50% to-transparent to-95% lg:from-12% lg:via-bg/20 lg:via-45% lg:to-60%" />
        <div className="absolute inset-0 bg-linear-to-r rtl:bg-linear-to-l from-bg from-6% via-bg/92 via-32% to-transparent to-80% max-lg:hidden" />
      </div>
      {/* The column of the text covers the backdrop. */}
      <Link
        to={titlePath(kinds[title.kind], title.id)}
        className="absolute top-5 inset-e-6 z-10 animate-appear rounded-full bg-scrim px-3 py-1.5 text-tiny text-on-scrim max-lg:hidden member:hidden"
      >
        <bdi>{title.name}</bdi>
      </Link>
    </>
  )
}
