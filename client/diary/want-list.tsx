import { Dices } from 'lucide-react'
import { useState } from 'react'
import { gridSizes, TitleCard } from '#client/titles/title-card.tsx'
import { TitleOverlay } from '#client/titles/title-overlay.tsx'
import { Button } from '#client/ui/button.tsx'
import { lazyComponent } from '#client/ui/lazy.ts'
import { PosterGrid } from '#client/ui/poster-grid.tsx'
import { idsMax } from '#shared/domain/limits.ts'
import { kinds } from '#shared/domain/kinds.ts'
import { lengthText } from './entries.ts'
import { type ShownEntry, useNetworkRatings } from './hooks.ts'
import type { DiaryParams } from './params.ts'
import { RatedBy } from './rated-by.tsx'

const { Component: PickDialog, opens } = lazyComponent(
  async () => (await import('./pick-dialog.tsx')).PickDialog,
)

export function WantList({ entries, isOwn }: { entries: readonly ShownEntry[]; isOwn: boolean }) {
  const ratings = useNetworkRatings(entries.slice(0, idsMax).map(({ title }) => title.id))
  return (
    <PosterGrid label="Want list">
      {entries.map((entry, index) => {
        const { id, title } = entry
        return (
          <TitleCard
            key={id}
            title={title}
            sizes={gridSizes}
            kindLabel={kinds[title.kind].words.one}
            meta={[title.releaseYear, lengthText(entry)].filter(Boolean).join(' · ') || undefined}
            eager={index < 7}
            overlay={<TitleOverlay {...title} isTheirs={!isOwn} />}
          >
            <RatedBy rating={ratings.data?.get(title.id)} />
          </TitleCard>
        )
      })}
    </PosterGrid>
  )
}

export function PickButton({ params }: { params: DiaryParams }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="primary"
        icon={<Dices aria-hidden />}
        aria-haspopup="dialog"
        {...opens(() => setOpen(true))}
      >
        Pick one for me
      </Button>
      <PickDialog params={params} open={isOpen} onOpenChange={setOpen} />
    </>
  )
}
