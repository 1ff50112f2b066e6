import { Link } from '@tanstack/react-router'
import { errorText } from '#client/app/trpc.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { messages } from '#shared/texts/messages.ts'
import { AccountPage } from './account-page.tsx'
import { isDeadLink, isUsedLink, useKeepAccount } from './hooks.ts'
import { t } from '#shared/domain/message.ts'

/** Requires a press of a button, because some mail programs open every link in an email. */
export function KeepAccountScreen({ token }: { token: string | undefined }) {
  const keep = useKeepAccount()
  // The link or the settings may have canceled the deletion before.
  const isKept = keep.isSuccess || isUsedLink(keep.error)
  const isDead = !token || isDeadLink(keep.error)
  const problem = isDead ? messages.deletionLinkFailed : keep.error && errorText(keep.error)
  return (
    <AccountPage
      title={isKept ? t`Your account stays.` : t`Keep your account?`}
      lead={isKept || isDead ? undefined : t`It will be deleted soon, with your ratings, reviews and diary.`}
    >
      <div className="grid gap-5">
        {isKept ? (
          <Callout tone="success">{keep.data?.message ?? messages.deletionCanceled}</Callout>
        ) : problem ? (
          <Callout tone="error">{problem}</Callout>
        ) : null}
        {isKept || isDead ? (
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
