import { LoadError } from '#client/app/load-error.tsx'
import { errorText } from '#client/app/trpc.ts'
import { Button } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { Dialog, type DialogControl } from '#client/ui/dialog.tsx'
import { Time } from '#client/ui/time.tsx'
import { Skeletons } from '#client/ui/skeleton.tsx'
import { type Delivery, useDeliveries, useTestWebhook, type Webhook } from './webhook-hooks.ts'
import { t } from '#shared/domain/message.ts'

export function DeliveriesDialog({ webhook, ...control }: DialogControl & { webhook: Webhook }) {
  return (
    <Dialog
      {...control}
      title="Deliveries"
      description={
        <span dir="auto" className="wrap-anywhere">
          {webhook.url}
        </span>
      }
    >
      <Deliveries webhook={webhook} />
    </Dialog>
  )
}

function Deliveries({ webhook: { id, disabledAt } }: { webhook: Webhook }) {
  const test = useTestWebhook()
  return (
    <div className="grid gap-4">
      {disabledAt === null ? (
        <Button
          className="justify-self-start"
          busy={test.isPending}
          busyLabel="Sending…"
          onClick={() => test.mutate({ id })}
        >
          Send a test event
        </Button>
      ) : null}
      {test.error ? <Callout tone="error">{errorText(test.error)}</Callout> : null}
      {/* Focusable, because it scrolls. */}
      <div
        role="region"
        aria-label="Last deliveries"
        // oxlint-disable-next-line no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard
        tabIndex={0}
        className="max-h-[50dvh] overflow-y-auto"
      >
        <DeliveriesList id={id} />
      </div>
    </div>
  )
}

function DeliveriesList({ id }: { id: number }) {
  const deliveries = useDeliveries(id)
  if (deliveries.isPending) return <Skeletons count={2} each="h-12 rounded-card" />
  if (deliveries.data === undefined)
    return (
      <LoadError title="The deliveries did not load" error={deliveries.error} onRetry={deliveries.refetch} />
    )
  if (deliveries.data.deliveries.length === 0) return <p className="text-muted">Nothing was sent yet.</p>
  return (
    <ul className="grid gap-3">
      {deliveries.data.deliveries.map((delivery) => (
        <li key={delivery.id} className="border-t border-line pt-3 first:border-none first:pt-0">
          <p className="text-label wrap-anywhere">{delivery.type}</p>
          <p className="text-meta text-muted">
            <Time value={delivery.createdAt} relative /> · <Outcome delivery={delivery} />
          </p>
        </li>
      ))}
    </ul>
  )
}

function Outcome({
  delivery: { attempts, deliveredAt, nextAttemptAt, status, error },
}: {
  delivery: Delivery
}) {
  if (deliveredAt !== null) return t`Delivered (${status ?? 0})`
  if (error === null) return t`Waiting`
  return (
    <>
      <span className="font-semibold text-danger">{error}</span>{' '}
      {attempts > 1 ? <>{t`${attempts} attempts.`} </> : null}
      {nextAttemptAt === null ? (
        t`No further attempts.`
      ) : (
        <>
          Next attempt <Time value={nextAttemptAt} relative />.
        </>
      )}
    </>
  )
}
