import { errorText, trpc } from '#client/app/trpc.ts'
import { Button } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { useStartSession } from './hooks.ts'

/** Logs in with the link of the people who run the site. With a press, because opening a link must not change who is logged in. */
export function LoginLink({ token }: { token: string }) {
  const logIn = trpc.accounts.loginByLink.useMutation({ onSuccess: useStartSession() })
  return (
    <div className="grid gap-5">
      {logIn.error ? <Callout tone="error">{errorText(logIn.error)}</Callout> : null}
      <Button
        size="lg"
        variant="primary"
        busy={logIn.isPending}
        busyLabel="Logging in…"
        onClick={() => logIn.mutate({ token })}
      >
        Log in
      </Button>
    </div>
  )
}
