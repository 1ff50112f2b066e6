import { Link, useNavigate } from '@tanstack/react-router'
import { LibraryBig, Plus } from 'lucide-react'
import { TitleMarks } from '#client/title-marks.tsx'
import { DecadeSelect, FilterToggle, GenreSelect } from '#client/facet-selects.tsx'
import { LoadError } from '#client/load-error.tsx'
import { ButtonLink } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { useFormats } from '#client/ui/formats.ts'
import { Pager, PageStatus, usePagedHeading } from '#client/ui/pager.tsx'
import { Section } from '#client/ui/section.tsx'
import { Segmented } from '#client/ui/segmented.tsx'
import { Select } from '#client/ui/select.tsx'
import { kindOfCategory, allKinds, kinds } from '#shared/media.ts'
import { messages } from '#shared/messages.ts'
import { plainText } from '../title/plain-text.ts'
import { useItems } from './hooks.ts'
import { itemSorts, type ItemsParams } from './params.ts'
import { TitleRow, TitleRows, TitleRowsSkeleton } from '../title/title-row.tsx'

const all = 'all'
const sortLabels = {
  title: 'Title',
  popularity: 'Popularity',
  rating: 'Rating',
  added: 'Newest added',
  release: 'Release date',
}
const sortOptions = itemSorts.map((value) => ({ value, label: sortLabels[value] }))
const options = [
  { value: all, label: 'All' },
  ...allKinds.map(({ kind, words }) => ({ value: kind as string, label: words.many })),
]

/** All titles of the catalogue, with a pager. */
export function ItemsScreen(params: ItemsParams) {
  const { page = 1, category, sort = 'title', genre, decade, unrated, network } = params
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
          Create something
        </ButtonLink>
      </div>
      <p className="mt-3 max-w-[40em] text-lead text-muted">
        Everything in the catalogue. Pick something and tell the others what you think of it.
      </p>
      <div className="mt-8 grid grid-cols-[minmax(0,1fr)] justify-items-start gap-4">
        <Segmented
          label="Category"
          value={category ?? all}
          options={options}
          onChange={(value) => change({ category: value === all ? undefined : (value as typeof category) })}
        />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
          <Select
            label="Sort"
            value={sort}
            options={sortOptions}
            onChange={(next) => change({ sort: next === 'title' ? undefined : next })}
          />
          <GenreSelect kind={category} value={genre} onChange={(next) => change({ genre: next })} />
          <DecadeSelect value={decade} onChange={(next) => change({ decade: next })} />
          <FilterToggle
            pressed={unrated === 'yes'}
            onChange={(isPressed) => change({ unrated: isPressed ? 'yes' : undefined })}
          >
            Not rated by me
          </FilterToggle>
          <FilterToggle
            pressed={network === 'yes'}
            onChange={(isPressed) => change({ network: isPressed ? 'yes' : undefined })}
          >
            Rated by people I follow
          </FilterToggle>
        </div>
      </div>
      <Section
        title={category === undefined ? 'All items' : kinds[category].words.many}
        count={pagination === undefined ? undefined : count(pagination.total)}
        headingRef={heading}
        className="mt-6"
      >
        <PageStatus pagination={pagination} isLoading={items.isPlaceholderData} />
        <ItemsList items={items} isFiltered={Boolean(genre ?? decade ?? unrated ?? network)} />
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

function ItemsList({ items, isFiltered }: { items: ReturnType<typeof useItems>; isFiltered: boolean }) {
  if (items.isPending) return <TitleRowsSkeleton count={8} label={messages.itemsLoading} />
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
          ? 'No title matches all of these filters.'
          : 'Titles that members add or create will appear here.'}
      </EmptyState>
    )
  return (
    <TitleRows label="Items" busy={items.isPlaceholderData}>
      {items.data.items.map((item) => (
        <TitleRow
          key={item.id}
          kind={kindOfCategory(item.category) ?? 'movie'}
          title={item.name}
          imageUrl={item.imageUrl}
          noImageText="No Image"
          transitionName={`poster-${item.id}`}
          facts={`Category: ${item.category}`}
          text={item.description === null ? null : plainText(item.description)}
          marks={<TitleMarks kind={kindOfCategory(item.category) ?? 'movie'} id={item.id} name={item.name} />}
          render={<Link to="/items/$itemId" params={{ itemId: String(item.id) }} />}
        />
      ))}
    </TitleRows>
  )
}
