import { Link, useNavigate } from '@tanstack/react-router'
import { LibraryBig, Plus } from 'lucide-react'
import { LoadError } from '#client/load-error.tsx'
import { ButtonLink } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { useFormats } from '#client/ui/formats.ts'
import { Pager, PageStatus, usePagedHeading } from '#client/ui/pager.tsx'
import { Section } from '#client/ui/section.tsx'
import { Segmented } from '#client/ui/segmented.tsx'
import { kindOfCategory, allKinds, kinds } from '#shared/media.ts'
import { messages } from '#shared/messages.ts'
import { plainText } from '../title/plain-text.ts'
import { useItems } from './hooks.ts'
import type { ItemsParams } from './params.ts'
import { TitleRow, TitleRows, TitleRowsSkeleton } from '../title/title-row.tsx'

const all = 'all'
const options = [
  { value: all, label: 'All' },
  ...allKinds.map(({ kind, words }) => ({ value: kind as string, label: words.many })),
]

/** All titles of the catalogue, with a pager. */
export function ItemsScreen({ page = 1, category }: ItemsParams) {
  const navigate = useNavigate()
  const items = useItems({ page, category })
  const { count } = useFormats()
  const heading = usePagedHeading(page)

  const { pagination } = items.data ?? {}
  return (
    <div className="page py-8 sm:py-12">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
        <h1 className="text-h1">Items</h1>
        <ButtonLink icon={<Plus aria-hidden />} render={<Link to="/create-item" />}>
          Create something
        </ButtonLink>
      </div>
      <p className="mt-3 max-w-[40em] text-lead text-muted">
        Everything in the catalogue, from A to Z. Pick something and tell the others what you think of it.
      </p>
      <div className="mt-8">
        <Segmented
          label="Category"
          value={category ?? all}
          options={options}
          onChange={(value) =>
            void navigate({
              to: '/items',
              search: { category: value === all ? undefined : (value as typeof category) },
              resetScroll: false,
              viewTransition: false,
            })
          }
        />
      </div>
      <Section
        title={category === undefined ? 'All items' : kinds[category].words.many}
        count={pagination === undefined ? undefined : count(pagination.total)}
        headingRef={heading}
        className="mt-6"
      >
        <PageStatus pagination={pagination} isLoading={items.isPlaceholderData} />
        <ItemsList items={items} />
        <Pager
          page={page}
          pageCount={pagination?.totalPages ?? 0}
          label="Pages of items"
          className="mt-8"
          render={(to) => (
            <Link
              to="/items"
              search={{ category, page: to > 1 ? to : undefined }}
              resetScroll={false}
              viewTransition={false}
            />
          )}
        />
      </Section>
    </div>
  )
}

function ItemsList({ items }: { items: ReturnType<typeof useItems> }) {
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
            {items.data.pagination.total > 0 ? (
              <ButtonLink render={<Link to="/items" />}>Back to the first page</ButtonLink>
            ) : null}
          </>
        }
      >
        Titles that members add or create will appear here.
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
          render={<Link to="/items/$itemId" params={{ itemId: String(item.id) }} />}
        />
      ))}
    </TitleRows>
  )
}
