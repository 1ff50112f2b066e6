import { Link } from '@tanstack/react-router'
import { ArrowRight, CircleHelp } from 'lucide-react'
import type { ReactNode } from 'react'
import { LoadError } from '#client/load-error.tsx'
import { type ApiError, type RouterOutputs, trpc } from '#client/trpc.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { KindPill } from '#client/ui/pill.tsx'
import { Poster } from '#client/ui/poster-card.tsx'
import { imageSrcSet } from '#shared/images.ts'
import { type Kind, kindOfCategory, kinds } from '#shared/media.ts'
import { messages } from '#shared/messages.ts'
import { titlePath } from '#client/kinds.ts'
import { plainText } from '../title/plain-text.ts'
import { ItemFrame, ItemScreenPending } from './item-skeleton.tsx'

type RenderReviews = (title: { kind: Kind; id: number }) => ReactNode

/** An item: a title of any kind. `children` render its reviews, which another feature owns. */
export function ItemScreen({ id, children }: { id: number; children: RenderReviews }) {
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

function ItemPage({
  item,
  children,
}: {
  item: RouterOutputs['items']['byId']['item']
  children: RenderReviews
}) {
  const kind = kindOfCategory(item.category) ?? 'movie'
  const { words } = kinds[kind]
  return (
    <div data-kind={kind} className="mt-4 grid gap-x-12 gap-y-10 lg:grid-cols-[20rem_minmax(0,1fr)]">
      <div className="flex gap-5 max-sm:flex-col sm:gap-8 lg:flex-col lg:gap-6">
        <Poster
          title={item.name}
          kind={kind}
          noImageText="No Image"
          eager
          image={{
            src: item.imageUrl,
            srcSet: imageSrcSet(item.imageUrl),
            sizes: '20rem',
          }}
          transitionName={`poster-${item.id}`}
          className="max-w-44 shrink-0 shadow-float sm:max-w-56 lg:max-w-none"
        />
        <div className="min-w-0">
          <h1 className="font-display text-[clamp(1.875rem,1.4rem+1.8vw,2.75rem)] leading-[1.02] font-extrabold tracking-tight wrap-break-word">
            {item.name}
          </h1>
          <p className="mt-4">
            <KindPill kind={kind}>Category: {item.category}</KindPill>
          </p>
          <p className="mt-4 whitespace-pre-line text-pretty">
            {item.description ? (
              plainText(item.description)
            ) : (
              <span className="text-muted">{words.overviewEmpty}</span>
            )}
          </p>
          <ButtonLink className="mt-5" render={<Link to={titlePath(kinds[kind], item.id)} />}>
            Open its full page
            <ArrowRight aria-hidden />
          </ButtonLink>
        </div>
      </div>
      <div className="grid min-w-0 content-start gap-10">{children({ kind, id: item.id })}</div>
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
