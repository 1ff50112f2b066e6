import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '#client/app/session.ts'
import { IconButton } from '#client/ui/button.tsx'
import { lazyComponent } from '#client/ui/lazy.ts'
import type { MenuOfMember } from './member-dialog.tsx'
import { t } from '#shared/domain/message.ts'

export type MemberMenuProps = MenuOfMember & { className?: string }

const { Component: MemberDialog, opens } = lazyComponent(
  async () => (await import('./member-dialog.tsx')).MemberDialog,
)

export function MemberMenuButton({ className, ...member }: MemberMenuProps) {
  const { userId, name } = member
  const choices = member.reviewId === undefined ? t`Mute, block or report` : t`Follow, mute, block or report`
  const user = useSession()?.user
  const [isOpen, setOpen] = useState(false)
  if (!user || user.id === userId) return null
  return (
    <>
      <IconButton
        label={`${choices} ${name}`}
        title={choices}
        aria-haspopup="dialog"
        className={className}
        {...opens(() => setOpen(true))}
      >
        <Ellipsis aria-hidden />
      </IconButton>
      {isOpen ? <MemberDialog {...member} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
