import { Link } from '@tanstack/react-router'
import { ArrowRight, CircleHelp } from 'lucide-react'
import type { ReactNode } from 'react'
import { LoadError } from '#client/app/load-error.tsx'
import { type ApiError, type RouterOutputs, trpc } from '#client/app/trpc.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { KindPill } from '#client/ui/pill.tsx'
import { Poster } from '#client/ui/poster-card.tsx'
import { titlePath } from '#client/app/kinds.ts'
import { type Kind, kindOfCategory, kinds } from '#shared/domain/kinds.ts'
import { messages } from '#shared/texts/messages.ts'
import { plainText } from '../title/plain-text.ts'
import { ItemFrame, ItemScreenPending } from './item-skeleton.tsx'

type RenderParts = (title: { kind: Kind; id: number }) => { reviews: ReactNode; similar: ReactNode }

/** `children` return the parts that other features own. */
export function ItemScreen({ id, children }: { id: number; children: RenderParts }) {
  const item = trpc.items.byId.useQuery({ id })
  if (item.isPending) return <ItemScreenPending />
  return (
    <ItemFrame>
      {item.data === undefined ? (
        <ItemError error={item.error} onRetry={() => void item.refetch()} />
      ) : (
        <ItemPage item={item.data.item}>{children}</ItemPage>
      )}
    </ItemFrame>
  )
}

type Item = RouterOutputs['items']['byId']['item']

function ItemPage({ item, children }: { item: Item; children: RenderParts }) {
  const kind = kindOfCategory(item.category) ?? 'movie'
  const { reviews, similar } = children({ kind, id: item.id })
  return (
    <div data-kind={kind} className="mt-4">
      <header className="grid grid-cols-[min(32vw,7.5rem)_minmax(0,1fr)] gap-x-5 gap-y-5 sm:grid-cols-[11rem_minmax(0,1fr)] sm:grid-rows-[auto_1fr] sm:gap-x-8">
        <Poster
          title={item.name}
          kind={kind}
          noImageText="No Image"
          eager
          image={{ src: item.imageUrl, sizes: '11rem' }}
          transitionName={`poster-${item.id}`}
          className="self-start shadow-float sm:row-span-2"
        />
        <div className="flex min-w-0 flex-col items-start">
          <h1 className="font-display text-[clamp(1.75rem,1.2rem+2.4vw,3.25rem)] leading-[1.02] font-extrabold tracking-tight wrap-anywhere">
            <bdi>{item.name}</bdi>
          </h1>
          <p className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2">
            <KindPill kind={kind}>Category: {kinds[kind].words.one}</KindPill>
            {item.releaseYear === null ? null : (
              <span className="text-label text-muted tabular-nums">{item.releaseYear}</span>
            )}
          </p>
          <ButtonLink
            variant="primary"
            className="mt-4"
            render={<Link to={titlePath(kinds[kind], item.id)} />}
          >
            Open its full page
            <ArrowRight aria-hidden />
          </ButtonLink>
        </div>
        <p dir="auto" className="max-w-[43.3em] whitespace-pre-line text-pretty max-sm:col-span-2">
          {item.description ? (
            plainText(item.description)
          ) : (
            <span className="text-muted">{kinds[kind].words.overviewEmpty}</span>
          )}
        </p>
      </header>
      <div className="mt-8 grid grid-cols-[minmax(0,1fr)] items-start gap-x-12 gap-y-10 lg:grid-cols-2">
        {reviews}
      </div>
      {similar}
    </div>
  )
}

function ItemError({ error, onRetry }: { error: ApiError; onRetry: () => void }) {
  // An invalid id (`/items/abc`) is BAD_REQUEST.
  const isAbsent = error.data?.httpStatus === 404 || error.data?.httpStatus === 400
  return (
    <>
      <h1 className="sr-only">Item</h1>
      {isAbsent ? (
        <EmptyState
          className="mt-4"
          icon={<CircleHelp aria-hidden />}
          title={messages.itemNotFound}
          action={
            <ButtonLink variant="primary" render={<Link to="/items" />}>
              See all items
            </ButtonLink>
          }
        >
          It may have been removed, or its address has a typo.
        </EmptyState>
      ) : (
        <LoadError className="mt-4" title={messages.itemFailed} error={error} onRetry={onRetry} />
      )}
    </>
  )
}
