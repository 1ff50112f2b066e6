import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { CloudOff, Sparkles, Users } from 'lucide-react'
import { forYouLead } from '#client/app/leads.ts'
import { inPlace } from '#client/app/links.ts'
import { useRendered } from '#client/app/rendered.ts'
import { useSession } from '#client/app/session.ts'
import { errorText, type ApiError } from '#client/app/trpc.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { PosterGrid } from '#client/ui/poster-grid.tsx'
import { Segmented } from '#client/ui/segmented.tsx'
import { Select } from '#client/ui/select.tsx'
import { Tabs } from '#client/ui/tabs.tsx'
import { feedItemsWithRaters, type FeedOrder, feedOrders, friendThresholds } from '#shared/domain/limits.ts'
import { tabs } from '#shared/domain/tabs.ts'
import { messages } from '#shared/texts/messages.ts'
import { FeedCard, FeedCardSkeleton } from './feed-card.tsx'
import { entriesOf, type FeedEntry, ratedByFriends, shownTab } from './feed.ts'
import { useFeed } from './hooks.ts'
import { type FeedTab, feedTabs, type ForYouParams, type FriendThreshold } from './params.ts'
import { useShown } from './shown.ts'
import { plural, t } from '#shared/domain/message.ts'

const words = { all: { label: t`All`, noPicks: t`No picks yet` }, ...tabs }
const skeletons = 10
const filters = friendThresholds.map((friends) => ({
  value: String(friends),
  label: friends === 0 ? t`All friends` : t`${friends}+ friends`,
}))
const orderLabels = { average: t`Best rated`, friends: t`By most friends`, match: t`By match` }
const orders = feedOrders.map((value) => ({ value, label: orderLabels[value] }))

export function ForYouScreen({
  tab = 'all',
  friends = 0,
  by: order = 'average',
  people,
}: ForYouParams & { people: ReactNode }) {
  const session = useSession()
  return (
    <div className="page py-8 sm:py-12">
      <h1 className="text-h1">For You</h1>
      <p className="mt-3 max-w-[46.6em] text-lead text-muted max-sm:sr-only">{forYouLead}</p>
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
        <Feed tab={tab} friends={friends} order={order} people={people} />
      )}
    </div>
  )
}

function Feed({
  tab: chosen,
  friends,
  order,
  people,
}: {
  tab: FeedTab
  friends: FriendThreshold
  order: FeedOrder
  people: ReactNode
}) {
  const navigate = useNavigate()
  const feed = useFeed(order)
  const tab = shownTab(chosen, feed.entries)
  const enough = ratedByFriends(friends, feed.entries)
  const entries = entriesOf(tab, enough)
  const show = (change: ForYouParams) =>
    void navigate({
      to: '/for-you',
      search: {
        tab: chosen === 'all' ? undefined : chosen,
        friends: friends || undefined,
        by: order === 'average' ? undefined : order,
        ...change,
      },
      ...inPlace,
    })

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
          onChange={(value) => show({ friends: friendThresholds.find((n) => n > 0 && String(n) === value) })}
        />
      </div>
      <p role="status" className="sr-only">
        {feed.isPending
          ? ''
          : plural(entries.length, {
              one: `# pick in ${words[tab].label}`,
              other: `# picks in ${words[tab].label}`,
            })}
      </p>
      <Tabs
        label="Kinds"
        className="mt-1 max-sm:[&_[role=tablist]]:gap-3.5"
        value={tab}
        onChange={(next) => show({ tab: next })}
        aside={
          <Select
            label="Order"
            hideLabel
            className="max-sm:mb-2"
            value={order}
            options={orders}
            onChange={(next) => show({ by: next === 'average' ? undefined : next })}
          />
        }
        items={feedTabs.map((value) => ({
          value,
          label: words[value].label,
          count: feed.isPending ? undefined : entriesOf(value, enough).length,
        }))}
      >
        {tab === chosen || feed.isPending ? null : (
          <p role="status" className="mb-5 text-meta text-muted">
            {tab === 'all'
              ? t`${words[chosen].noPicks}. Here is everything else instead.`
              : t`${words[chosen].noPicks}. Here is ${words[tab].label} instead.`}
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
                <Button onClick={() => show({ friends: undefined })}>Show all friends</Button>
              )
            }
          >
            {messages.feedHint}
          </EmptyState>
        ) : (
          <Picks key={`${tab} ${friends} ${order}`} label={t`Picks: ${words[tab].label}`} entries={entries} />
        )}
      </Tabs>
    </>
  )
}

function Picks({ label, entries }: { label: string; entries: readonly FeedEntry[] }) {
  const { shown, opened, showMore, open } = useShown()
  const rendered = useRendered(entries.slice(0, shown))
  const more = useRef<HTMLButtonElement>(null)
  const hasMore = entries.length > shown
  const firstNew = useRef<number>(undefined)
  const list = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (!more.current) return undefined
    const observer = new IntersectionObserver(
      ([entry]) => {
        // A focused button stays where it is until it is pressed.
        if (entry?.isIntersecting && document.activeElement !== more.current) showMore()
      },
      { rootMargin: '600px' },
    )
    observer.observe(more.current)
    return () => observer.disconnect()
  })
  // Back from a title, the focus is on its card again; after a press on the button, on the first new card.
  useEffect(() => {
    if (opened !== '') document.getElementById(opened)?.focus({ preventScroll: true })
  }, [opened])
  useEffect(() => {
    if (firstNew.current === undefined) return
    list.current?.querySelectorAll<HTMLElement>('.card-link')[firstNew.current]?.focus()
    firstNew.current = undefined
  })

  return (
    <div ref={list}>
      <PosterGrid label={label} lazyHeight="27rem">
        {rendered.map((entry, index) => (
          <FeedCard
            key={`${entry.kind} ${entry.id}`}
            entry={entry}
            hasRaters={index < feedItemsWithRaters}
            eager={index < 4}
            onOpen={open}
          />
        ))}
      </PosterGrid>
      {hasMore ? (
        <Button
          ref={more}
          className="mt-8"
          onClick={() => {
            firstNew.current = shown
            showMore()
          }}
        >
          Show more
        </Button>
      ) : null}
    </div>
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
