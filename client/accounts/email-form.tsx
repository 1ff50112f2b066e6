import { useState } from 'react'
import { errorText, type trpc } from '#client/app/trpc.ts'
import { Button, SubmitButton } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { Form, type FormErrors, TextField } from '#client/ui/field.tsx'
import { responseErrors, useValidation } from './field-errors.ts'

type EmailMutation = Pick<
  ReturnType<typeof trpc.accounts.forgotPassword.useMutation>,
  'mutate' | 'isPending' | 'error'
>

/**
 * Requests an email with a link; the response does not reveal whether the address is registered. `onSent` gets false when the form is shown
 * again.
 */
export function EmailForm({
  mutation,
  label,
  button,
  hint,
  onSent,
}: {
  mutation: EmailMutation
  label: string
  button: string
  hint?: string | undefined
  onSent?: ((isSent: boolean) => void) | undefined
}) {
  const [errors, setErrors] = useState<FormErrors>()
  const validate = useValidation('forgotPassword')
  const [sent, setSent] = useState<{ email: string; message: string }>()
  const { mutate, isPending, error } = mutation
  const failure = error && !responseErrors(error) ? <Callout tone="error">{errorText(error)}</Callout> : null

  function send(email: string) {
    mutate(
      { email },
      {
        onSuccess({ message }) {
          setSent({ email, message })
          onSent?.(true)
        },
        onError: (problem) => setErrors(responseErrors(problem)),
      },
    )
  }

  if (sent !== undefined) {
    return (
      <div className="grid w-full justify-items-start gap-4 text-start">
        <Callout tone="success" className="w-full">
          {sent.message}
        </Callout>
        {failure}
        <p className="text-meta text-muted">
          Requested for{' '}
          <span dir="auto" className="text-ink wrap-anywhere">
            {sent.email}
          </span>
          .
        </p>
        <div className="flex flex-wrap gap-2">
          <Button busy={isPending} busyLabel="Sending…" onClick={() => send(sent.email)}>
            Send it again
          </Button>
          <Button
            variant="ghost"
            onClick={() => {
              setSent(undefined)
              onSent?.(false)
            }}
          >
            Use another email
          </Button>
        </div>
      </div>
    )
  }
  return (
    <Form<{ email: string }>
      className="w-full text-start"
      errors={errors}
      onSubmit={async (values) => {
        const invalid = await validate(values)
        setErrors(invalid)
        if (!invalid) send(values.email.trim())
      }}
    >
      {failure}
      <TextField
        name="email"
        label={label}
        type="email"
        autoComplete="email"
        spellCheck={false}
        hint={hint}
        required
      />
      <SubmitButton size="lg" busy={isPending} busyLabel="Sending…">
        {button}
      </SubmitButton>
    </Form>
  )
}
