import { Link } from '@tanstack/react-router'
import { errorText, isNotFound, retryOnce, trpc } from '#client/app/trpc.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { messages } from '#shared/texts/messages.ts'
import { t } from '#shared/domain/message.ts'

/** Requires a press of a button, because some mail programs open every link in an email. */
export function UnsubscribeScreen({ token }: { token: string | undefined }) {
  const end = trpc.notifications.unsubscribe.useMutation(retryOnce)
  const isExpired = !token || isNotFound(end.error)
  const problem = isExpired ? messages.unsubscribeExpired : end.error && errorText(end.error)
  return (
    <div className="page min-h-svh py-8 sm:py-12">
      <div className="mx-auto grid max-w-[28rem] gap-5">
        <h1 className="text-h1">{end.isSuccess ? t`It is done.` : t`End the daily email?`}</h1>
        {end.isSuccess ? (
          <Callout tone="success">{end.data.message}</Callout>
        ) : problem ? (
          <Callout tone="error">{problem}</Callout>
        ) : (
          <p className="text-lead text-muted">Your notifications stay in the app.</p>
        )}
        {end.isSuccess || isExpired ? (
          <ButtonLink render={<Link to="/settings" search={{ tab: 'notifications' }} />}>
            Continue to your settings
          </ButtonLink>
        ) : (
          <Button
            variant="primary"
            size="lg"
            busy={end.isPending}
            busyLabel="Saving…"
            onClick={() => end.mutate({ token })}
          >
            End the emails
          </Button>
        )}
      </div>
    </div>
  )
}
