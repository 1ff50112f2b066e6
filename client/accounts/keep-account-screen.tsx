import { Link } from '@tanstack/react-router'
import { errorText } from '#client/trpc.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { messages } from '#shared/messages.ts'
import { AccountPage } from './account-page.tsx'
import { useKeepAccount } from './hooks.ts'

/**
 * Cancels the deletion of an account. Requires a press of a button, because some mail programs open every link in an email.
 */
export function KeepAccountScreen({ token }: { token: string | undefined }) {
  const keep = useKeepAccount()
  const problem = token ? keep.error && errorText(keep.error) : messages.deletionLinkFailed
  const isDead = problem === messages.deletionLinkFailed
  return (
    <AccountPage
      title={keep.isSuccess ? 'Your account stays.' : 'Keep your account?'}
      lead={
        keep.isSuccess || isDead
          ? undefined
          : 'It will be deleted soon, with your ratings, reviews and diary.'
      }
    >
      <div className="grid gap-5">
        {keep.isSuccess ? (
          <Callout tone="success">{keep.data.message}</Callout>
        ) : problem ? (
          <Callout tone="error">{problem}</Callout>
        ) : null}
        {keep.isSuccess || isDead || !token ? (
          <ButtonLink
            variant="primary"
            size="lg"
            render={<Link to="/settings" search={{ tab: 'account' }} />}
          >
            Continue to your settings
          </ButtonLink>
        ) : (
          <Button
            variant="primary"
            size="lg"
            busy={keep.isPending}
            busyLabel="Saving…"
            onClick={() => keep.mutate({ token })}
          >
            Keep my account
          </Button>
        )}
      </div>
    </AccountPage>
  )
}
