import { Link } from '@tanstack/react-router'
import { Dices } from 'lucide-react'
import { useState } from 'react'
import { titlePath } from '#client/kinds.ts'
import { TitleMarks } from '#client/title-marks.tsx'
import { Button } from '#client/ui/button.tsx'
import { lazyComponent } from '#client/ui/lazy.ts'
import { PosterCard } from '#client/ui/poster-card.tsx'
import { PosterGrid } from '#client/ui/poster-grid.tsx'
import { imageSrcSet } from '#shared/images.ts'
import { idsMax } from '#shared/limits.ts'
import { kinds } from '#shared/media.ts'
import { lengthText } from './entries.ts'
import { type ShownEntry, useNetworkRatings } from './hooks.ts'
import type { DiaryParams } from './params.ts'
import { RatedBy } from './rated-by.tsx'

const { Component: PickDialog, load } = lazyComponent(
  async () => (await import('./pick-dialog.tsx')).PickDialog,
)

export function WantList({ entries, isOwn }: { entries: readonly ShownEntry[]; isOwn: boolean }) {
  const ratings = useNetworkRatings(entries.slice(0, idsMax).map(({ title }) => title.id))
  return (
    <PosterGrid label="Want list">
      {entries.map((entry, index) => {
        const { id, title } = entry
        return (
          <PosterCard
            key={id}
            kind={title.kind}
            title={title.name}
            kindLabel={kinds[title.kind].words.one}
            meta={[title.releaseYear, lengthText(entry)].filter(Boolean).join(' · ') || undefined}
            image={{
              src: title.imageUrl,
              srcSet: imageSrcSet(title.imageUrl),
              sizes: '(min-width: 640px) 11rem, 41vw',
            }}
            eager={index < 7}
            marks={<TitleMarks {...title} isTheirs={!isOwn} />}
            render={<Link to={titlePath(kinds[title.kind], title.id)} />}
          >
            <RatedBy rating={ratings.data?.get(title.id)} />
          </PosterCard>
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
        onPointerEnter={load}
        onFocus={load}
        onClick={() => {
          load()
          setOpen(true)
        }}
      >
        Pick one for me
      </Button>
      <PickDialog params={params} open={isOpen} onOpenChange={setOpen} />
    </>
  )
}
