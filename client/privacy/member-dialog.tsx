import { Ban, VolumeX } from 'lucide-react'
import type { ReactNode } from 'react'
import { trpc } from '#client/trpc.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { useHiding } from './hooks.ts'

/** The choices to mute and to block a member, with what each of them does. */
export function MemberDialog({
  userId,
  name,
  onClose,
}: {
  userId: number
  name: string
  onClose: () => void
}) {
  const status = trpc.social.followStatus.useQuery({ id: userId }).data
  const hiding = useHiding()
  const member = { id: userId, name }
  const choose = (act: (one: typeof member) => void) => () => {
    act(member)
    onClose()
  }
  return (
    <Dialog open onOpenChange={onClose} title={name}>
      <div className="grid gap-6">
        {status?.isMuted ? (
          <Choice
            action={
              <Button icon={<VolumeX aria-hidden />} onClick={choose(hiding.unmute)}>
                Unmute
              </Button>
            }
          >
            You have muted {name}.
          </Choice>
        ) : (
          <Choice
            action={
              <Button icon={<VolumeX aria-hidden />} onClick={choose(hiding.mute)}>
                Mute
              </Button>
            }
          >
            You no longer see what {name} writes in your feed, in lists of reviews and in notifications.{' '}
            {name} does not notice, and the profile stays open to you.
          </Choice>
        )}
        {status?.isBlocked ? (
          <Choice
            action={
              <Button icon={<Ban aria-hidden />} onClick={choose(hiding.unblock)}>
                Unblock
              </Button>
            }
          >
            You have blocked {name}. After you unblock {name}, you can follow each other again.
          </Choice>
        ) : (
          <Choice
            action={
              <Button variant="danger" icon={<Ban aria-hidden />} onClick={choose(hiding.block)}>
                Block
              </Button>
            }
          >
            Neither of you sees what the other writes, and you no longer follow each other. Your profile looks
            private to {name}. You find everybody you have blocked in Settings.
          </Choice>
        )}
      </div>
    </Dialog>
  )
}

function Choice({ action, children }: { action: ReactNode; children: ReactNode }) {
  return (
    <div className="grid justify-items-start gap-2">
      <p className="text-muted">{children}</p>
      {action}
    </div>
  )
}
