import { Download, Link2, Share2 } from 'lucide-react'
import { useState } from 'react'
import { copyLink } from './copy-link.ts'
import { ButtonLink, Button } from '#client/ui/button.tsx'
import { Dialog, type DialogControl } from '#client/ui/dialog.tsx'
import { Segmented } from '#client/ui/segmented.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { type Shared, sharePath, type ShareShape, shareShapes } from '#shared/domain/share.ts'
import { language, t } from '#shared/domain/message.ts'

export type ShareProps = {
  shared: Shared
  what: string
  path: string
  /** Without it, the picture is validated each time. */
  version?: string | undefined
  missing: string
}

const shapeLabels: Record<ShareShape, string> = { square: t`Square`, tall: t`Story`, wide: t`Wide` }
const shapes = Object.entries(shapeLabels).map(([value, label]) => ({ value: value as ShareShape, label }))

function textsOf(shared: Shared, name: string): { heading: string; picture: string } {
  switch (shared.subject) {
    case 'reviews':
      return { heading: t`Share your review`, picture: t`Picture of your review` }
    case 'users':
      return { heading: t`Share your favorites`, picture: t`Picture of your favorites` }
    case 'years':
      return { heading: t`Share your ${shared.year}`, picture: t`Picture of your ${shared.year}` }
    case 'lists':
      return { heading: t`Share ${name}`, picture: t`Picture of ${name}` }
  }
}

export function ShareDialog({
  shared,
  what,
  path,
  version,
  missing,
  ...control
}: ShareProps & DialogControl) {
  const [shape, setShape] = useState<ShareShape>('square')
  const [loaded, setLoaded] = useState<Partial<Record<ShareShape, boolean>>>({})
  const [isSharing, setSharing] = useState(false)
  const { width, height } = shareShapes[shape]
  const src = `${sharePath(shared, shape, version)}&lang=${language}`
  const state = loaded[shape]
  const { heading, picture } = textsOf(shared, what)
  const url = () => new URL(path, location.href).href
  const fileName = `${what.replaceAll(/[^\p{L}\p{N}]+/gu, '-').toLowerCase()}-${shape}.jpg`
  const canShare = 'share' in navigator

  /** Shares the picture too if the device takes files. */
  async function share() {
    setSharing(true)
    try {
      const data: ShareData = { title: what, url: url() }
      const response = state === true ? await fetch(src) : undefined
      if (response?.ok) {
        const files = [new File([await response.blob()], fileName, { type: 'image/jpeg' })]
        if (navigator.canShare?.({ files })) data.files = files
      }
      await navigator.share(data)
    } catch (error) {
      // The member has closed the sheet.
      if ((error as Error).name !== 'AbortError') await copyLink(url())
    } finally {
      setSharing(false)
    }
  }

  return (
    <Dialog {...control} title={heading}>
      <Segmented label="Shape of the picture" value={shape} onChange={setShape} options={shapes} />
      <div className="relative mt-4 grid h-[min(24rem,45vh)] place-items-center overflow-hidden rounded-card bg-raised">
        {state === undefined ? (
          <div role="status" aria-label="Drawing the picture…" className="absolute inset-0">
            <Skeleton className="size-full" />
          </div>
        ) : null}
        {state === false ? (
          <p role="status" className="p-6 text-center text-muted text-pretty">
            {missing}
          </p>
        ) : (
          <img
            key={src}
            src={src}
            width={width}
            height={height}
            alt={state ? picture : ''}
            className="absolute inset-0 size-full object-contain"
            onLoad={() => setLoaded((before) => ({ ...before, [shape]: true }))}
            onError={() => setLoaded((before) => ({ ...before, [shape]: false }))}
          />
        )}
      </div>
      <div className="mt-4 flex flex-wrap gap-2">
        {canShare ? (
          <Button
            variant="primary"
            icon={<Share2 aria-hidden />}
            busy={isSharing}
            onClick={() => void share()}
          >
            Share
          </Button>
        ) : null}
        {state === true ? (
          <ButtonLink icon={<Download aria-hidden />} href={src} download={fileName}>
            Download
          </ButtonLink>
        ) : null}
        <Button icon={<Link2 aria-hidden />} onClick={() => void copyLink(url())}>
          Copy link
        </Button>
      </div>
    </Dialog>
  )
}
