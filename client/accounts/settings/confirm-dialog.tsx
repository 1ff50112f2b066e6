import { ExternalLink, Fingerprint } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type ApiError, errorText, type RouterOutputs, trpc } from '#client/app/trpc.ts'
import { Button, type ButtonVariant, SubmitButton } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { Dialog, type DialogControl } from '#client/ui/dialog.tsx'
import { Form, type FormErrors, PasswordField } from '#client/ui/field.tsx'
import { Skeletons } from '#client/ui/skeleton.tsx'
import { messages } from '#shared/texts/messages.ts'
import { CodeField } from '../code-field.tsx'
import { askForPasskey, canUsePasskeys, wasCanceled } from '../passkeys.ts'
import { forgetProof, hasProof } from './recent-proof.ts'
import { t } from '#shared/domain/message.ts'

type Ways = Omit<RouterOutputs['accounts']['signIn'], 'passkeysAt'>
const passwordOnly: Ways = {
  hasPassword: true,
  passkeys: [],
  providers: [],
  totp: { isOn: false, recoveryCodesLeft: 0 },
}

type Proof = Parameters<ReturnType<typeof trpc.accounts.confirmSelf.useMutation>['mutate']>[0]
type Labels = { label?: string; busyLabel?: string; variant?: ButtonVariant }

/**
 * Asks members to prove who they are, in a way that they have: a password, a passkey, a code or a login with a linked provider, which
 * leaves the page. `onConfirmed` closes the dialog; the dialog shows its failure.
 */
export function ConfirmSelfDialog({
  open,
  onOpenChange,
  title = t`Confirm that it’s you`,
  description = t`Not everybody who holds this device should be able to do this.`,
  children,
  ...form
}: DialogControl &
  Labels & {
    title?: string | undefined
    description?: string | undefined
    onConfirmed: () => unknown
    children?: ReactNode
  }) {
  const ways = trpc.accounts.signIn.useQuery(undefined, { enabled: open })
  const [isPending, setPending] = useState(false)
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!isPending) onOpenChange(next)
      }}
      title={title}
      description={description}
    >
      {children}
      {ways.isPending ? (
        <Skeletons count={1} each="h-32 rounded-card" />
      ) : (
        <ProofForm
          {...form}
          // The server says if there is no password. Where passwords do not log in, they still confirm.
          ways={ways.data ?? passwordOnly}
          isPending={isPending}
          onPending={setPending}
          onCancel={() => onOpenChange(false)}
        />
      )}
    </Dialog>
  )
}

function ProofForm({
  ways: { hasPassword, passkeys, providers, totp },
  isPending,
  onPending,
  onConfirmed,
  onCancel,
  label = t`Confirm`,
  busyLabel = t`Checking…`,
  variant = 'primary',
}: Labels & {
  ways: Ways
  isPending: boolean
  onPending: (isPending: boolean) => void
  onConfirmed: () => unknown
  onCancel: () => void
}) {
  const confirm = trpc.accounts.confirmSelf.useMutation()
  const { client } = trpc.useUtils()
  const [errors, setErrors] = useState<FormErrors>()
  const [problem, setProblem] = useState<string>()
  const [prefersCode, setPrefersCode] = useState(false)
  const [isProven, setProven] = useState(hasProof)
  const asksForCode = totp.isOn && (prefersCode || !hasPassword)
  const name = asksForCode ? 'code' : 'password'
  const hasField = !isProven && (asksForCode || hasPassword)
  const canUsePasskey = !isProven && passkeys.length > 0 && canUsePasskeys()
  const usableProviders = isProven ? [] : providers
  const form = useRef<HTMLDivElement>(null)
  // The dialog may have opened before the form was known.
  useEffect(() => form.current?.querySelector<HTMLElement>('input, button')?.focus(), [])

  async function prove(read: () => undefined | Proof | Promise<Proof>) {
    setErrors(undefined)
    setProblem(undefined)
    onPending(true)
    try {
      const proof = await read()
      if (proof) await confirm.mutateAsync(proof)
      await onConfirmed()
    } catch (error) {
      forgetProof()
      setProven(false)
      const { data, message } = error as ApiError
      if (data?.reason === 'PASSWORD_WRONG' || data?.reason === 'CODE_WRONG') setErrors({ [name]: message })
      // Only an error of a call has `data`: the others are of the passkey.
      else if ('data' in (error as object)) setProblem(errorText(error))
      else if (!wasCanceled(error)) setProblem(messages.passkeyRefused)
    } finally {
      onPending(false)
    }
  }
  function submit(value: string) {
    if (isProven) return prove(() => undefined)
    if (value.trim() === '')
      return setErrors({ [name]: asksForCode ? messages.codeMissing : messages.currentPasswordMissing })
    return prove(() => (asksForCode ? { code: value } : { password: value }))
  }
  async function useProvider(provider: string) {
    try {
      const redirect = location.pathname + location.search
      location.assign((await client.accounts.confirmByProvider.mutate({ name: provider, redirect })).url)
    } catch (error) {
      setProblem(errorText(error))
    }
  }
  const usePasskey = () =>
    prove(async () => ({
      passkey: await askForPasskey((await client.accounts.passkeyOptions.mutate()).options),
    }))

  return (
    <div ref={form}>
      <Form<{ code?: string; password?: string }>
        errors={errors}
        onSubmit={(values) => submit(values[name] ?? '')}
      >
        {isProven ? (
          <Callout tone="success">You have just confirmed that it’s you.</Callout>
        ) : asksForCode ? (
          <CodeField />
        ) : hasPassword ? (
          <PasswordField name="password" label="Current password" autoComplete="current-password" required />
        ) : null}
        {hasField && hasPassword && totp.isOn ? (
          <button
            type="button"
            className="link -mt-3 justify-self-start py-1.5 text-meta"
            onClick={() => setPrefersCode(!asksForCode)}
          >
            {asksForCode ? t`Use the password instead` : t`Use a code instead`}
          </button>
        ) : null}
        {canUsePasskey ? (
          <Button
            variant={hasField ? 'soft' : variant}
            icon={<Fingerprint aria-hidden />}
            disabled={isPending}
            onClick={() => void usePasskey()}
          >
            Use your fingerprint, face or screen lock
          </Button>
        ) : null}
        {usableProviders.map(({ name: provider, label: service }) => (
          <Button
            key={provider}
            icon={<ExternalLink aria-hidden />}
            disabled={isPending}
            onClick={() => void useProvider(provider)}
          >
            Continue with {service}
          </Button>
        ))}
        {isProven || hasField || canUsePasskey || usableProviders.length > 0 ? null : (
          <Callout>
            You sign in with a passkey, and this browser cannot use it. Do this in a browser that can.
          </Callout>
        )}
        {problem === undefined ? null : <Callout tone="error">{problem}</Callout>}
        <div className="actions">
          <Button disabled={isPending} onClick={onCancel}>
            Cancel
          </Button>
          {isProven || hasField ? (
            <SubmitButton variant={variant} busy={isPending} busyLabel={busyLabel}>
              {label}
            </SubmitButton>
          ) : null}
        </div>
      </Form>
    </div>
  )
}
