import { useState } from 'react'
import { errorText } from '#client/trpc.ts'
import { Button } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { Form, type FormErrors, TextField } from '#client/ui/field.tsx'
import { forgotPassword as schema } from '#shared/accounts.ts'
import { faultsIn, faultsOf } from './faults.ts'
import type { useForgotPassword } from './hooks.ts'

type EmailMutation = Pick<ReturnType<typeof useForgotPassword>, 'mutate' | 'isPending' | 'data' | 'error'>

/** A form that requests a mail with a link. The response does not reveal whether the email is registered. */
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
  const [faults, setFaults] = useState<FormErrors>()
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
      errors={faults}
      onSubmit={(values) => {
        const refused = faultsIn(schema.input, values)
        setFaults(refused)
        if (!refused) mutate(values, { onError: (failure) => setFaults(faultsOf(failure)) })
      }}
    >
      {error && !faultsOf(error) ? <Callout tone="error">{errorText(error)}</Callout> : null}
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
