import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Check, Copy } from 'lucide-react'
import { type ApiError, errorText } from '#client/app/trpc.ts'
import { Button, SubmitButton } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { Dialog, type DialogControl } from '#client/ui/dialog.tsx'
import { useForgetTexts } from '#client/ui/kept-texts.tsx'
import { Form, type FormErrors } from '#client/ui/field.tsx'
import { inputClass } from '#client/ui/field-look.ts'
import { responseErrors, useValidation } from '../field-errors.ts'
import { useConfirmation } from './confirmation.tsx'
import { useCopying } from './copying.ts'
import { t } from '#shared/domain/message.ts'

type Texts = { title: string; description: string }

/** Shows a form, and then the secret, which is shown only once. Remount it (`key`) for each form. */
export function SecretDialog<Input>({
  open,
  onOpenChange,
  create,
  call,
  read,
  choices,
  submit,
  label,
  form,
  copying,
  children,
}: DialogControl & {
  create: {
    data: { secret: string } | undefined
    error: ApiError | null
    isPending: boolean
    mutateAsync: (input: Input) => Promise<unknown>
  }
  call: Parameters<typeof useValidation>[0]
  read: () => Input
  choices: 'scopes' | 'events'
  submit: string
  label: string
  form: Texts
  copying: Texts
  children: ReactNode
}) {
  const secret = create.data?.secret
  const [errors, setErrors] = useState<FormErrors>()
  const validate = useValidation(call)
  const [confirmed, confirmation] = useConfirmation()

  async function send() {
    const input = read()
    const invalid = await validate(input)
    setErrors(invalid)
    if (invalid) return
    await confirmed(
      (error) => setErrors(responseErrors(error)),
      () => create.mutateAsync(input),
    )
  }

  const problem = errors?.[choices] ?? (create.error && !errors ? errorText(create.error) : undefined)
  return (
    <Dialog
      open={open}
      onOpenChange={(next, { reason }) => {
        // A click outside the dialog must not lose the secret, nor may the dialog close before the secret arrives.
        const isSafe = secret === undefined ? !create.isPending : reason !== 'outside-press'
        if (isSafe) onOpenChange(next)
      }}
      about={form.title}
      {...(secret === undefined ? form : copying)}
    >
      {secret === undefined ? (
        <Form errors={errors} onSubmit={send}>
          {children}
          {problem === undefined ? null : <Callout tone="error">{problem}</Callout>}
          <div className="actions">
            <Button disabled={create.isPending} onClick={() => onOpenChange(false)}>
              Cancel
            </Button>
            <SubmitButton busy={create.isPending} busyLabel="Creating…">
              {submit}
            </SubmitButton>
          </div>
        </Form>
      ) : (
        <SecretField label={label} secret={secret} onDone={() => onOpenChange(false)} />
      )}
      {confirmation}
    </Dialog>
  )
}

function SecretField({ label, secret, onDone }: { label: string; secret: string; onDone: () => void }) {
  const field = useRef<HTMLInputElement>(null)
  const id = useId()
  const { copy, said, isCopied } = useCopying(secret, t`Not copied. Please select the text and copy it.`)
  const forget = useForgetTexts()
  // oxlint-disable-next-line react/exhaustive-deps -- once, because the form has been sent
  useEffect(forget, [])
  // The button that had the focus is gone.
  useEffect(() => field.current?.select(), [])
  async function copyOrSelect() {
    if (!(await copy())) field.current?.select()
  }
  return (
    <div className="grid gap-5">
      <div className="grid gap-1.5">
        <label htmlFor={id} className="text-label">
          {label}
        </label>
        <input
          id={id}
          ref={field}
          readOnly
          value={secret}
          spellCheck={false}
          className={`${inputClass} h-12`}
        />
        <p role="status" className="min-h-lh text-meta text-muted">
          {said}
        </p>
      </div>
      <div className="actions">
        <Button onClick={onDone}>Done</Button>
        <Button
          variant="primary"
          icon={isCopied ? <Check aria-hidden /> : <Copy aria-hidden />}
          onClick={() => void copyOrSelect()}
        >
          Copy
        </Button>
      </div>
    </div>
  )
}
