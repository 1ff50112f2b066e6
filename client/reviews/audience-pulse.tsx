import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { useSession } from '#client/session.ts'
import { errorText } from '#client/trpc.ts'
import { AvatarStack } from '#client/ui/avatar.tsx'
import { Button } from '#client/ui/button.tsx'
import { useFormats } from '#client/ui/formats.ts'
import { Histogram } from '#client/ui/histogram.tsx'
import { Section } from '#client/ui/section.tsx'
import { Segmented } from '#client/ui/segmented.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { Stars } from '#client/ui/stars.tsx'
import { messages } from '#shared/messages.ts'
import { formatAverage, type Ratings } from './histogram.ts'
import { useRaters, useRatings } from './hooks.ts'
import type { Scope } from './listing.ts'
import { scopes } from './scopes.ts'
import type { Title } from './title.ts'

/** The histogram of a title's ratings, overall or of the member's network. */
export function AudiencePulse({
  title,
  scope,
  onScope,
  className,
}: {
  title: Title
  scope: Scope
  onScope: (scope: Scope) => void
  className?: string
}) {
  const isMember = useSession() !== null
  const { overall, network } = useRatings(title)
  const shown = scope === 'network' ? network : overall
  const ratings =
    scope === 'network' ? network.data && { ...network.data, avg: network.data.networkAvg } : overall.data
  return (
    <Section title="Audience Pulse" className={clsx('card', className)}>
      {isMember ? (
        <Segmented label="Whose ratings" value={scope} onChange={onScope} options={scopes} className="mb-4" />
      ) : null}
      {ratings ? (
        <Pulse ratings={ratings} scope={scope}>
          {scope === 'network' && ratings.total > 0 ? <Raters title={title} total={ratings.total} /> : null}
        </Pulse>
      ) : shown.isError ? (
        <div role="alert" className="grid min-h-54 content-center justify-items-start gap-3">
          <p className="text-muted">The ratings did not load. {errorText(shown.error)}</p>
          <Button onClick={() => void shown.refetch()}>Try again</Button>
        </div>
      ) : (
        <PulseSkeleton />
      )}
    </Section>
  )
}

function Pulse({
  ratings: { avg, counts, total },
  scope,
  children,
}: {
  ratings: Ratings
  scope: Scope
  children: ReactNode
}) {
  const { count, decimal } = useFormats()
  return (
    <>
      <div role="status" className="flex flex-wrap items-center gap-x-4">
        <span className="font-display text-figure tabular-nums">{formatAverage(avg, decimal)}</span>
        <div>
          {avg === null ? null : <Stars value={avg} exact className="text-body" />}
          <p className="text-meta text-muted tabular-nums">
            {total > 0
              ? `${count(total)} ${total === 1 ? 'rating' : 'ratings'}`
              : scope === 'network'
                ? 'Nobody you follow has rated this yet.'
                : 'Nobody has rated this yet.'}
          </p>
        </div>
      </div>
      <Histogram
        counts={counts}
        label={scope === 'network' ? 'Ratings of people you follow' : 'Ratings of everyone'}
        className="mt-4"
      />
      {children}
    </>
  )
}

/** The avatars of the network's raters. */
function Raters({ title, total }: { title: Title; total: number }) {
  const { data } = useRaters(title)
  return (
    <div className="mt-4 min-h-8">
      {data ? (
        <AvatarStack
          people={data.raters.map(({ username, avatarUrl }) => ({ name: username, src: avatarUrl }))}
          total={total}
        />
      ) : null}
    </div>
  )
}

function PulseSkeleton() {
  return (
    <div role="status" aria-label={messages.loading} className="animate-appear">
      <div className="flex items-center gap-4">
        <Skeleton className="h-11 w-16" />
        <Skeleton className="h-4 w-24 rounded-full" />
      </div>
      <Skeleton className="mt-4 h-32" />
    </div>
  )
}
