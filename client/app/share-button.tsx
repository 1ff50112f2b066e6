import { Share2 } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '#client/ui/button.tsx'
import { lazyComponent } from '#client/ui/lazy.ts'
import type { ShareProps } from './share-dialog.tsx'

const { Component: ShareDialog, opens } = lazyComponent(
  async () => (await import('./share-dialog.tsx')).ShareDialog,
)

export function ShareButton({
  label,
  className,
  ...props
}: ShareProps & { label?: string; className?: string }) {
  const [isOpen, setOpen] = useState(false)
  const button = {
    'aria-haspopup': 'dialog',
    className,
    ...opens(() => setOpen(true)),
  } as const
  return (
    <>
      {label === undefined ? (
        <Button variant="ghost" icon={<Share2 aria-hidden />} {...button}>
          Share
        </Button>
      ) : (
        <IconButton label={label} {...button}>
          <Share2 aria-hidden />
        </IconButton>
      )}
      {isOpen ? <ShareDialog {...props} open onOpenChange={setOpen} /> : null}
    </>
  )
}
