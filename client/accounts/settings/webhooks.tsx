import { Webhook as WebhookIcon } from 'lucide-react'
import { useState } from 'react'
import { LoadError } from '#client/app/load-error.tsx'
import { Button } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { commaList } from '#client/ui/formats.ts'
import { lazyComponent } from '#client/ui/lazy.ts'
import { Time } from '#client/ui/time.tsx'
import { showDone } from '#client/ui/toasts.ts'
import { VisuallyHidden } from '#client/ui/visually-hidden.tsx'
import { showFailure, trpc } from '#client/app/trpc.ts'
import { useQuestion } from '#client/ui/question.tsx'
import { Skeletons } from '#client/ui/skeleton.tsx'
import { CreateSection } from './create-section.tsx'
import { useEditWebhook, useRemoveWebhook, type Webhook } from './webhook-hooks.ts'
import { t } from '#shared/domain/message.ts'

const newWebhookDialog = lazyComponent(
  async () => (await import('./new-webhook-dialog.tsx')).NewWebhookDialog,
)
const { Component: DeliveriesDialog, opens: opensDeliveries } = lazyComponent(
  async () => (await import('./deliveries-dialog.tsx')).DeliveriesDialog,
)

export function Webhooks() {
  return (
    <CreateSection
      title="Webhooks"
      create="New webhook"
      description="Medley calls a webhook when you change something, or when someone reacts to your reviews. Events include your private notes."
      List={WebhooksList}
      dialog={newWebhookDialog}
    />
  )
}

function WebhooksList({ onRemoved }: { onRemoved: () => void }) {
  const webhooks = trpc.webhooks.list.useQuery()
  if (webhooks.isPending) return <Skeletons count={1} each="h-24 rounded-card" />
  if (webhooks.data === undefined)
    return <LoadError title="Your webhooks did not load" error={webhooks.error} onRetry={webhooks.refetch} />
  if (webhooks.data.webhooks.length === 0)
    return (
      <EmptyState icon={<WebhookIcon aria-hidden />} title="No webhooks">
        Create one for each program that should be notified of changes.
      </EmptyState>
    )
  return (
    <ul className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {webhooks.data.webhooks.map((webhook) => (
        <WebhookRow key={webhook.id} webhook={webhook} onRemoved={onRemoved} />
      ))}
    </ul>
  )
}

function WebhookRow({ webhook, onRemoved }: { webhook: Webhook; onRemoved: () => void }) {
  const { id, url, events, disabledAt } = webhook
  const [showsDeliveries, setShowsDeliveries] = useState(false)
  const [ask, question] = useQuestion()
  const remove = useRemoveWebhook()
  const edit = useEditWebhook()
  const name = <VisuallyHidden> {url}</VisuallyHidden>

  async function removeIt() {
    onRemoved()
    try {
      const { message } = await remove.mutateAsync({ id })
      showDone(message)
    } catch (error) {
      showFailure(t`The webhook was not removed.`, error)
    }
  }
  async function enable() {
    try {
      await edit.mutateAsync({ id, isEnabled: true })
      showDone(t`Webhook enabled.`)
    } catch (error) {
      showFailure(t`The webhook was not enabled.`, error)
    }
  }
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-card border border-line bg-surface p-4">
      <WebhookIcon aria-hidden className="size-6 shrink-0 text-muted" />
      <div className="min-w-0 grow basis-56">
        <p dir="auto" className="text-label wrap-anywhere">
          {url}
        </p>
        <p translate="no" className="text-meta text-muted">
          {commaList(events)}
        </p>
        <p className="text-meta text-muted">
          <span>
            Created <Time value={webhook.createdAt} />
          </span>
          {' · '}
          <State webhook={webhook} />
        </p>
      </div>
      <div className="flex flex-wrap gap-2 max-sm:ms-10">
        {disabledAt === null ? null : (
          <Button variant="primary" busy={edit.isPending} busyLabel="Enabling…" onClick={() => void enable()}>
            Enable{name}
          </Button>
        )}
        <Button {...opensDeliveries(() => setShowsDeliveries(true))}>Deliveries{name}</Button>
        <Button
          aria-haspopup="dialog"
          onClick={() =>
            ask({
              title: t`Remove this webhook?`,
              description: t`${url} will no longer be called. This cannot be undone.`,
              label: t`Remove`,
              onConfirm: () => void removeIt(),
            })
          }
        >
          Remove{name}
        </Button>
      </div>
      <DeliveriesDialog webhook={webhook} open={showsDeliveries} onOpenChange={setShowsDeliveries} />
      {question}
    </li>
  )
}

function State({ webhook: { failingSince, disabledAt } }: { webhook: Webhook }) {
  if (disabledAt === null && failingSince === null) return t`Enabled`
  return (
    <span className="font-semibold text-danger">
      {disabledAt === null ? (
        <>
          Failing since <Time value={failingSince!} relative />
        </>
      ) : (
        <>
          Disabled <Time value={disabledAt} relative />
        </>
      )}
    </span>
  )
}
