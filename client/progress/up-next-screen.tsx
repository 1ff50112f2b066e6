import { Link } from '@tanstack/react-router'
import { Tv } from 'lucide-react'
import { LoadError } from '#client/app/load-error.tsx'
import { ShowMore } from '#client/app/show-more.tsx'
import { StartActions } from '#client/app/start-actions.tsx'
import { nextPage, trpc } from '#client/app/trpc.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { SectionLink } from '#client/ui/section.tsx'
import { Skeletons } from '#client/ui/skeleton.tsx'
import { t } from '#shared/domain/message.ts'
import { useSteadyOrder } from './steady-order.ts'
import { UpNextRow } from './up-next-row.tsx'

export function UpNextScreen() {
  const query = trpc.progress.upNext.useInfiniteQuery({}, nextPage)
  const entries = useSteadyOrder(query.data?.pages.flatMap((page) => page.entries) ?? [])
  return (
    <div className="page grid max-w-200! grid-cols-[minmax(0,1fr)] gap-6 py-8 sm:py-12">
      <header>
        <div className="flex flex-wrap items-end justify-between gap-x-6">
          <h1 className="text-h1">Up next</h1>
          <SectionLink render={<Link to="/calendar" />}>Calendar</SectionLink>
        </div>
        <p className="mt-2 text-lead text-muted">The next episode of each show that you are watching.</p>
      </header>
      {query.data !== undefined ? (
        entries.length === 0 ? (
          <EmptyState icon={<Tv aria-hidden />} title={t`Nothing to watch next`} action={<StartActions />}>
            Mark an episode of a show as watched, and the next one waits here.
          </EmptyState>
        ) : (
          <>
            <ul aria-label="Up next" className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
              {entries.map((entry) => (
                <UpNextRow key={entry.title.id} entry={entry} />
              ))}
            </ul>
            <ShowMore query={query} className="justify-self-center" />
          </>
        )
      ) : query.error ? (
        <LoadError title={t`Up next did not load`} error={query.error} onRetry={query.refetch} />
      ) : (
        <Skeletons count={5} each="h-24 rounded-card" />
      )}
    </div>
  )
}
