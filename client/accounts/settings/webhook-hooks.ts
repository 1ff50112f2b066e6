import { changed } from '#client/app/facts.ts'
import { type RouterOutputs, trpc } from '#client/app/trpc.ts'
import { optimisticRemoval } from './optimistic-removal.ts'

export type Webhook = RouterOutputs['webhooks']['list']['webhooks'][number]
export type Delivery = RouterOutputs['webhooks']['deliveries']['deliveries'][number]

const pollMs = 2_000

export function useCreateWebhook() {
  const utils = trpc.useUtils()
  return trpc.webhooks.create.useMutation({
    onSuccess: ({ webhook }) =>
      utils.webhooks.list.setData(undefined, (old) => old && { webhooks: [...old.webhooks, webhook] }),
  })
}

export function useEditWebhook() {
  return trpc.webhooks.edit.useMutation({ onSuccess: () => changed('webhooks') })
}

export function useRemoveWebhook() {
  const utils = trpc.useUtils()
  return trpc.webhooks.remove.useMutation(
    optimisticRemoval('webhooks', utils.webhooks.list, ({ webhooks }, id) => ({
      webhooks: webhooks.filter((webhook) => webhook.id !== id),
    })),
  )
}

/** Polled until all are attempted. */
export function useDeliveries(id: number) {
  return trpc.webhooks.deliveries.useQuery(
    { id },
    {
      refetchInterval: ({ state }) =>
        state.data?.deliveries.some(({ attempts, nextAttemptAt }) => attempts === 0 && nextAttemptAt !== null)
          ? pollMs
          : false,
    },
  )
}

export function useTestWebhook() {
  return trpc.webhooks.test.useMutation({ onSuccess: () => changed('deliveries') })
}
