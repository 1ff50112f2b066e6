import { useState } from 'react'
import { errorText } from '#client/trpc.ts'
import { Button, SubmitButton } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { Form, type FormErrors, TextField } from '#client/ui/field.tsx'
import { webhookUrlMax } from '#shared/limits.ts'
import { createWebhook as schema, eventExplanations, type WebhookEvent } from '#shared/webhooks.ts'
import { responseErrors, validationErrors } from '../field-errors.ts'
import { Choices } from './choices.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { useCreateWebhook } from './webhook-hooks.ts'

type Props = { open: boolean; onOpenChange: (open: boolean) => void }

/** A form for a webhook, and then its secret, which is shown only once. Remount it (`key`) for each webhook. */
export function NewWebhookDialog({ open, onOpenChange }: Props) {
  const create = useCreateWebhook()
  return (
    <SecretDialog
      open={open}
      onOpenChange={onOpenChange}
      create={create}
      label="Signing secret"
      form={{
        title: 'New webhook',
        description: 'Medley sends a POST request to the URL for each event.',
      }}
      copying={{
        title: 'Copy the secret now',
        description:
          'The receiver uses it to verify that a request comes from Medley. It will not be shown again.',
      }}
    >
      <WebhookForm create={create} onCancel={() => onOpenChange(false)} />
    </SecretDialog>
  )
}

function WebhookForm({
  create,
  onCancel,
}: {
  create: ReturnType<typeof useCreateWebhook>
  onCancel: () => void
}) {
  const [url, setUrl] = useState('')
  const [events, setEvents] = useState<readonly WebhookEvent[]>(['review'])
  const [errors, setErrors] = useState<FormErrors>()

  function submit() {
    const input = { url, events: [...events] }
    const invalid = validationErrors(schema.input, input)
    setErrors(invalid)
    if (invalid) return
    create.mutate(input, { onError: (error) => setErrors(responseErrors(error)) })
  }

  const problem = errors?.['events'] ?? (create.error && !errors ? errorText(create.error) : undefined)
  return (
    <Form errors={errors} onSubmit={submit}>
      <TextField
        name="url"
        label="URL"
        value={url}
        onChange={setUrl}
        maxLength={webhookUrlMax}
        autoComplete="off"
        hint="Must start with https:// and be reachable from the internet."
        required
      />
      <Choices legend="Events" explanations={eventExplanations} chosen={events} onChange={setEvents} />
      {problem === undefined ? null : <Callout tone="error">{problem}</Callout>}
      <div className="flex flex-wrap justify-end gap-2">
        <Button disabled={create.isPending} onClick={onCancel}>
          Cancel
        </Button>
        <SubmitButton busy={create.isPending} busyLabel="Creating…">
          Create webhook
        </SubmitButton>
      </div>
    </Form>
  )
}
