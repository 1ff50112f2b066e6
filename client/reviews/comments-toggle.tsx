import { MessageCircle } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '#client/ui/button.tsx'
import { useFormats } from '#client/ui/formats.ts'
import { lazyComponent } from '#client/ui/lazy.ts'
import type { ReviewedTitle } from './title.ts'

const { Component: CommentsPanel, opens } = lazyComponent(
  async () => (await import('./comments.tsx')).CommentsPanel,
)

export function CommentsToggle({
  count,
  isOpen,
  panelId,
  onClick,
}: {
  count: number
  isOpen: boolean
  panelId: string
  onClick: () => void
}) {
  const { count: format } = useFormats()
  return (
    <Button
      variant="ghost"
      icon={<MessageCircle aria-hidden />}
      aria-expanded={isOpen}
      aria-controls={panelId}
      {...opens(onClick)}
      className="gap-1! px-1.5! text-meta! tabular-nums sm:gap-2! sm:px-3.5! aria-expanded:text-ink"
    >
      Comments ({format(count)})
    </Button>
  )
}

/** Always rendered, since the toggle's aria-controls refers to it. */
export function Comments({
  id,
  title,
  reviewId,
  isOpen,
}: {
  id: string
  title: ReviewedTitle
  reviewId: number
  isOpen: boolean
}) {
  const panel = useRef<HTMLDivElement>(null)
  return (
    <div
      id={id}
      ref={panel}
      tabIndex={-1}
      hidden={!isOpen}
      className="mt-2 rounded-card bg-raised/60 p-4 sm:p-5"
    >
      {isOpen ? (
        <CommentsPanel title={title} reviewId={reviewId} onRemoved={() => panel.current?.focus()} />
      ) : null}
    </div>
  )
}
