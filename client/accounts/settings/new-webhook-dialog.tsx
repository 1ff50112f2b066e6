import { useState } from 'react'
import type { DialogControl } from '#client/ui/dialog.tsx'
import { TextField } from '#client/ui/field.tsx'
import { webhookUrlMax } from '#shared/domain/limits.ts'
import { eventExplanations, type WebhookEvent } from '#shared/contracts/webhooks.ts'
import { Choices } from './choices.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { useCreateWebhook } from './webhook-hooks.ts'
import { t } from '#shared/domain/message.ts'

/** The secret is shown only once. Remount it (`key`) for each webhook. */
export function NewWebhookDialog(control: DialogControl) {
  const create = useCreateWebhook()
  const [url, setUrl] = useState('')
  const [events, setEvents] = useState<readonly WebhookEvent[]>(['review'])
  return (
    <SecretDialog
      {...control}
      create={create}
      call="createWebhook"
      read={() => ({ url, events: [...events] })}
      choices="events"
      submit="Create webhook"
      label="Signing secret"
      form={{
        title: t`New webhook`,
        description: t`Medley sends a POST request to the URL for each event.`,
      }}
      copying={{
        title: t`Copy the secret now`,
        description: t`The receiver uses it to verify that a request comes from Medley. It will not be shown again.`,
      }}
    >
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
    </SecretDialog>
  )
}
