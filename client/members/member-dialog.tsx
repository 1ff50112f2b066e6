import { Ban, Flag, UserMinus, UserPlus, VolumeX } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { trpc } from '#client/app/trpc.ts'
import { Button } from '#client/ui/button.tsx'
import { ConfirmDialog, Dialog } from '#client/ui/dialog.tsx'
import { useHiding } from './hiding.ts'
import { ReportDialog } from './report-dialog.tsx'

export type MenuOfMember = {
  userId: number
  name: string
  /** A review of the member, which can be reported too. There is no button to follow the member beside it, so the dialog has one. */
  reviewId?: number
}

/** The choices to follow, mute, block and report a member, with what each of them does. */
export function MemberDialog({ userId, name, reviewId, onClose }: MenuOfMember & { onClose: () => void }) {
  const status = trpc.social.followStatus.useQuery({ id: userId }).data
  const [step, setStep] = useState<'review' | 'user' | 'block'>()
  const hiding = useHiding()
  const member = { id: userId, name }
  const choose = (act: (one: typeof member) => void) => () => {
    act(member)
    onClose()
  }
  if (step === 'review' && reviewId !== undefined)
    return <ReportDialog type="review" id={reviewId} what={`review by ${name}`} onClose={onClose} />
  if (step === 'user') return <ReportDialog type="user" id={userId} what={name} onClose={onClose} />
  if (step === 'block')
    return (
      <ConfirmDialog
        open
        onOpenChange={onClose}
        title={`Block ${name}?`}
        description="Neither of you sees what the other writes. You no longer follow each other, nor work on each other’s lists. Unblocking does not restore that."
        confirmLabel="Block"
        onConfirm={choose(hiding.block)}
      />
    )
  return (
    <Dialog open onOpenChange={onClose} title={name}>
      <div className="grid gap-6">
        {reviewId === undefined || !status || status.isBlocked ? null : status.isFollowing ||
          status.isRequested ? (
          <Choice
            action={
              <Button icon={<UserMinus aria-hidden />} onClick={choose(hiding.unfollow)}>
                {status.isFollowing ? 'Unfollow' : 'Withdraw the request'}
              </Button>
            }
          >
            {status.isFollowing ? `You follow ${name}.` : `You have asked to follow ${name}.`}
          </Choice>
        ) : (
          <Choice
            action={
              <Button icon={<UserPlus aria-hidden />} onClick={choose(hiding.follow)}>
                Follow
              </Button>
            }
          >
            You see in your feed what {name} reviews and rates high.
          </Choice>
        )}
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
              <Button variant="danger" icon={<Ban aria-hidden />} onClick={() => setStep('block')}>
                Block
              </Button>
            }
          >
            Neither of you sees what the other writes, and you no longer follow each other. Your profile looks
            private to {name}. You find everybody you have blocked in Settings.
          </Choice>
        )}
        <Choice
          action={
            <span className="flex flex-wrap gap-2">
              {reviewId === undefined ? null : (
                <Button icon={<Flag aria-hidden />} onClick={() => setStep('review')}>
                  Report the review
                </Button>
              )}
              <Button icon={<Flag aria-hidden />} onClick={() => setStep('user')}>
                Report the member
              </Button>
            </span>
          }
        >
          Tell the moderators what breaks the rules.
        </Choice>
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
