import { UserX } from 'lucide-react'
import { useState } from 'react'
import { changed } from '#client/app/facts.ts'
import { retryOnce, showFailure, trpc } from '#client/app/trpc.ts'
import { type ButtonSize, IconButton } from '#client/ui/button.tsx'
import { lazyComponent } from '#client/ui/lazy.ts'
import { showDone } from '#client/ui/toasts.ts'
import { t } from '#shared/domain/message.ts'

const { Component: ConfirmDialog, opens } = lazyComponent(
  async () => (await import('#client/ui/dialog.tsx')).ConfirmDialog,
)

export function RemoveFollower({ userId, name, size }: { userId: number; name: string; size?: ButtonSize }) {
  const [isOpen, setOpen] = useState(false)
  const remove = trpc.privacy.removeFollower.useMutation({
    ...retryOnce,
    onSuccess() {
      showDone(t`${name} no longer follows you.`)
      void changed('follower')
    },
    onError: (error) => showFailure(t`That did not work`, error),
  })
  return (
    <>
      <IconButton
        label={t`Remove ${name} from your followers`}
        title="Remove from your followers"
        size={size}
        busy={remove.isPending}
        aria-haspopup="dialog"
        {...opens(() => setOpen(true))}
      >
        <UserX aria-hidden />
      </IconButton>
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setOpen}
        title={t`Remove ${name} from your followers?`}
        description={t`${name} is not told, and can follow you again, or ask to if your account is private.`}
        confirmLabel="Remove"
        onConfirm={() => {
          setOpen(false)
          remove.mutate({ userId })
        }}
      />
    </>
  )
}
