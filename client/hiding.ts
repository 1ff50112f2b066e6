import { retryOnce, showFailure, trpc } from '#client/trpc.ts'
import { showDone } from '#client/ui/toasts.ts'

/** Blocks and mutes members, says so, and offers to undo it. Loads everything again: a block changes what all queries return. */
export function useHiding() {
  const utils = trpc.useUtils()
  const options = {
    ...retryOnce,
    onSuccess: () => utils.invalidate(),
    onError: (error: unknown) => showFailure('That did not work', error),
  }
  const block = trpc.privacy.block.useMutation(options)
  const unblock = trpc.privacy.unblock.useMutation(options)
  const mute = trpc.privacy.mute.useMutation(options)
  const unmute = trpc.privacy.unmute.useMutation(options)
  const done = (title: string, onUndo?: () => void) => () => showDone(title, onUndo)
  return {
    block: ({ id, name }: { id: number; name: string }) =>
      block.mutate({ id }, { onSuccess: done(`You have blocked ${name}.`, () => unblock.mutate({ id })) }),
    unblock: ({ id, name }: { id: number; name: string }) =>
      unblock.mutate({ id }, { onSuccess: done(`You no longer block ${name}.`) }),
    mute: ({ id, name }: { id: number; name: string }) =>
      mute.mutate({ id }, { onSuccess: done(`You have muted ${name}.`, () => unmute.mutate({ id })) }),
    unmute: ({ id, name }: { id: number; name: string }) =>
      unmute.mutate({ id }, { onSuccess: done(`You no longer mute ${name}.`) }),
    isPending: block.isPending || unblock.isPending || mute.isPending || unmute.isPending,
  }
}
