import { Link } from '@tanstack/react-router'
import { Users } from 'lucide-react'
import { clsx } from 'clsx'
import { LoadError } from '#client/app/load-error.tsx'
import { useSession } from '#client/app/session.ts'
import { isNotFound, trpc } from '#client/app/trpc.ts'
import { BackLink } from '#client/ui/back-link.tsx'
import { ButtonLink } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { useFormats } from '#client/ui/formats.ts'
import { Pager, usePagedHeading } from '#client/ui/pager.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { usePeople, useTasteMatches } from './hooks.ts'
import { displayName } from './display-name.ts'
import { PeopleSkeleton, PersonRow, peopleLayout } from './person-row.tsx'
import { ProfileNotFound } from './profile-not-found.tsx'
import { RemoveFollower } from './remove-follower.tsx'
import { plural, t } from '#shared/domain/message.ts'

type Direction = 'followers' | 'following'

const words: Record<Direction, { heading: string; empty: (name: string) => string; ownEmpty: string }> = {
  followers: {
    heading: t`Followers`,
    empty: (name) => t`Nobody follows ${name} yet.`,
    ownEmpty: t`Nobody follows you yet.`,
  },
  following: {
    heading: t`Following`,
    empty: (name) => t`${name} follows nobody yet.`,
    ownEmpty: t`You follow nobody yet.`,
  },
}

export function PeopleScreen({
  direction,
  userId,
  page,
}: {
  direction: Direction
  userId: number
  page: number
}) {
  const { count } = useFormats()
  const ownId = useSession()?.user.id
  const profile = trpc.accounts.profile.useQuery({ id: userId })
  const people = usePeople(direction, userId, page)
  const heading = usePagedHeading(page)
  const matches = useTasteMatches(people.data?.users.map(({ id }) => id) ?? [])

  if (isNotFound(people.error)) return <ProfileNotFound />
  const name = profile.data ? displayName(profile.data.user) : t`this member`
  const { pagination } = people.data ?? {}
  const params = { userId: String(userId) }
  return (
    <div className="page min-h-svh py-8 sm:py-12">
      <BackLink render={<Link to="/user/$userId" params={params} />}>
        {profile.data ? name : t`Profile`}
      </BackLink>
      <h1 ref={heading} tabIndex={-1} className="mt-3 text-h1">
        {words[direction].heading}{' '}
        {pagination === undefined ? null : (
          <span className="ms-1 font-sans text-lead font-medium tracking-normal text-muted tabular-nums">
            {count(pagination.total)}
          </span>
        )}
      </h1>
      <nav aria-label="People" className="mt-6 flex flex-wrap gap-2">
        {(Object.keys(words) as Direction[]).map((to) => (
          <ButtonLink
            key={to}
            variant={to === direction ? 'primary' : 'soft'}
            className="picked"
            render={<Link to={`/user/$userId/${to}`} params={params} replace />}
          >
            {words[to].heading}
          </ButtonLink>
        ))}
      </nav>
      <div className="mt-8">
        {people.isPending ? (
          <PeopleSkeleton count={9} />
        ) : people.isLoadingError ? (
          <LoadError title="This list did not load" error={people.error} onRetry={people.refetch} />
        ) : people.data.users.length === 0 ? (
          <EmptyState
            icon={<Users aria-hidden />}
            title={userId === ownId ? words[direction].ownEmpty : words[direction].empty(name)}
            action={
              <ButtonLink render={<Link to="/user/$userId" params={params} />}>
                Back to the profile
              </ButtonLink>
            }
          />
        ) : (
          <ul
            aria-label={words[direction].heading}
            aria-busy={people.isPlaceholderData}
            className={clsx('stale', peopleLayout)}
          >
            {people.data.users.map((user) => (
              <PersonRow
                key={user.id}
                person={user}
                knownAt={people.dataUpdatedAt}
                isOwn={user.id === ownId}
                action={
                  direction === 'followers' && userId === ownId ? (
                    <RemoveFollower userId={user.id} name={user.username} />
                  ) : null
                }
              >
                <p dir="auto" className="h-[1.45em] truncate text-meta text-muted tabular-nums">
                  {[matchText(matches.data?.get(user.id)?.match), ratingsText(user.reviewCount)]
                    .filter(Boolean)
                    .join(' · ')}
                </p>
              </PersonRow>
            ))}
          </ul>
        )}
      </div>
      <Pager
        page={page}
        pageCount={pagination?.totalPages ?? 0}
        label="Pages of people"
        className="mt-8"
        render={(to) => (
          <Link
            to={`/user/$userId/${direction}`}
            params={params}
            search={{ page: to > 1 ? to : undefined }}
            resetScroll={false}
            viewTransition={false}
          />
        )}
      />
    </div>
  )
}

function matchText(match: number | null | undefined): string {
  return match === null || match === undefined ? '' : t`${match}% match`
}

function ratingsText(count: number): string {
  return plural(count, { one: '# rating', other: '# ratings' })
}

export function PeopleScreenPending({ direction }: { direction: Direction }) {
  return (
    <div className="page min-h-svh py-8 sm:py-12">
      <Skeleton className="h-11 w-32 animate-appear rounded-full" />
      <h1 className="mt-3 text-h1">{words[direction].heading}</h1>
      <div className="mt-6 flex animate-appear gap-2">
        <Skeleton className="h-11 w-28 rounded-full" />
        <Skeleton className="h-11 w-28 rounded-full" />
      </div>
      <div className="mt-8">
        <PeopleSkeleton count={9} />
      </div>
    </div>
  )
}
