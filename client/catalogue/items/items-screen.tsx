import { keepPreviousData } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { LayoutGrid, LibraryBig, Plus } from 'lucide-react'
import { DecadeSelect, FilterToggle, KindChoice } from '#client/titles/facet-selects.tsx'
import { GenreSelect } from '#client/titles/genre-select.tsx'
import { gridSizes } from '#client/titles/title-card.tsx'
import { TitleOverlay } from '#client/titles/title-overlay.tsx'
import { titlePath } from '#client/app/kinds.ts'
import { itemsLead } from '#client/app/leads.ts'
import { LoadError } from '#client/app/load-error.tsx'
import { trpc } from '#client/app/trpc.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { useFormats } from '#client/ui/formats.ts'
import { RenderedLater } from '#client/ui/hydration.ts'
import { Pager, PageStatus, usePagedHeading } from '#client/ui/pager.tsx'
import { PosterCard } from '#client/ui/poster-card.tsx'
import { PosterGrid, PosterGridSkeleton } from '#client/ui/poster-grid.tsx'
import { Section } from '#client/ui/section.tsx'
import { Select } from '#client/ui/select.tsx'
import { FilterDialog } from '#client/app/filter-dialog.tsx'
import { kindOfCategory, kinds } from '#shared/domain/kinds.ts'
import { messages } from '#shared/texts/messages.ts'
import { plainText } from '../title/plain-text.ts'
import { TitleRow, TitleRows, TitleRowsSkeleton } from '../title/title-row.tsx'
import { itemsInput, itemSorts, type ItemsParams } from './params.ts'
import { t } from '#shared/domain/message.ts'

const sortLabels = {
  popularity: t`Popular`,
  title: t`Title`,
  rating: t`Rating`,
  added: t`Newest added`,
  release: t`Release date`,
}
const sortOptions = itemSorts.map((value) => ({ value, label: sortLabels[value] }))

function useItems(params: ItemsParams) {
  return trpc.items.list.useQuery(itemsInput(params), { placeholderData: keepPreviousData })
}

export function ItemsScreen(params: ItemsParams) {
  const { page = 1, category, sort = itemSorts[0], genre, decade, unrated, network, view } = params
  const navigate = useNavigate()
  const items = useItems(params)
  const { count } = useFormats()
  const heading = usePagedHeading(page)

  const { pagination } = items.data ?? {}
  const change = (search: ItemsParams) =>
    void navigate({
      to: '/items',
      search: { ...params, page: undefined, ...search },
      resetScroll: false,
      viewTransition: false,
    })
  return (
    <div className="page py-8 sm:py-12">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
        <h1 className="text-h1">Items</h1>
        <ButtonLink icon={<Plus aria-hidden />} render={<Link to="/create-item" />}>
          Add a title
        </ButtonLink>
      </div>
      <p className="mt-3 max-w-[40em] text-lead text-muted max-sm:hidden">{itemsLead}</p>
      <div className="mt-5 grid sm:mt-8 grid-cols-[minmax(0,1fr)] justify-items-start gap-4 lg:flex lg:*:first:shrink-0">
        <KindChoice label="Category" kind={category} onChange={(kind) => change({ category: kind })} />
        <div className="flex w-full grow flex-wrap items-center gap-2">
          <Select
            label="Sort"
            hideLabel
            value={sort}
            options={sortOptions}
            onChange={(next) => change({ sort: next === itemSorts[0] ? undefined : next })}
          />
          <ItemsFilters params={params} onChange={change} />
          <Button
            variant={view === 'posters' ? 'primary' : 'outline'}
            className="picked sm:ms-auto"
            icon={<LayoutGrid aria-hidden />}
            aria-pressed={view === 'posters'}
            onClick={() => change({ page, view: view === 'posters' ? undefined : 'posters' })}
          >
            Posters
          </Button>
        </div>
      </div>
      <Section
        title={category === undefined ? t`All items` : kinds[category].words.many}
        count={pagination === undefined ? undefined : count(pagination.total)}
        headingRef={heading}
        className="mt-6"
      >
        <PageStatus pagination={pagination} isLoading={items.isPlaceholderData} />
        <RenderedLater>
          <ItemsList items={items} view={view} isFiltered={Boolean(genre ?? decade ?? unrated ?? network)} />
        </RenderedLater>
        <Pager
          page={page}
          pageCount={pagination?.totalPages ?? 0}
          label="Pages of items"
          className="mt-8"
          render={(to) => (
            <Link
              to="/items"
              search={{ ...params, page: to > 1 ? to : undefined }}
              resetScroll={false}
              viewTransition={false}
            />
          )}
        />
      </Section>
    </div>
  )
}

/** The category is an element of its own, because its text is specified. */
function factsOf({ category, releaseYear }: { category: string; releaseYear: number | null }) {
  const kind = kindOfCategory(category) ?? 'movie'
  return (
    <>
      <span>Category: {kinds[kind].words.one}</span>
      {releaseYear === null ? null : ` · ${releaseYear}`}
    </>
  )
}

function ItemsList({
  items,
  view,
  isFiltered,
}: {
  items: ReturnType<typeof useItems>
  view: ItemsParams['view']
  isFiltered: boolean
}) {
  if (items.isPending)
    return view === 'posters' ? (
      <PosterGridSkeleton count={12} label={messages.itemsLoading} />
    ) : (
      <TitleRowsSkeleton count={8} label={messages.itemsLoading} />
    )
  if (items.data === undefined)
    return <LoadError title="The catalogue did not load" error={items.error} onRetry={items.refetch} />
  if (items.data.items.length === 0)
    return (
      <EmptyState
        icon={<LibraryBig aria-hidden />}
        title={messages.itemsEmpty}
        action={
          <>
            <ButtonLink variant="primary" render={<Link to="/search" />}>
              Search for something
            </ButtonLink>
            {isFiltered ? (
              <ButtonLink render={<Link to="/items" />}>Clear filters</ButtonLink>
            ) : items.data.pagination.total > 0 ? (
              <ButtonLink render={<Link to="/items" />}>Back to the first page</ButtonLink>
            ) : null}
          </>
        }
      >
        {isFiltered
          ? t`No title matches all of these filters.`
          : t`Titles that members add or create will appear here.`}
      </EmptyState>
    )
  if (view === 'posters')
    return (
      <PosterGrid label="Items" busy={items.isPlaceholderData}>
        {items.data.items.map((item) => {
          const kind = kindOfCategory(item.category) ?? 'movie'
          return (
            <PosterCard
              key={item.id}
              kind={kind}
              title={item.name}
              image={{ src: item.imageUrl, sizes: gridSizes }}
              noImageText="No Image"
              transitionName={`poster-${item.id}`}
              meta={factsOf(item)}
              overlay={<TitleOverlay kind={kind} id={item.id} name={item.name} />}
              render={<Link to={titlePath(kinds[kind], item.id)} />}
            />
          )
        })}
      </PosterGrid>
    )
  return (
    <TitleRows label="Items" lazyHeight="13.2rem" busy={items.isPlaceholderData}>
      {items.data.items.map((item) => {
        const kind = kindOfCategory(item.category) ?? 'movie'
        return (
          <TitleRow
            key={item.id}
            kind={kind}
            title={item.name}
            imageUrl={item.imageUrl}
            noImageText="No Image"
            transitionName={`poster-${item.id}`}
            facts={factsOf(item)}
            text={item.description === null ? null : plainText(item.description)}
            overlay={<TitleOverlay kind={kind} id={item.id} name={item.name} />}
            render={<Link to={titlePath(kinds[kind], item.id)} />}
          />
        )
      })}
    </TitleRows>
  )
}

function ItemsFilters({
  params,
  onChange,
}: {
  params: ItemsParams
  onChange: (params: ItemsParams) => void
}) {
  const { category, genre, decade, unrated, network } = params
  return (
    <FilterDialog values={{ genre, decade, unrated, network }} onChange={onChange}>
      <GenreSelect kind={category} value={genre} onChange={(next) => onChange({ genre: next })} />
      <DecadeSelect value={decade} onChange={(next) => onChange({ decade: next })} />
      <FilterToggle
        pressed={unrated === 'yes'}
        onChange={(isPressed) => onChange({ unrated: isPressed ? 'yes' : undefined })}
      >
        Not rated by me
      </FilterToggle>
      <FilterToggle
        pressed={network === 'yes'}
        onChange={(isPressed) => onChange({ network: isPressed ? 'yes' : undefined })}
      >
        Rated by people I follow
      </FilterToggle>
    </FilterDialog>
  )
}
