import { useState } from 'react'
import { errorText } from '#client/trpc.ts'
import { Button } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { Form, type FormErrors, TextField } from '#client/ui/field.tsx'
import { forgotPassword as schema } from '#shared/accounts.ts'
import { responseErrors, validationErrors } from './field-errors.ts'
import type { useForgotPassword } from './hooks.ts'

type EmailMutation = Pick<ReturnType<typeof useForgotPassword>, 'mutate' | 'isPending' | 'data' | 'error'>

/** A form that requests an email with a link. The response does not reveal whether the email is registered. */
export function EmailForm({
  mutation,
  label,
  button,
  hint,
}: {
  mutation: EmailMutation
  label: string
  button: string
  hint?: string | undefined
}) {
  const [errors, setErrors] = useState<FormErrors>()
  const { mutate, isPending, data, error } = mutation
  if (data !== undefined) {
    return (
      <Callout tone="success" className="w-full text-left">
        {data.message}
      </Callout>
    )
  }
  return (
    <Form<{ email: string }>
      className="w-full text-left"
      errors={errors}
      onSubmit={(values) => {
        const invalid = validationErrors(schema.input, values)
        setErrors(invalid)
        if (!invalid) mutate(values, { onError: (failure) => setErrors(responseErrors(failure)) })
      }}
    >
      {error && !responseErrors(error) ? <Callout tone="error">{errorText(error)}</Callout> : null}
      <TextField
        name="email"
        label={label}
        type="email"
        autoComplete="email"
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        hint={hint}
        required
      />
      <Button type="submit" variant="primary" size="lg" busy={isPending} busyLabel="Sending…">
        {button}
      </Button>
    </Form>
  )
}
