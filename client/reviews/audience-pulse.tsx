import { clsx } from 'clsx'
import { useEffect } from 'react'
import { useSession } from '#client/app/session.ts'
import { errorText } from '#client/app/trpc.ts'
import { Button } from '#client/ui/button.tsx'
import { useFormats } from '#client/ui/formats.ts'
import { Histogram } from '#client/ui/histogram.tsx'
import { lazyComponent } from '#client/ui/lazy.ts'
import { Section } from '#client/ui/section.tsx'
import { Segmented } from '#client/ui/segmented.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { Stars } from '#client/ui/stars.tsx'
import { messages } from '#shared/texts/messages.ts'
import { formatAverage, type Ratings } from './histogram.ts'
import { useRatings } from './hooks.ts'
import { audiences } from './audiences.ts'
import type { Audience } from './listing.ts'
import type { ReviewedTitle } from './title.ts'
import { plural, t } from '#shared/domain/message.ts'

const { Component: NetworkHistogram, load: loadHistogram } = lazyComponent(
  async () => (await import('./network-histogram.tsx')).NetworkHistogram,
)
const { Component: Difference, load: loadDifference } = lazyComponent(
  async () => (await import('./network-histogram.tsx')).Difference,
)

export function AudiencePulse({
  title,
  audience,
  onAudience,
  className,
}: {
  title: ReviewedTitle
  audience: Audience
  onAudience: (audience: Audience) => void
  className?: string
}) {
  const isMember = useSession() !== null
  const { overall, network } = useRatings(title)
  const shown = audience === 'network' ? network : overall
  const ratings =
    audience === 'network' ? network.data && { ...network.data, avg: network.data.networkAvg } : overall.data
  return (
    <Section title="Audience Pulse" className={clsx('card', className)}>
      {isMember ? (
        <Segmented
          label="Whose ratings"
          value={audience}
          onChange={onAudience}
          options={audiences}
          className="mb-4"
        />
      ) : null}
      {ratings ? (
        <Pulse ratings={ratings} audience={audience} title={title} />
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

function Pulse({ ratings, audience, title }: { ratings: Ratings; audience: Audience; title: ReviewedTitle }) {
  const { avg, total } = ratings
  const { decimal } = useFormats()
  const isMember = useSession() !== null
  useEffect(() => {
    if (isMember) {
      loadHistogram()
      loadDifference()
    }
  }, [isMember])
  return (
    <>
      <div role="status" className="flex flex-wrap items-center gap-x-4">
        <span className="font-display text-figure tabular-nums">{formatAverage(avg, decimal)}</span>
        <div>
          {avg === null ? null : <Stars value={avg} exact className="text-body" />}
          <p className="text-meta text-muted tabular-nums">
            {total > 0
              ? plural(total, { one: '# rating', other: '# ratings' })
              : audience === 'network'
                ? t`Nobody you follow has rated this yet.`
                : t`Nobody has rated this yet.`}
          </p>
        </div>
      </div>
      {audience === 'network' && total > 0 ? (
        <div className="min-h-40">
          <NetworkHistogram title={title} ratings={ratings} />
        </div>
      ) : (
        <Histogram
          ratings={ratings}
          label={audience === 'network' ? t`Ratings of people you follow` : t`Ratings of everyone`}
          className="mt-4"
        />
      )}
      {isMember ? <Difference title={title} average={avg} /> : null}
    </>
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
