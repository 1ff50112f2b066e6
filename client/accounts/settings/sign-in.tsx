import { useRef, useState } from 'react'
import { changed } from '#client/app/facts.ts'
import { LoadError } from '#client/app/load-error.tsx'
import { type RouterOutputs, trpc } from '#client/app/trpc.ts'
import { Button } from '#client/ui/button.tsx'
import { lazyComponent } from '#client/ui/lazy.ts'
import { useQuestion } from '#client/ui/question.tsx'
import { Section } from '#client/ui/section.tsx'
import { Skeletons } from '#client/ui/skeleton.tsx'
import { showDone } from '#client/ui/toasts.ts'
import { useConfirmation } from './confirmation.tsx'
import { LinkedProviders } from './linked-providers.tsx'
import { Passkeys } from './passkeys.tsx'
import { plural, t } from '#shared/domain/message.ts'

const { Component: TotpDialog, load: loadTotpDialog } = lazyComponent(
  async () => (await import('./totp-dialog.tsx')).TotpDialog,
)

/** Passkeys, linked providers and two-factor authentication. */
export function SignIn() {
  const signIn = trpc.accounts.signIn.useQuery()
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <Section title="Sign-in" headingRef={heading} className="card">
      {signIn.isPending ? (
        <Skeletons count={1} each="h-16 rounded-card" />
      ) : signIn.data === undefined ? (
        <LoadError title="Your ways to sign in did not load" error={signIn.error} onRetry={signIn.refetch} />
      ) : (
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-5">
          <Passkeys
            passkeys={signIn.data.passkeys}
            at={signIn.data.passkeysAt}
            onDone={() => heading.current?.focus()}
          />
          <LinkedProviders linked={signIn.data.providers} onDone={() => heading.current?.focus()} />
          <Codes totp={signIn.data.totp} onDone={() => heading.current?.focus()} />
        </ul>
      )}
    </Section>
  )
}

type Shown = RouterOutputs['accounts']['startTotp'] | { recoveryCodes: string[] }

/** Codes of an authenticator app, as a second step of a login. */
function Codes({
  totp: { isOn, recoveryCodesLeft },
  onDone,
}: {
  totp: RouterOutputs['accounts']['signIn']['totp']
  onDone: () => void
}) {
  const [confirmed, confirmation] = useConfirmation()
  const [ask, question] = useQuestion()
  const [shown, setShown] = useState<Shown>()
  const [isOpen, setOpen] = useState(false)
  const start = trpc.accounts.startTotp.useMutation()
  const renew = trpc.accounts.renewRecoveryCodes.useMutation()
  const remove = trpc.accounts.removeTotp.useMutation()
  function show(next: Shown) {
    loadTotpDialog()
    setShown(next)
    setOpen(true)
  }
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 grow basis-64">
        <h3 className="text-label">A second step at the login</h3>
        <p className="text-meta text-muted">
          {isOn
            ? plural(recoveryCodesLeft, {
                one: 'On: after the password, a login asks for a code from the app on your phone. You have # recovery code left, for the day when you do not have the phone.',
                other:
                  'On: after the password, a login asks for a code from the app on your phone. You have # recovery codes left, for the day when you do not have the phone.',
              })
            : t`After the password, a login asks for a code from an app on your phone. Somebody who knows your password cannot log in without it.`}
        </p>
      </div>
      {isOn ? (
        <div className="flex flex-wrap gap-2">
          <Button
            busy={renew.isPending}
            aria-haspopup="dialog"
            onClick={() =>
              ask({
                title: t`Make new recovery codes?`,
                description: t`The ones that you have saved stop working.`,
                label: t`Make new codes`,
                onConfirm: () =>
                  void confirmed(t`Your recovery codes stay as they are.`, async () => {
                    show(await renew.mutateAsync())
                    await changed('signIn')
                  }),
              })
            }
          >
            New recovery codes
          </Button>
          <Button
            busy={remove.isPending}
            aria-haspopup="dialog"
            onClick={() =>
              ask({
                title: t`Turn off the second step?`,
                description: t`Your password alone is then enough to log in. The recovery codes stop working.`,
                label: t`Turn off`,
                onConfirm: () =>
                  void confirmed(t`The second step is still on.`, async () => {
                    showDone((await remove.mutateAsync()).message)
                    await changed('signIn')
                    onDone()
                  }),
              })
            }
          >
            Turn off
          </Button>
        </div>
      ) : (
        <Button
          busy={start.isPending}
          aria-haspopup="dialog"
          onClick={() =>
            void confirmed(t`The second step is still off.`, async () => show(await start.mutateAsync()))
          }
        >
          Turn on
        </Button>
      )}
      {confirmation}
      {question}
      {shown === undefined ? null : (
        <TotpDialog
          open={isOpen}
          onOpenChange={(open) => {
            setOpen(open)
            if (!open) onDone()
          }}
          shown={shown}
          onTurnedOn={(recoveryCodes) => {
            setShown({ recoveryCodes })
            void changed('signIn')
          }}
        />
      )}
    </li>
  )
}
