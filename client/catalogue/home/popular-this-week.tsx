import { Link } from '@tanstack/react-router'
import { Star } from 'lucide-react'
import type { ReactNode } from 'react'
import { rowSizes, TitleCard } from '#client/titles/title-card.tsx'
import { TitleOverlay } from '#client/titles/title-overlay.tsx'
import { LoadError } from '#client/app/load-error.tsx'
import { ButtonLink } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { useFormats } from '#client/ui/formats.ts'
import { PosterGrid, PosterGridSkeleton } from '#client/ui/poster-grid.tsx'
import { Section, SectionLink } from '#client/ui/section.tsx'
import { Tabs } from '#client/ui/tabs.tsx'
import { popularLimit } from '#shared/domain/limits.ts'
import { type KindDefinition, kinds, kindsOnHome } from '#shared/domain/kinds.ts'
import { messages } from '#shared/texts/messages.ts'
import { type Popular, usePopular, usePopularOfAll } from './popular-data.ts'
import { popularMeta } from './popular-meta.ts'
import type { HomeTab } from './params.ts'
import { t } from '#shared/domain/message.ts'

const tabs: { value: HomeTab; label: string }[] = [
  { value: 'all', label: t`All` },
  ...kindsOnHome.map((definition) => ({ value: definition.kind, label: definition.words.many })),
]

export function PopularThisWeek({ tab, onTab }: { tab: HomeTab; onTab: (tab: HomeTab) => void }) {
  return (
    <Section
      title="Popular this week"
      action={<SectionLink render={<Link to="/search" />}>Explore more</SectionLink>}
    >
      <div data-kind={tab === 'all' ? undefined : tab}>
        <Tabs value={tab} onChange={onTab} items={tabs} label="Kind">
          {tab === 'all' ? <OfAll /> : <OfKind key={tab} definition={kinds[tab]} />}
        </Tabs>
      </div>
    </Section>
  )
}

export function PopularOfAll() {
  return (
    <Section title="Popular this week">
      <Entries {...usePopularOfAll()} eager emptyText={messages.popularEmpty} />
    </Section>
  )
}

function OfAll() {
  return <Entries {...usePopularOfAll()} emptyText={messages.popularEmpty} emptyAction={toSearch} />
}

function OfKind({ definition }: { definition: KindDefinition }) {
  return (
    <Entries {...usePopular(definition)} emptyText={definition.words.popularEmpty} emptyAction={toSearch} />
  )
}

const toSearch = <ButtonLink render={<Link to="/search" />}>Find something</ButtonLink>

function Entries({
  entries,
  isPending,
  isLoadingError,
  refetch,
  eager = false,
  emptyText,
  emptyAction,
}: {
  entries: readonly Popular[]
  isPending: boolean
  isLoadingError: boolean
  refetch: () => unknown
  eager?: boolean | undefined
  emptyText: string
  emptyAction?: ReactNode
}) {
  if (isPending) return <PosterGridSkeleton row count={popularLimit} lines={3} />
  if (isLoadingError) {
    return <LoadError title={messages.popularFailed} onRetry={refetch} />
  }
  if (entries.length === 0) {
    return (
      <EmptyState icon={<Star aria-hidden />} title={emptyText} action={emptyAction}>
        What people rate in the next days shows up here.
      </EmptyState>
    )
  }
  return (
    <PosterGrid row label="Popular this week">
      {entries.map((title, index) => (
        // As many as a phone shows.
        <PopularCard key={title.id} title={title} eager={eager && index < 3} />
      ))}
    </PosterGrid>
  )
}

function PopularCard({ title, eager }: { title: Popular; eager: boolean }) {
  const formats = useFormats()
  return (
    <TitleCard
      title={title}
      sizes={rowSizes}
      kindLabel={kinds[title.kind].words.one}
      eager={eager}
      transitionName={`poster-${title.id}`}
      overlay={<TitleOverlay {...title} />}
    >
      {/* The separator before each part is clipped at the start of a line. */}
      <p className="overflow-hidden text-meta text-muted tabular-nums">
        <span className="-ms-4 flex flex-wrap">
          {popularMeta(title, formats).map((part, index) => (
            <span key={part} className="flex max-w-full">
              <span className="w-4 shrink-0 text-center whitespace-pre">{index > 0 ? ' · ' : null}</span>
              <span>{part}</span>
            </span>
          ))}
        </span>
      </p>
    </TitleCard>
  )
}
