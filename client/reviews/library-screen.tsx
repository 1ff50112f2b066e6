import { Link, useNavigate } from '@tanstack/react-router'
import { keepPreviousData } from '@tanstack/react-query'
import { ListChecks, NotebookPen } from 'lucide-react'
import { type ReactElement, useEffect, useRef } from 'react'
import { KindChoice } from '#client/titles/facet-selects.tsx'
import { inPlace } from '#client/app/links.ts'
import { ShowMore } from '#client/app/show-more.tsx'
import { LoadError } from '#client/app/load-error.tsx'
import { useSession } from '#client/app/session.ts'
import { StartActions } from '#client/app/start-actions.tsx'
import { gridSizes, TitleCard } from '#client/titles/title-card.tsx'
import { kindWords } from '#client/titles/kind-words.ts'
import { partCode, withPart } from '#client/titles/part-name.ts'
import { reviewedPage } from '#client/titles/reviewed-page.ts'
import { MyRating } from '#client/titles/my-rating.tsx'
import { TitleOverlay } from '#client/titles/title-overlay.tsx'
import { errorText, nextPage, type RouterOutputs, trpc } from '#client/app/trpc.ts'
import { BackLink } from '#client/ui/back-link.tsx'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { useDates } from '#client/ui/dates.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { barOf, type RatingStep } from '#shared/domain/ratings.ts'
import { useHalfStars } from '#client/ui/half-stars.ts'
import { useFormats } from '#client/ui/formats.ts'
import { RenderedLater } from '#client/ui/hydration.ts'
import { PosterGrid, PosterGridSkeleton } from '#client/ui/poster-grid.tsx'
import { SearchField } from '#client/app/search-field.tsx'
import { Section } from '#client/ui/section.tsx'
import { Select } from '#client/ui/select.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { Stars, starsText } from '#client/ui/stars.tsx'
import { Time } from '#client/ui/time.tsx'
import { type Kind, kinds } from '#shared/domain/kinds.ts'
import { messages } from '#shared/texts/messages.ts'
import { excerptFor } from '#shared/domain/spoilers.ts'
import { formatAverage } from './histogram.ts'
import { LibraryFilters } from './library-filters.tsx'
import { groupsOf } from './library-groups.ts'
import { type LibraryParams, type LibrarySort, librarySorts } from './library-params.ts'
import { ChosenBar, ChosenIcon, type Selection, useSelection } from './library-selection.tsx'
import { RatingBars } from './rating-bars.tsx'
import { plural, t } from '#shared/domain/message.ts'

const sorts = {
  newest: { label: t`Newest first`, sort: 'createdAt', order: 'desc' },
  oldest: { label: t`Oldest first`, sort: 'createdAt', order: 'asc' },
  highest: { label: t`Highest rated`, sort: 'rating', order: 'desc' },
  lowest: { label: t`Lowest rated`, sort: 'rating', order: 'asc' },
  title: { label: t`Title`, sort: 'title', order: 'asc' },
  release: { label: t`Release date`, sort: 'release', order: 'desc' },
} as const
const sortOptions = librarySorts.map((value) => ({ value, label: sorts[value].label }))
function useLibrary(userId: number, { text, rating, sort: name = 'newest', ...filters }: LibraryParams) {
  const { sort, order } = sorts[name]
  // The bar that was pressed: one of nine is exact.
  const bar =
    useHalfStars() || rating === undefined || barOf(rating) !== rating ? { rating } : { stars: rating }
  const input = { id: userId, ...filters, ...bar, hasText: text && true, sort, order }
  return trpc.reviews.ofUser.useInfiniteQuery(input, {
    ...nextPage,
    placeholderData: keepPreviousData,
  })
}

function useHistograms(userId: number) {
  return trpc.reviews.histogramsOfUser.useQuery({ id: userId })
}

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
  const { about, kind, sort = 'newest' } = params
  const isFiltered = Object.keys(params).some(
    (key) => key !== 'sort' && params[key as keyof LibraryParams] !== undefined,
  )
  // Nothing to compare or to filter.
  const isBlank = !isFiltered && total === 0
  const route = { to: '/user/$userId/reviews', params: { userId: String(userId) } } as const
  const selection = useSelection()
  const change = (search: LibraryParams) =>
    void navigate({ ...route, search: { ...params, ...search }, ...inPlace })

  return (
    <div className="page py-4 sm:py-12">
      <BackLink render={<Link to="/user/$userId" params={route.params} />}>{name}</BackLink>
      <h1 className="text-h1 sm:mt-3">{isOwn ? t`My ratings` : t`Ratings of ${name}`}</h1>
      <div hidden={isBlank} className="mt-4 flex flex-wrap items-end gap-x-4 gap-y-3 max-sm:gap-x-2">
        <div hidden={about !== undefined} className="max-w-full max-sm:hidden">
          <KindChoice label="Kind" kind={kind} onChange={(next) => change({ kind: next })} />
        </div>
        <SearchField
          label="Search these titles"
          placeholder="Title or author"
          q={params.q}
          onChange={(q) => change({ q })}
        />
        <LibraryFilters params={params} firstRatedAt={histograms.data?.firstRatedAt} onChange={change} />
        <Select
          label="Sort"
          hideLabel
          value={sort}
          options={sortOptions}
          onChange={(next) => change({ sort: next === 'newest' ? undefined : next })}
        />
        {about ? null : (
          <Button
            icon={<ListChecks aria-hidden />}
            aria-pressed={selection.isOn}
            variant={selection.isOn ? 'primary' : 'soft'}
            onClick={selection.turn}
          >
            <span className="max-sm:sr-only">Select</span>
          </Button>
        )}
      </div>
      {selection.isOn && !about ? <ChosenBar selection={selection} /> : null}
      <Section
        title={about ? t`Seasons and episodes` : kind === undefined ? t`All kinds` : kinds[kind].words.many}
        count={total === undefined ? undefined : count(total)}
        action={
          isFiltered ? (
            <ButtonLink variant="ghost" render={<Link {...route} search={{ sort: params.sort }} />}>
              Clear filters
            </ButtonLink>
          ) : null
        }
        className="mt-5 sm:mt-8"
      >
        <RenderedLater>
          {library.isPending ? (
            <PosterGridSkeleton count={14} />
          ) : library.data === undefined ? (
            <LoadError title="The reviews did not load" error={library.error} onRetry={library.refetch} />
          ) : total === 0 ? (
            <Empty isFiltered={isFiltered} isOwn={isOwn} name={name} />
          ) : (
            <Reviews library={library} isOwn={isOwn} sort={sort} selection={selection} />
          )}
        </RenderedLater>
      </Section>
      <div data-kind={kind} hidden={isBlank || about !== undefined} className="mt-12">
        <Distribution
          histograms={histograms}
          kind={kind}
          name={name}
          chosen={params.rating}
          render={(stars) => (
            <Link
              {...route}
              search={{ ...params, rating: stars === params.rating ? undefined : stars }}
              {...inPlace}
            />
          )}
        />
      </div>
    </div>
  )
}

function Empty({ isFiltered, isOwn, name }: { isFiltered: boolean; isOwn: boolean; name: string }) {
  if (isFiltered)
    return <EmptyState icon={<NotebookPen aria-hidden />} title="Nothing matches these filters." />
  return (
    <EmptyState
      icon={<NotebookPen aria-hidden />}
      title={isOwn ? t`Nothing rated yet.` : t`${name} has not rated anything yet.`}
      action={
        <>
          {isOwn ? <StartActions /> : null}
          <ButtonLink variant="ghost" render={<Link to="." search={{ about: 'parts' } as never} />}>
            Seasons and episodes
          </ButtonLink>
        </>
      }
    >
      {isOwn ? t`Give stars to the first thing you finish, and it appears here.` : undefined}
    </EmptyState>
  )
}

function Reviews({
  library,
  isOwn,
  sort,
  selection,
}: {
  library: ReturnType<typeof useLibrary>
  isOwn: boolean
  sort: LibrarySort
  selection: Selection
}) {
  const list = useRef<HTMLDivElement>(null)
  const { count } = useFormats()
  const { release } = useDates()
  const reviews = library.data?.pages.flatMap((page) => page.reviews) ?? []
  const total = library.data?.pages[0]?.total ?? 0
  const focusFrom = useFocusOnMore(list, library.data?.pages.length ?? 0)
  const groups = groupsOf(reviews, sort)
  return (
    <>
      <div ref={list} className="grid grid-cols-[minmax(0,1fr)] gap-10">
        {groups.map(({ key, reviews: shown }, at) => {
          const heading = key === '' ? '' : /^[1-5](\.5)?$/.test(key) ? starsText(Number(key)) : release(key)
          return (
            <div key={key}>
              {heading === '' ? null : <h3 className="mb-3 text-h3 text-muted">{heading}</h3>}
              <PosterGrid
                label={heading === '' ? t`Ratings` : t`Ratings, ${heading}`}
                lazyHeight="24rem"
                busy={library.isPlaceholderData}
              >
                {shown.map((review, index) => (
                  <LibraryCard
                    key={review.id}
                    review={review}
                    isOwn={isOwn}
                    eager={at === 0 && index < 7}
                    selection={selection}
                  />
                ))}
              </PosterGrid>
            </div>
          )
        })}
      </div>
      <p role="status" className="sr-only">
        {library.isFetching ? '' : t`${count(reviews.length)} of ${count(total)} shown.`}
      </p>
      <ShowMore
        query={library}
        busyLabel="Loading…"
        onPress={() => focusFrom(reviews.length)}
        className="mt-8 justify-items-center"
      >
        Load more
      </ShowMore>
    </>
  )
}

/** The button that loads more may disappear, so the first new card gets the focus. */
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

function LibraryCard({
  review,
  isOwn,
  eager,
  selection,
}: {
  review: LibraryReview
  isOwn: boolean
  eager: boolean
  selection: Selection
}) {
  const { title, about, rating, createdAt } = review
  const { chosen, toggle } = selection
  const isOn = selection.isOn && about === null
  const text = excerptFor(review, isOwn)
  const { words } = kinds[title.kind]
  const isChosen = chosen.has(title.id)
  return (
    <TitleCard
      title={title}
      sizes={gridSizes}
      kindLabel={words.one}
      meta={about ? <PartName {...about} /> : (title.releaseYear ?? undefined)}
      eager={eager}
      transitionName={about ? undefined : `poster-${title.id}`}
      stars={<Stars value={rating} />}
      overlay={
        isOn ? (
          <ChosenIcon isChosen={isChosen} />
        ) : about ? null : (
          <TitleOverlay {...title} hasStars={!isOwn} isTheirs={!isOwn} />
        )
      }
      render={
        isOn ? (
          <button
            type="button"
            aria-label={title.name}
            aria-pressed={isChosen}
            className="text-start"
            onClick={() => toggle(title)}
          />
        ) : (
          <Link
            to={reviewedPage(title, about)}
            search={about ? { review: review.id } : {}}
            aria-label={withPart(title.name, about)}
          />
        )
      }
    >
      <p className="text-meta text-muted">
        <Time value={createdAt} />
      </p>
      {isOwn || about ? null : <MyRating {...title} />}
      {text === '' ? null : (
        <p dir="auto" className="mt-1 line-clamp-3 text-meta wrap-anywhere text-pretty">
          {text}
        </p>
      )}
    </TitleCard>
  )
}

/** The name of an episode keeps its direction. */
function PartName(about: NonNullable<LibraryReview['about']>) {
  return (
    <>
      {partCode(about)} {about.number === null ? null : <bdi>{about.name}</bdi>}
    </>
  )
}

function Distribution({
  histograms,
  kind,
  name,
  chosen,
  render,
}: {
  histograms: ReturnType<typeof useHistograms>
  kind: Kind | undefined
  name: string
  chosen: number | undefined
  render: (stars: RatingStep) => ReactElement
}) {
  const { decimal } = useFormats()
  const { data } = histograms
  const ratings = data?.[kind ?? 'all']
  if (histograms.isError && !data)
    return (
      <div role="alert" className="card grid justify-items-start gap-3">
        <p className="text-muted">The ratings did not load. {errorText(histograms.error)}</p>
        <Button onClick={() => void histograms.refetch()}>Try again</Button>
      </div>
    )
  return (
    <section
      aria-label="Distribution"
      className="card grid min-h-40 gap-x-10 gap-y-4 sm:grid-cols-[auto_minmax(0,1fr)] sm:items-end"
    >
      {ratings ? (
        <>
          <p role="status" className="flex items-baseline gap-3 sm:block">
            <span className="font-display text-figure tabular-nums">
              {formatAverage(ratings.avg, decimal)}
            </span>{' '}
            <span className="text-meta text-muted tabular-nums sm:mt-1 sm:block">
              {kind === undefined
                ? plural(ratings.total, { one: '# rating', other: '# ratings' })
                : kindWords[kind].ratings(ratings.total)}
            </span>
          </p>
          <RatingBars
            ratings={ratings}
            label={t`Ratings by ${name}`}
            chosen={chosen}
            render={render}
            className="h-32"
          />
        </>
      ) : (
        <div role="status" aria-label={messages.loading} className="animate-appear sm:col-span-2">
          <Skeleton className="h-28" />
        </div>
      )}
    </section>
  )
}

export function LibraryScreenPending() {
  return (
    <div className="page py-8 sm:py-12">
      <Skeleton className="h-11 w-32 animate-appear rounded-full" />
      <h1 className="text-h1 sm:mt-3">Ratings</h1>
      <div className="mt-6">
        <Skeleton className="mb-8 h-11 max-w-md animate-appear rounded-full" />
        <PosterGridSkeleton count={12} />
      </div>
    </div>
  )
}
