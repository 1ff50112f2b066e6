import { useState } from 'react'
import { encode } from 'uqr'
import { type RouterOutputs, trpc } from '#client/app/trpc.ts'
import { Button, SubmitButton } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { Dialog, type DialogControl } from '#client/ui/dialog.tsx'
import { Form, type FormErrors, TextField } from '#client/ui/field.tsx'
import { messages } from '#shared/texts/messages.ts'
import { useCopying } from './copying.ts'
import { t } from '#shared/domain/message.ts'

type Begun = RouterOutputs['accounts']['startTotp']

/** Shows the secret for an authenticator app and asks for its first code, or shows new recovery codes. */
export function TotpDialog({
  shown,
  onTurnedOn,
  open,
  onOpenChange,
}: DialogControl & {
  shown: Begun | { recoveryCodes: string[] }
  onTurnedOn: (recoveryCodes: string[]) => void
}) {
  const isBegun = 'secret' in shown
  return (
    <Dialog
      open={open}
      // A click outside must not lose the codes.
      onOpenChange={(next, { reason }) => {
        if (isBegun || reason !== 'outside-press') onOpenChange(next)
      }}
      about="A second step at the login"
      title={isBegun ? t`Scan this with your app` : t`Save your recovery codes`}
      description={
        isBegun
          ? t`Any authenticator app works, such as the one of your password manager, Aegis or Google Authenticator.`
          : t`Each lets you log in once without your phone. They are not shown again: print them, or keep them with your passwords.`
      }
    >
      {isBegun ? (
        <FirstCode {...shown} onTurnedOn={onTurnedOn} onCancel={() => onOpenChange(false)} />
      ) : (
        <RecoveryCodes codes={shown.recoveryCodes} onDone={() => onOpenChange(false)} />
      )}
    </Dialog>
  )
}

function FirstCode({
  secret,
  url,
  onTurnedOn,
  onCancel,
}: Begun & { onTurnedOn: (recoveryCodes: string[]) => void; onCancel: () => void }) {
  const confirm = trpc.accounts.confirmTotp.useMutation()
  const [errors, setErrors] = useState<FormErrors>()
  return (
    <Form<{ code: string }>
      errors={errors}
      onSubmit={({ code }) => {
        if (code.trim() === '') return setErrors({ code: messages.codeMissing })
        setErrors(undefined)
        confirm.mutate(
          { code },
          {
            onSuccess: ({ recoveryCodes }) => onTurnedOn(recoveryCodes),
            onError: ({ message }) => setErrors({ code: message }),
          },
        )
      }}
    >
      <QrCode text={url} />
      <p className="text-meta text-muted">
        Cannot scan it? Type this key into the app:{' '}
        <code className="font-mono text-ink wrap-anywhere select-all">
          {secret.replaceAll(/.{4}(?=.)/g, '$& ')}
        </code>
      </p>
      <TextField
        isKept={false}
        name="code"
        label="The code that the app shows"
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={60}
        required
      />
      <div className="actions">
        <Button disabled={confirm.isPending} onClick={onCancel}>
          Cancel
        </Button>
        <SubmitButton busy={confirm.isPending} busyLabel="Checking…">
          Turn on
        </SubmitButton>
      </div>
    </Form>
  )
}

/** Black on white in both themes: many apps read no inverted codes. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 2 })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
  return (
    <svg
      role="img"
      aria-label="QR code for your authenticator app"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="w-52 justify-self-center rounded-item bg-white"
    >
      <path d={path.join('')} fill="#000" />
    </svg>
  )
}

function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const { copy, said } = useCopying(codes.join('\n'), t`Not copied. Please select the codes and copy them.`)
  return (
    <div className="grid gap-5">
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(12rem,1fr))] gap-x-6 gap-y-1.5 font-mono text-ink select-text">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Callout>
        Lost the phone and the codes? Then only the people who run this site can let you back in.
      </Callout>
      <p role="status" className="min-h-lh text-meta text-muted">
        {said}
      </p>
      <div className="actions">
        <Button variant="primary" onClick={() => void copy()}>
          Copy all
        </Button>
        <Button onClick={onDone}>I have saved them</Button>
      </div>
    </div>
  )
}
