import { Fingerprint } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type ApiError, errorText, trpc } from '#client/app/trpc.ts'
import { Button } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { messages } from '#shared/texts/messages.ts'
import { useStartSession } from './hooks.ts'
import {
  askForPasskey,
  canSuggestPasskeys,
  canUsePasskeys,
  forgetPasskey,
  hasUsedPasskey,
  rememberPasskey,
  stopAsking,
  wasCanceled,
} from './passkeys.ts'

/**
 * Logs in with a passkey: from the suggestions of the email field or, if this browser has used one or there is no such field, with a button.
 * The guard of the route redirects after it.
 */
export function PasskeyLogin({ hasField }: { hasField: boolean }) {
  const { client } = trpc.useUtils()
  const startSession = useStartSession()
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [asks, setAsks] = useState(0)

  async function choose({ inField }: { inField: boolean }) {
    const { options } = await client.accounts.passkeyOptions.mutate()
    return askForPasskey(options, { inField })
  }
  async function logIn(passkey: Awaited<ReturnType<typeof choose>>) {
    setBusy(true)
    try {
      const session = await client.accounts.passkeyLogin.mutate(passkey)
      rememberPasskey()
      startSession(session)
    } catch (error) {
      if ((error as ApiError).data?.reason === 'PASSKEY_UNKNOWN') await forgetPasskey(passkey.id)
      throw error
    } finally {
      setBusy(false)
    }
  }
  function fail(error: unknown) {
    if (wasCanceled(error)) return
    setProblem('data' in (error as object) ? errorText(error) : messages.passkeyRefused)
  }

  useEffect(() => {
    let isCurrent = true
    async function suggest() {
      if (!hasField || !(await canSuggestPasskeys()) || !isCurrent) return
      // Nobody has asked for the suggestions, so their failure is not reported: the host may not be the one of PUBLIC_URL.
      const passkey = await choose({ inField: true }).catch(() => undefined)
      if (passkey === undefined) return
      await logIn(passkey).catch((error: unknown) => {
        if (!isCurrent) return
        fail(error)
        // The next choice in the field gets a new challenge.
        if ((error as ApiError).data?.reason === 'PASSKEY_REFUSED') setAsks(asks + 1)
      })
    }
    void suggest()
    return () => {
      isCurrent = false
      if (canUsePasskeys()) void stopAsking()
    }
    // oxlint-disable-next-line react/exhaustive-deps -- once for each challenge
  }, [asks, hasField])

  return (
    <>
      {problem === undefined ? null : <Callout tone="error">{problem}</Callout>}
      {canUsePasskeys() && (!hasField || hasUsedPasskey()) ? (
        <Button
          size="lg"
          variant="outline"
          icon={<Fingerprint aria-hidden />}
          busy={isBusy}
          busyLabel="Logging in…"
          onClick={() => {
            setProblem(undefined)
            void choose({ inField: false }).then(logIn).catch(fail)
          }}
        >
          Sign in with your fingerprint, face or screen lock
        </Button>
      ) : null}
    </>
  )
}
