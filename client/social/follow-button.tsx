import { Clock, UserMinus, UserPlus } from 'lucide-react'
import { useSession } from '#client/app/session.ts'
import { errorText } from '#client/app/trpc.ts'
import { Button, type ButtonSize } from '#client/ui/button.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { toasts } from '#client/ui/toasts.ts'
import { messages } from '#shared/texts/messages.ts'
import { useFollow, useFollowStatus } from './hooks.ts'
import { useAsMember } from '#client/app/log-in.tsx'
import { t } from '#shared/domain/message.ts'

export function FollowButton({
  userId,
  name,
  known,
  size,
}: {
  userId: number
  name: string
  known?: { isFollowing: boolean; at: number } | undefined
  size?: ButtonSize | undefined
}) {
  const isMember = useSession() !== null
  const status = useFollowStatus(userId, known)
  const { follow, unfollow, isPending } = useFollow(userId)
  const asMember = useAsMember()
  if (isMember && status.isPending) return <Skeleton className="h-11 w-30 rounded-full" />
  if (status.data?.isBlocked) return null
  const { isFollowing = false, isRequested = false } = status.data ?? {}
  const fail = (fallback: string) => (error: unknown) =>
    toasts.add({ tone: 'error', title: errorText(error, fallback) })

  function press() {
    if (isFollowing || isRequested)
      unfollow.mutate({ userIdToUnfollow: userId }, { onError: fail(messages.unfollowFailed) })
    else follow.mutate({ userIdToFollow: userId }, { onError: fail(messages.followFailed) })
  }

  return (
    <>
      <Button
        variant={isFollowing || isRequested ? 'soft' : 'primary'}
        size={size}
        busy={isPending}
        icon={
          isFollowing ? (
            <UserMinus aria-hidden />
          ) : isRequested ? (
            <Clock aria-hidden />
          ) : (
            <UserPlus aria-hidden />
          )
        }
        title={isRequested ? t`Withdraw your request` : undefined}
        onClick={() => asMember(press, isFollowing ? messages.logInToUnfollow : messages.logInToFollow)}
      >
        {isFollowing ? t`Unfollow` : isRequested ? t`Requested` : t`Follow`}
        <span className="sr-only"> {name}</span>
      </Button>
      <p role="status" className="sr-only">
        {follow.isSuccess && isFollowing ? t`You follow ${name}.` : ''}
        {follow.isSuccess && isRequested ? t`You have asked to follow ${name}.` : ''}
        {unfollow.isSuccess && !isFollowing && !isRequested ? t`You no longer follow ${name}.` : ''}
      </p>
    </>
  )
}
