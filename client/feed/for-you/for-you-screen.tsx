import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { CloudOff, Sparkles, Users } from 'lucide-react'
import { useSession } from '#client/session.ts'
import { errorText, type ApiError } from '#client/trpc.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { PosterGrid } from '#client/ui/poster-grid.tsx'
import { Segmented } from '#client/ui/segmented.tsx'
import { Tabs } from '#client/ui/tabs.tsx'
import { feedItemsWithRaters, friendThresholds } from '#shared/limits.ts'
import { tabs } from '#shared/media.ts'
import { messages } from '#shared/messages.ts'
import { FeedCard, FeedCardSkeleton } from './feed-card.tsx'
import { entriesOf, ratedByFriends, shownTab } from './feed.ts'
import { useFeed, useRaters } from './hooks.ts'
import { type FeedTab, feedTabs, type ForYouParams, type FriendThreshold } from './params.ts'

const words = { all: { label: 'All', noPicks: 'No picks yet' }, ...tabs }
const skeletons = 10
const filters = friendThresholds.map((friends) => ({
  value: String(friends),
  label: friends === 0 ? 'All friends' : `${friends}+ friends`,
}))

/** The titles that the member's network rated best. `people` are members to follow, shown while there are none. */
export function ForYouScreen({ tab = 'all', friends = 0, people }: ForYouParams & { people: ReactNode }) {
  const session = useSession()
  return (
    <div className="page py-8 sm:py-12">
      <h1 className="text-h1">For You</h1>
      <p className="mt-3 max-w-[46.6em] text-lead text-muted">
        What the people you follow rated, best first. Titles you have rated are left out.
      </p>
      {session === null ? (
        <Callout
          className="mt-8"
          icon={<Sparkles aria-hidden />}
          title="Sign in to see personalized picks"
          action={
            <ButtonLink variant="primary" render={<Link to="/login" search={{ redirect: '/for-you' }} />}>
              Sign in
            </ButtonLink>
          }
        >
          They come from the ratings of the people you follow.
        </Callout>
      ) : (
        <Feed tab={tab} friends={friends} people={people} />
      )}
    </div>
  )
}

function Feed({
  tab: chosen,
  friends,
  people,
}: {
  tab: FeedTab
  friends: FriendThreshold
  people: ReactNode
}) {
  const navigate = useNavigate()
  const feed = useFeed()
  const tab = shownTab(chosen, feed.entries)
  const enough = ratedByFriends(friends, feed.entries)
  const entries = entriesOf(tab, enough)
  const raters = useRaters(entries)
  const show = (search: ForYouParams) =>
    void navigate({ to: '/for-you', search, replace: true, resetScroll: false, viewTransition: false })

  if (feed.error && !feed.isPending)
    return <FeedError error={feed.error} busy={feed.isRefetching} onRetry={feed.retry} />
  if (!feed.isPending && feed.entries.length === 0)
    return (
      <>
        <NoFeed />
        <div className="mt-12">{people}</div>
      </>
    )
  return (
    <>
      <div className="sticky top-16 z-10 -mx-(--gutter) mt-6 bg-bg/92 px-(--gutter) py-3 backdrop-blur-md">
        <Segmented
          label="Friends filter"
          value={String(friends)}
          options={filters}
          onChange={(value) =>
            show({ tab: chosen, friends: friendThresholds.find((n) => n > 0 && String(n) === value) })
          }
        />
      </div>
      <p role="status" className="sr-only">
        {feed.isPending
          ? ''
          : `${entries.length === 1 ? '1 pick' : `${entries.length} picks`} in ${words[tab].label}`}
      </p>
      <Tabs
        label="Kinds"
        className="mt-1 max-sm:[&_[role=tablist]]:gap-3.5"
        value={tab}
        onChange={(next) => show({ tab: next, friends: friends || undefined })}
        items={feedTabs.map((value) => ({
          value,
          label: words[value].label,
          count: feed.isPending ? undefined : entriesOf(value, enough).length,
        }))}
      >
        {tab === chosen || feed.isPending ? null : (
          <p role="status" className="mb-5 text-meta text-muted">
            {words[chosen].noPicks}. Here is {tab === 'all' ? 'everything else' : words[tab].label} instead.
          </p>
        )}
        {feed.isPending ? (
          <div role="status" aria-label={messages.loading} className="animate-appear">
            <PosterGrid>
              {Array.from({ length: skeletons }, (_, index) => (
                // oxlint-disable-next-line react/no-array-index-key -- they are all alike
                <FeedCardSkeleton key={index} />
              ))}
            </PosterGrid>
          </div>
        ) : entries.length === 0 ? (
          <EmptyState
            icon={<Users aria-hidden />}
            title={words[tab].noPicks}
            action={
              friends === 0 ? undefined : (
                <Button onClick={() => show({ tab: chosen })}>Show all friends</Button>
              )
            }
          >
            {messages.feedHint}
          </EmptyState>
        ) : (
          <PosterGrid label={`Picks: ${words[tab].label}`}>
            {entries.map((entry, index) => (
              <FeedCard
                key={`${entry.kind} ${entry.id}`}
                entry={entry}
                raters={index < feedItemsWithRaters ? raters(entry) : undefined}
                eager={index < 7}
              />
            ))}
          </PosterGrid>
        )}
      </Tabs>
    </>
  )
}

function FeedError({ error, busy, onRetry }: { error: ApiError; busy: boolean; onRetry: () => void }) {
  const status = error.data?.httpStatus
  return (
    <Callout
      tone="error"
      icon={<CloudOff aria-hidden />}
      className="mt-8"
      title={messages.feedFailed}
      action={
        <Button variant="outline" busy={busy} onClick={onRetry}>
          Try again
        </Button>
      }
    >
      {status === undefined ? errorText(error) : messages.feedHttp(status)}
    </Callout>
  )
}

function NoFeed() {
  return (
    <EmptyState
      className="mt-8"
      icon={<Sparkles aria-hidden />}
      title={messages.feedEmpty}
      action={
        <>
          <ButtonLink variant="primary" render={<Link to="/" />}>
            Popular
          </ButtonLink>
          <ButtonLink render={<Link to="/search" />}>Search movies</ButtonLink>
        </>
      }
    >
      Follow people whose taste you trust: what they rate turns up here.
    </EmptyState>
  )
}
