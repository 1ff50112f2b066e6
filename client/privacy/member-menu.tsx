import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '#client/session.ts'
import { IconButton } from '#client/ui/button.tsx'
import { lazyComponent } from '#client/ui/lazy.ts'

const { Component: MemberDialog, load } = lazyComponent(
  async () => (await import('./member-dialog.tsx')).MemberDialog,
)

/** A button that opens the choices to mute and to block a member. Visitors and the member do not see it. */
export function MemberMenu({ userId, name }: { userId: number; name: string }) {
  const user = useSession()?.user
  const [isOpen, setOpen] = useState(false)
  if (!user || user.id === userId) return null
  return (
    <>
      <IconButton
        label={`Mute or block ${name}`}
        title="Mute or block"
        onPointerEnter={load}
        onFocus={load}
        onClick={() => {
          load()
          setOpen(true)
        }}
      >
        <Ellipsis aria-hidden />
      </IconButton>
      {isOpen ? <MemberDialog userId={userId} name={name} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
