import { Ban, Flag, UserMinus, UserPlus, Volume2, VolumeX } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { trpc } from '#client/app/trpc.ts'
import { ConfirmDialog, Dialog } from '#client/ui/dialog.tsx'
import { useHiding } from './hiding.ts'
import { ReportDialog } from './report-dialog.tsx'
import { t } from '#shared/domain/message.ts'

export type MenuOfMember = {
  userId: number
  name: string
  /** There is no button to follow the author beside a review, so its dialog has one. */
  reviewId?: number
}

export function MemberDialog({ userId, name, reviewId, onClose }: MenuOfMember & { onClose: () => void }) {
  const status = trpc.social.followStatus.useQuery({ id: userId }).data
  const [step, setStep] = useState<'review' | 'user' | 'block' | 'mute'>()
  const hiding = useHiding()
  const member = { id: userId, name }
  const choose = (work: (one: typeof member) => void) => () => {
    work(member)
    onClose()
  }
  if (step === 'review' && reviewId !== undefined)
    return (
      <ReportDialog type="review" id={reviewId} heading={t`Report review by ${name}`} onClose={onClose} />
    )
  if (step === 'user')
    return <ReportDialog type="user" id={userId} heading={t`Report ${name}`} onClose={onClose} />
  if (step === 'block')
    return (
      <ConfirmDialog
        open
        onOpenChange={onClose}
        title={t`Block ${name}?`}
        description="Neither of you sees what the other writes. You no longer follow each other, nor work on each other’s lists. Your profile looks private to them. Unblocking does not restore that."
        confirmLabel="Block"
        onConfirm={choose(hiding.block)}
      />
    )
  if (step === 'mute')
    return (
      <ConfirmDialog
        open
        onOpenChange={onClose}
        title={t`Mute ${name}?`}
        description={t`Hide what ${name} writes from you, in your feed, in lists of reviews and in notifications. ${name} does not notice, and the profile stays open to you.`}
        confirmLabel="Mute"
        canUndo
        onConfirm={choose(hiding.mute)}
      />
    )
  const isFollowed = status?.isFollowing || status?.isRequested
  return (
    <Dialog open onOpenChange={onClose} title={name}>
      <div className="-mx-3 grid">
        {reviewId === undefined || !status || status.isBlocked ? null : isFollowed ? (
          <Choice icon={<UserMinus aria-hidden />} onClick={choose(hiding.unfollow)}>
            {status.isFollowing ? t`Unfollow` : t`Withdraw the request`}
          </Choice>
        ) : (
          <Choice icon={<UserPlus aria-hidden />} onClick={choose(hiding.follow)}>
            Follow
          </Choice>
        )}
        {status?.isMuted ? (
          <Choice icon={<Volume2 aria-hidden />} onClick={choose(hiding.unmute)}>
            Unmute
          </Choice>
        ) : (
          <Choice icon={<VolumeX aria-hidden />} onClick={() => setStep('mute')}>
            Mute
          </Choice>
        )}
        {status?.isBlocked ? (
          <Choice icon={<Ban aria-hidden />} onClick={choose(hiding.unblock)}>
            Unblock
          </Choice>
        ) : (
          <Choice icon={<Ban aria-hidden />} onClick={() => setStep('block')}>
            Block
          </Choice>
        )}
        {reviewId === undefined ? null : (
          <Choice icon={<Flag aria-hidden />} onClick={() => setStep('review')}>
            Report the review
          </Choice>
        )}
        <Choice icon={<Flag aria-hidden />} onClick={() => setStep('user')}>
          Report the member
        </Choice>
      </div>
    </Dialog>
  )
}

function Choice({ icon, onClick, children }: { icon: ReactNode; onClick: () => void; children: string }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="flex min-h-12 items-center gap-3 rounded-item px-3 text-start text-label hover:bg-raised [&_svg]:size-5 [&_svg]:text-muted"
    >
      {icon}
      {children}
    </button>
  )
}
