import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { kindRouter } from '#client/app/kinds.ts'
import { rowSizes, TitleCard } from '#client/titles/title-card.tsx'
import { TitleOverlay } from '#client/titles/title-overlay.tsx'
import { trpc } from '#client/app/trpc.ts'
import { whenNear } from '#client/ui/near.ts'
import { PosterGrid } from '#client/ui/poster-grid.tsx'
import { Section } from '#client/ui/section.tsx'
import { type Kind, kinds } from '#shared/domain/kinds.ts'

const shown = 6
/** Fewer look like an error. */
const shownMin = 4

/** Renders nothing with fewer than four titles. */
export function SimilarTitles({ kind, id, className }: { kind: Kind; id: number; className?: string }) {
  const [isNear, setIsNear] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => whenNear(place.current!, () => setIsNear(true)), [])
  const { similar } = kindRouter(trpc.useUtils(), kinds[kind])
  const { data } = useQuery({ ...similar.queryOptions({ id, limit: shown }), enabled: isNear })
  return (
    <div ref={place} className={className}>
      {data === undefined || data.similar.length < shownMin ? null : (
        <Section title={kinds[kind].words.similar}>
          <PosterGrid row label="Similar titles">
            {data.similar.map((title) => (
              <TitleCard
                key={title.id}
                title={title}
                sizes={rowSizes}
                kindLabel={kinds[title.kind].words.one}
                meta={title.releaseYear ?? undefined}
                overlay={<TitleOverlay {...title} />}
              />
            ))}
          </PosterGrid>
        </Section>
      )}
    </div>
  )
}
