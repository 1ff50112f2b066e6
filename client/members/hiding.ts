import { changed } from '#client/app/facts.ts'
import { retryOnce, showFailure, trpc } from '#client/app/trpc.ts'
import { showDone } from '#client/ui/toasts.ts'
import { t } from '#shared/domain/message.ts'

type Named = { id: number; name: string }

/** Undo is offered for what hides a member. Reloads everything: a block changes what all queries return. */
export function useHiding() {
  const options = {
    ...retryOnce,
    onSuccess: () => changed('hiding'),
    onError: (error: unknown) => showFailure(t`That did not work`, error),
  }
  const follow = trpc.social.follow.useMutation(options)
  const unfollow = trpc.social.unfollow.useMutation(options)
  const block = trpc.privacy.block.useMutation(options)
  const unblock = trpc.privacy.unblock.useMutation(options)
  const mute = trpc.privacy.mute.useMutation(options)
  const unmute = trpc.privacy.unmute.useMutation(options)
  /** A promise: React Query calls no callbacks of a call after its component, such as a dialog, is gone. */
  async function say<Output>(
    call: Promise<Output>,
    title: (output: Output) => string,
    onUndo?: () => void,
  ): Promise<void> {
    try {
      showDone(title(await call), onUndo)
    } catch {
      // `onError` has said what failed.
    }
  }
  return {
    follow: ({ id, name }: Named) =>
      say(follow.mutateAsync({ userIdToFollow: id }), ({ isFollowing }) =>
        isFollowing ? t`You follow ${name}.` : t`You have asked to follow ${name}.`,
      ),
    unfollow: ({ id, name }: Named) =>
      say(unfollow.mutateAsync({ userIdToUnfollow: id }), () => t`You do not follow ${name}.`),
    block: ({ id, name }: Named) =>
      say(
        block.mutateAsync({ id }),
        () => t`You have blocked ${name}.`,
        () => unblock.mutate({ id }),
      ),
    unblock: ({ id, name }: Named) => say(unblock.mutateAsync({ id }), () => t`You no longer block ${name}.`),
    mute: ({ id, name }: Named) =>
      say(
        mute.mutateAsync({ id }),
        () => t`You have muted ${name}.`,
        () => unmute.mutate({ id }),
      ),
    unmute: ({ id, name }: Named) => say(unmute.mutateAsync({ id }), () => t`You no longer mute ${name}.`),
    isPending: block.isPending || unblock.isPending || mute.isPending || unmute.isPending,
  }
}
