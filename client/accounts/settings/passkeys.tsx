import { Fingerprint } from 'lucide-react'
import { useState } from 'react'
import { changed } from '#client/app/facts.ts'
import { showFailure, trpc } from '#client/app/trpc.ts'
import { Button } from '#client/ui/button.tsx'
import { lazyComponent } from '#client/ui/lazy.ts'
import { useQuestion } from '#client/ui/question.tsx'
import { Time } from '#client/ui/time.tsx'
import { showDone } from '#client/ui/toasts.ts'
import { VisuallyHidden } from '#client/ui/visually-hidden.tsx'
import { messages } from '#shared/texts/messages.ts'
import {
  createPasskey,
  forgetPasskey,
  rememberPasskey,
  useArePasskeysElsewhere,
  useCanUsePasskeys,
  wasCanceled,
} from '../passkeys.ts'
import { useConfirmation } from './confirmation.tsx'
import type { Passkey } from './passkey-name-dialog.tsx'
import { describeAgent } from './rules.ts'
import { t } from '#shared/domain/message.ts'

const { Component: RenameDialog, opens } = lazyComponent(
  async () => (await import('./passkey-name-dialog.tsx')).RenameDialog,
)

/** Passkeys, in words for people who do not know the word. */
export function Passkeys({
  passkeys,
  at,
  onDone,
}: {
  passkeys: Passkey[]
  /** The origin with passkeys. */
  at: string
  onDone: () => void
}) {
  const { client } = trpc.useUtils()
  const isElsewhere = useArePasskeysElsewhere(at)
  const canAdd = useCanUsePasskeys() && !isElsewhere
  const [confirmed, confirmation] = useConfirmation()
  const [ask, question] = useQuestion()
  const [renamed, setRenamed] = useState<Passkey>()
  const [isBusy, setBusy] = useState(false)
  const remove = trpc.accounts.removePasskey.useMutation()

  const add = () =>
    confirmed(t`Nothing was added.`, async () => {
      const { options } = await client.accounts.newPasskeyOptions.mutate()
      setBusy(true)
      try {
        const response = await createPasskey(options)
        await client.accounts.addPasskey.mutate({ name: describeAgent(navigator.userAgent), response })
        rememberPasskey()
        showDone(t`Next time, sign in with your fingerprint, face or screen lock.`)
        await changed('signIn')
      } catch (error) {
        // The device has one for this account already.
        if ((error as Error).name === 'InvalidStateError')
          return showFailure(t`Nothing was added.`, { data: {}, message: messages.passkeyTaken })
        if (!wasCanceled(error)) throw error
      } finally {
        setBusy(false)
      }
    })

  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 grow basis-64">
          <h3 className="text-label">Fingerprint, face or screen lock</h3>
          <p className="text-meta text-muted">
            Sign in the way you unlock this device, without your password. Your device keeps a key for this
            site, a passkey; your fingerprint or face never leaves it.
          </p>
          {isElsewhere ? (
            <p className="mt-1 text-meta wrap-anywhere">
              Not at this address. Open{' '}
              <a href={`${at}/settings?tab=account#sign-in`} className="link">
                {at.replace(/^https?:\/\//, '')}
              </a>{' '}
              to add this device.
            </p>
          ) : null}
        </div>
        {canAdd ? (
          <Button icon={<Fingerprint aria-hidden />} busy={isBusy} onClick={() => void add()}>
            Add this device
          </Button>
        ) : null}
      </div>
      {passkeys.length === 0 ? null : (
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-3" aria-label="Passkeys">
          {passkeys.map((passkey) => (
            <li
              key={passkey.id}
              className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-card border border-line bg-surface p-4"
            >
              <div className="min-w-0 grow basis-40">
                <p dir="auto" className="truncate text-label">
                  <bdi>{passkey.name}</bdi>
                </p>
                <p className="text-meta text-muted">
                  {passkey.lastUsedAt === null ? (
                    <>
                      Added <Time value={passkey.createdAt} />
                    </>
                  ) : (
                    <>
                      Added <Time value={passkey.createdAt} />, last used{' '}
                      <Time value={passkey.lastUsedAt} relative />
                    </>
                  )}
                </p>
              </div>
              <div className="flex flex-wrap gap-2">
                <Button aria-haspopup="dialog" {...opens(() => setRenamed(passkey))}>
                  Rename
                  <VisuallyHidden>
                    {' '}
                    <bdi>{passkey.name}</bdi>
                  </VisuallyHidden>
                </Button>
                <Button
                  aria-haspopup="dialog"
                  onClick={() =>
                    ask({
                      title: t`Remove ${passkey.name}?`,
                      description: t`That device can then no longer sign in without your password.`,
                      label: t`Remove`,
                      onConfirm: () =>
                        void confirmed(t`The passkey is still there.`, async () => {
                          const { message, credentialId } = await remove.mutateAsync({ id: passkey.id })
                          showDone(message)
                          await changed('signIn')
                          onDone()
                          if (canAdd) await forgetPasskey(credentialId)
                        }),
                    })
                  }
                >
                  Remove
                  <VisuallyHidden>
                    {' '}
                    <bdi>{passkey.name}</bdi>
                  </VisuallyHidden>
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
      {confirmation}
      {question}
      <RenameDialog
        key={renamed?.id}
        passkey={renamed}
        onClose={() => setRenamed(undefined)}
        onRenamed={() => changed('signIn')}
      />
    </li>
  )
}
