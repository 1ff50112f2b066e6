import { Link, useNavigate } from '@tanstack/react-router'
import { keepPreviousData } from '@tanstack/react-query'
import { NotebookPen } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { DecadeSelect, FilterSelect, FilterToggle, GenreSelect } from '#client/facet-selects.tsx'
import { titlePath } from '#client/kinds.ts'
import { LoadError } from '#client/load-error.tsx'
import { useSession } from '#client/session.ts'
import { MyMark } from '#client/my-mark.tsx'
import { TitleMarks } from '#client/title-marks.tsx'
import { errorText, type RouterOutputs, trpc } from '#client/trpc.ts'
import { BackLink } from '#client/ui/back-link.tsx'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { useFormats } from '#client/ui/formats.ts'
import { Histogram } from '#client/ui/histogram.tsx'
import { PosterCard } from '#client/ui/poster-card.tsx'
import { PosterGrid, PosterGridSkeleton } from '#client/ui/poster-grid.tsx'
import { Section } from '#client/ui/section.tsx'
import { Segmented } from '#client/ui/segmented.tsx'
import { Select } from '#client/ui/select.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { Stars } from '#client/ui/stars.tsx'
import { Time } from '#client/ui/time.tsx'
import { imageSrcSet } from '#shared/images.ts'
import { allKinds, type Kind, kinds, namesOf } from '#shared/media.ts'
import { messages } from '#shared/messages.ts'
import { withoutSpoilers } from '#shared/spoilers.ts'
import { formatAverage } from './histogram.ts'
import { type LibraryParams, librarySorts } from './library-params.ts'

const all = 'all'
const kindOptions = [
  { value: all, label: 'All' },
  ...allKinds.map(({ kind, words }) => ({ value: kind as string, label: words.many })),
]
const sorts = {
  newest: { label: 'Newest first', sort: 'createdAt', order: 'desc' },
  oldest: { label: 'Oldest first', sort: 'createdAt', order: 'asc' },
  highest: { label: 'Highest rated', sort: 'rating', order: 'desc' },
  lowest: { label: 'Lowest rated', sort: 'rating', order: 'asc' },
  title: { label: 'Title', sort: 'title', order: 'asc' },
  release: { label: 'Release date', sort: 'release', order: 'desc' },
} as const
const sortOptions = librarySorts.map((value) => ({ value, label: sorts[value].label }))
const starOptions = [5, 4, 3, 2, 1].map((stars) => ({
  value: stars,
  label: stars === 1 ? '1 star' : `${stars} stars`,
}))

function useLibrary(userId: number, { text, sort: name = 'newest', ...filters }: LibraryParams) {
  const { sort, order } = sorts[name]
  const input = { id: userId, ...filters, hasText: text && true, sort, order }
  return trpc.reviews.ofUser.useInfiniteQuery(input, {
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  })
}

function useHistograms(userId: number) {
  return trpc.reviews.histogramsOfUser.useQuery({ id: userId })
}

/** Everything that a member has rated or reviewed, with filters and sorts. */
export function LibraryScreen({
  userId,
  name,
  params,
}: {
  userId: number
  name: string
  params: LibraryParams
}) {
  const isOwn = useSession()?.user.id === userId
  const navigate = useNavigate()
  const { count } = useFormats()
  const library = useLibrary(userId, params)
  const histograms = useHistograms(userId)
  const total = library.data?.pages[0]?.total
  const { kind, text, rating, decade, genre, year, sort = 'newest' } = params
  const isFiltered = Object.keys(params).some(
    (key) => key !== 'sort' && params[key as keyof LibraryParams] !== undefined,
  )
  const route = { to: '/user/$userId/reviews', params: { userId: String(userId) } } as const
  const change = (search: LibraryParams) =>
    void navigate({
      ...route,
      search: { ...params, ...search },
      replace: true,
      resetScroll: false,
      viewTransition: false,
    })

  return (
    <div className="page py-8 sm:py-12">
      <BackLink render={<Link to="/user/$userId" params={route.params} />}>{name}</BackLink>
      <h1 className="mt-3 text-h1">Ratings and reviews</h1>
      <div className="mt-6 grid grid-cols-[minmax(0,1fr)] gap-8 lg:grid-cols-[minmax(0,1fr)_17rem] lg:items-start">
        <div data-kind={kind} className="lg:order-last">
          <Distribution histograms={histograms} kind={kind} name={name} />
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <Segmented
            label="Kind"
            value={kind ?? all}
            options={kindOptions}
            onChange={(value) => change({ kind: value === all ? undefined : (value as Kind) })}
          />
          <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
            <FilterToggle
              pressed={text === 'yes'}
              onChange={(isPressed) => change({ text: isPressed ? 'yes' : undefined })}
            >
              With text
            </FilterToggle>
            <FilterSelect
              label="Stars"
              all="Any"
              value={rating}
              options={starOptions}
              onChange={(next) => change({ rating: next })}
            />
            <DecadeSelect value={decade} onChange={(next) => change({ decade: next })} />
            <GenreSelect kind={kind} value={genre} onChange={(next) => change({ genre: next })} />
            <FilterSelect
              label="Year rated"
              all="Any"
              value={year}
              options={yearsSince(histograms.data?.firstRatedAt, year)}
              onChange={(next) => change({ year: next })}
            />
            <Select
              label="Sort"
              value={sort}
              options={sortOptions}
              onChange={(next) => change({ sort: next === 'newest' ? undefined : next })}
            />
          </div>
          <Section
            title={kind === undefined ? 'All kinds' : kinds[kind].words.many}
            count={total === undefined ? undefined : count(total)}
            action={
              isFiltered ? (
                <ButtonLink variant="ghost" render={<Link {...route} search={{ sort: params.sort }} />}>
                  Clear filters
                </ButtonLink>
              ) : null
            }
            className="mt-2"
          >
            {library.isPending ? (
              <PosterGridSkeleton count={12} />
            ) : library.data === undefined ? (
              <LoadError title="The reviews did not load" error={library.error} onRetry={library.refetch} />
            ) : total === 0 ? (
              <Empty isFiltered={isFiltered} isOwn={isOwn} name={name} />
            ) : (
              <Reviews library={library} isOwn={isOwn} />
            )}
          </Section>
        </div>
      </div>
    </div>
  )
}

function yearsSince(first: string | null | undefined, chosen: number | undefined) {
  const now = new Date().getUTCFullYear()
  const start = Math.min(first ? Number(first.slice(0, 4)) : now, chosen ?? now)
  return Array.from({ length: Math.max(1, now - start + 1) }, (_, index) => ({
    value: now - index,
    label: String(now - index),
  }))
}

function Empty({ isFiltered, isOwn, name }: { isFiltered: boolean; isOwn: boolean; name: string }) {
  if (isFiltered)
    return <EmptyState icon={<NotebookPen aria-hidden />} title="Nothing matches these filters." />
  return (
    <EmptyState
      icon={<NotebookPen aria-hidden />}
      title={isOwn ? 'Nothing rated yet.' : `${name} has not rated anything yet.`}
      action={
        isOwn ? (
          <>
            <ButtonLink variant="primary" render={<Link to="/search" />}>
              Find something
            </ButtonLink>
            <ButtonLink render={<Link to="/imports" />}>Import your history</ButtonLink>
          </>
        ) : undefined
      }
    >
      {isOwn ? 'Give stars to the first thing you finish, and it appears here.' : undefined}
    </EmptyState>
  )
}

function Reviews({ library, isOwn }: { library: ReturnType<typeof useLibrary>; isOwn: boolean }) {
  const list = useRef<HTMLDivElement>(null)
  const { count } = useFormats()
  const reviews = library.data?.pages.flatMap((page) => page.reviews) ?? []
  const total = library.data?.pages[0]?.total ?? 0
  const focusFrom = useFocusOnMore(list, library.data?.pages.length ?? 0)
  return (
    <>
      <div ref={list}>
        <PosterGrid label="Ratings and reviews" busy={library.isPlaceholderData}>
          {reviews.map((review, index) => (
            <LibraryCard key={review.id} review={review} isOwn={isOwn} eager={index < 5} />
          ))}
        </PosterGrid>
      </div>
      <p role="status" className="sr-only">
        {library.isFetching ? '' : `${count(reviews.length)} of ${count(total)} shown.`}
      </p>
      {library.hasNextPage ? (
        <div className="mt-8 grid justify-items-center gap-3">
          {library.isFetchNextPageError ? (
            <p role="alert" className="text-danger">
              The next ones did not load. {errorText(library.error)}
            </p>
          ) : null}
          <Button
            busy={library.isFetchingNextPage}
            busyLabel="Loading…"
            onClick={() => {
              focusFrom(reviews.length)
              void library.fetchNextPage()
            }}
          >
            Load more
          </Button>
        </div>
      ) : null}
    </>
  )
}

/** Moves the focus to the first new card once a page is added: the last button that loads more disappears. */
function useFocusOnMore(list: React.RefObject<HTMLElement | null>, pageCount: number) {
  const from = useRef<number>(undefined)
  const before = useRef(pageCount)
  useEffect(() => {
    if (pageCount > before.current && from.current !== undefined) {
      const card = list.current?.querySelectorAll('.poster-card')[from.current]
      card?.querySelector('a')?.focus({ preventScroll: true })
      from.current = undefined
    }
    before.current = pageCount
  }, [list, pageCount])
  return (index: number) => {
    from.current = index
  }
}

type LibraryReview = RouterOutputs['reviews']['ofUser']['reviews'][number]

function LibraryCard({ review, isOwn, eager }: { review: LibraryReview; isOwn: boolean; eager: boolean }) {
  const { title, rating, createdAt } = review
  const text = withoutSpoilers(review)
  const { words } = kinds[title.kind]
  return (
    <PosterCard
      kind={title.kind}
      title={title.name}
      kindLabel={words.one}
      meta={title.releaseYear ?? undefined}
      image={{
        src: title.imageUrl,
        srcSet: imageSrcSet(title.imageUrl),
        sizes: '(min-width: 640px) 11rem, 45vw',
      }}
      eager={eager}
      transitionName={`poster-${title.id}`}
      marks={<TitleMarks {...title} hasStars={!isOwn} isTheirs={!isOwn} />}
      render={<Link to={titlePath(kinds[title.kind], title.id)} />}
    >
      <p className="flex flex-wrap items-center gap-x-2 text-meta text-muted">
        <Stars value={rating} />
        <Time value={createdAt} />
      </p>
      {isOwn ? null : <MyMark {...title} />}
      {text === '' ? null : <p className="mt-1 line-clamp-3 text-meta wrap-break-word text-pretty">{text}</p>}
    </PosterCard>
  )
}

/** How the member rates, in all or one kind. */
function Distribution({
  histograms,
  kind,
  name,
}: {
  histograms: ReturnType<typeof useHistograms>
  kind: Kind | undefined
  name: string
}) {
  const { count, decimal } = useFormats()
  const { data } = histograms
  const ratings = data?.[kind ?? 'all']
  return (
    <Section title="Distribution" className="card">
      {ratings ? (
        <>
          <p role="status" className="flex items-center gap-4">
            <span className="font-display text-figure tabular-nums">
              {formatAverage(ratings.avg, decimal)}
            </span>
            <span className="text-meta text-muted tabular-nums">
              {count(ratings.total)} {ratings.total === 1 ? 'rating' : 'ratings'}
              {kind === undefined ? '' : ` of ${namesOf(kinds[kind]).many}`}
            </span>
          </p>
          <Histogram counts={ratings.counts} label={`Ratings by ${name}`} className="mt-4" />
        </>
      ) : histograms.isError ? (
        <div role="alert" className="grid justify-items-start gap-3">
          <p className="text-muted">The ratings did not load. {errorText(histograms.error)}</p>
          <Button onClick={() => void histograms.refetch()}>Try again</Button>
        </div>
      ) : (
        <div role="status" aria-label={messages.loading} className="animate-appear">
          <Skeleton className="h-11 w-32" />
          <Skeleton className="mt-4 h-28" />
        </div>
      )}
    </Section>
  )
}

export function LibraryScreenPending() {
  return (
    <div className="page py-8 sm:py-12">
      <Skeleton className="h-11 w-32 animate-appear rounded-full" />
      <h1 className="mt-3 text-h1">Ratings and reviews</h1>
      <div className="mt-6">
        <Skeleton className="mb-8 h-11 max-w-md animate-appear rounded-full" />
        <PosterGridSkeleton count={12} />
      </div>
    </div>
  )
}
