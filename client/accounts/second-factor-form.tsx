import { useEffect, useRef, useState } from 'react'
import { errorText, trpc } from '#client/app/trpc.ts'
import { Button, SubmitButton } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { Form, type FormErrors } from '#client/ui/field.tsx'
import { messages } from '#shared/texts/messages.ts'
import { CodeField } from './code-field.tsx'
import { useStartSession } from './hooks.ts'

/** Completes a login whose password was correct. The guard of the route redirects after it. */
export function SecondFactorForm({ ticket, onStartOver }: { ticket: string; onStartOver: () => void }) {
  const complete = trpc.accounts.secondFactor.useMutation({ onSuccess: useStartSession() })
  const [errors, setErrors] = useState<FormErrors>()
  const form = useRef<HTMLDivElement>(null)
  // The field that had the focus is gone.
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const isWrong = complete.error?.data?.reason === 'CODE_WRONG'

  return (
    <div ref={form}>
      <Form<{ code: string }>
        errors={errors}
        onSubmit={({ code }) => {
          if (code.trim() === '') return setErrors({ code: messages.codeMissing })
          setErrors(undefined)
          complete.mutate(
            { ticket, code },
            {
              onError: (error) =>
                setErrors(error.data?.reason === 'CODE_WRONG' ? { code: error.message } : undefined),
            },
          )
        }}
      >
        {complete.error && !isWrong ? <Callout tone="error">{errorText(complete.error)}</Callout> : null}
        <CodeField />
        <SubmitButton size="lg" busy={complete.isPending} busyLabel="Logging in…">
          Log in
        </SubmitButton>
        <Button variant="ghost" onClick={onStartOver}>
          Start again
        </Button>
      </Form>
    </div>
  )
}
