import { deliveriesShown, webhooksMax } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import * as schema from '#shared/contracts/webhooks.ts'
import type { Db } from '#server/db/open.ts'
import type { Context } from '#server/calls/context.ts'
import { queueNotice } from '#server/accounts/notices.ts'
import { findAccount, lockAccount } from '#server/accounts/store.ts'
import { badRequest, conflict, TooManyRequests } from '#server/calls/errors.ts'
import { callsIn, checkSession, found, router } from '#server/calls/procedures.ts'
import { isAllowedUrl, joinEvents, newSecret, presentDelivery, presentWebhook } from './rules.ts'
import * as store from './store.ts'

const { forMembers } = callsIn('Webhooks')
const waitingTestsMax = 10
const waitingTestsSeconds = 60

export const webhooksRouter = router({
  list: forMembers('GET /users/me/webhooks', 'listWebhooks', schema.listWebhooks, {
    summary: 'List the caller’s own webhooks',
    description: 'Oldest first, without their secrets.',
    scope: 'session',
    returnsData: 'own',
  }).query(async ({ ctx }) => ({
    webhooks: (await store.listWebhooks(ctx.db, ctx.member.id)).map(presentWebhook),
  })),

  create: forMembers('POST /users/me/webhooks', 'createWebhook', schema.createWebhook, {
    summary: 'Create a webhook',
    description:
      `Returns the webhook with its secret, which is returned only once. The URL must be https, on port 443 or 8443. At most ${webhooksMax} webhooks (409). ` +
      'The caller is notified by email, and a new password disables all webhooks. Each event is sent as a `POST` of `{ type, timestamp, data }`, signed as in Standard Webhooks: `webhook-id`, `webhook-timestamp`, `webhook-signature`.',
    errors: [409],
    status: 201,
    location: '/users/me/webhooks/{webhook.id}',
    scope: 'session',
    hasSecret: true,
  }).mutation(async ({ ctx, input: { url, events } }) => {
    checkUrl(ctx.config, url)
    const secret = newSecret()
    const { email } = found(await findAccount(ctx.db, ctx.member.id))
    const row = await ctx.db.transaction().execute(async (trx) => {
      checkSession(await lockAccount(trx, ctx.member))
      if ((await store.listWebhooks(trx, ctx.member.id)).length >= webhooksMax)
        throw conflict(messages.tooManyWebhooks)
      await notify(trx, ctx, email)
      return store.insertWebhook(trx, {
        user_id: ctx.member.id,
        url,
        secret,
        events: joinEvents(events),
        created_at: ctx.now.toISOString(),
      })
    })
    ctx.mailer.flush()
    return { webhook: presentWebhook(row), secret }
  }),

  edit: forMembers('PATCH /users/me/webhooks/{id}', 'updateWebhook', schema.editWebhook, {
    summary: 'Update one of the caller’s own webhooks',
    description:
      'Fields that are not sent keep their values. The caller is notified of a new URL by email. `isEnabled` enables a webhook that was disabled; the secret stays.',
    errors: [404],
    scope: 'session',
  }).mutation(async ({ ctx, input: { id, url, events, isEnabled } }) => {
    if (url !== undefined) checkUrl(ctx.config, url)
    const { email } = found(await findAccount(ctx.db, ctx.member.id))
    const row = await ctx.db.transaction().execute(async (trx) => {
      // A new password disables webhooks and ends other sessions, which must not enable them again.
      checkSession(await lockAccount(trx, ctx.member))
      const before = found(await store.findWebhook(trx, ctx.member.id, id), messages.webhookNotFound)
      if (url !== undefined && url !== before.url) await notify(trx, ctx, email)
      return store.updateWebhook(trx, ctx.member.id, id, {
        url,
        events: events && joinEvents(events),
        ...(isEnabled && { disabled_at: null, failing_since: null }),
      })
    })
    ctx.mailer.flush()
    return { webhook: presentWebhook(found(row, messages.webhookNotFound)) }
  }),

  remove: forMembers('DELETE /users/me/webhooks/{id}', 'deleteWebhook', schema.removeWebhook, {
    summary: 'Delete one of the caller’s own webhooks',
    description: 'With its deliveries, including those that are not sent yet.',
    errors: [404],
    scope: 'session',
  }).mutation(async ({ ctx, input: { id } }) => {
    found(await store.removeWebhook(ctx.db, ctx.member.id, id), messages.webhookNotFound)
    return { message: messages.webhookRemoved }
  }),

  test: forMembers('POST /users/me/webhooks/{id}/test', 'testWebhook', schema.testWebhook, {
    summary: 'Send a test event to a webhook',
    description:
      'Queues an event of the type `webhook.test`, which is attempted once; the deliveries show the result. Returns 409 if the webhook is disabled, and 429 while 10 test events wait.',
    errors: [404, 409],
    scope: 'session',
  }).mutation(async ({ ctx, input: { id } }) => {
    const webhook = found(await store.findWebhook(ctx.db, ctx.member.id, id), messages.webhookNotFound)
    if (webhook.disabled_at !== null) throw conflict(messages.webhookIsDisabled)
    await ctx.db.transaction().execute(async (trx) => {
      // One after the other, so that the number is right.
      checkSession(await lockAccount(trx, ctx.member))
      if ((await store.countWaitingTests(trx, id, waitingTestsMax)) >= waitingTestsMax)
        throw new TooManyRequests(waitingTestsSeconds, messages.webhookTestsWait)
      await store.insertTest(trx, id, ctx.now)
    })
    return { message: messages.webhookTestQueued }
  }),

  deliveries: forMembers(
    'GET /users/me/webhooks/{id}/deliveries',
    'listWebhookDeliveries',
    schema.listDeliveries,
    {
      summary: 'List the deliveries of a webhook',
      description: 'The newest 50. Deliveries are kept for 30 days.',
      errors: [404],
      scope: 'session',
      returnsData: 'own',
    },
  ).query(async ({ ctx, input: { id } }) => {
    found(await store.findWebhook(ctx.db, ctx.member.id, id), messages.webhookNotFound)
    return { deliveries: (await store.listDeliveries(ctx.db, id, deliveriesShown)).map(presentDelivery) }
  }),
})

/** Tells the owner of a new webhook or URL, unless the mailbox has reached its limit. */
async function notify(trx: Db, { now }: Pick<Context, 'now'>, email: string): Promise<void> {
  await queueNotice(trx, 'webhook-notice', { to: email, mail: 'webhook' }, now)
}

function checkUrl({ webhooksToPrivate }: Context['config'], url: string): void {
  if (!webhooksToPrivate && !isAllowedUrl(url)) throw badRequest(messages.webhookUrlInvalid)
}
