import { useEffect, useRef, useState } from 'react'
import { changed } from '#client/app/facts.ts'
import { errorText, trpc } from '#client/app/trpc.ts'
import { Callout } from '#client/ui/callout.tsx'
import { showDone } from '#client/ui/toasts.ts'
import { failureText } from '../provider-failure.ts'
import { type Returned, useProviders } from '#client/app/providers.ts'
import { rememberProof } from './recent-proof.ts'
import { t } from '#shared/domain/message.ts'

/** Says how a login with a provider has ended that linked it, or confirmed who the member is. */
export function ProviderReturn({ returned: { kind, value } }: { returned: Returned }) {
  const { passwordLogin } = useProviders()
  const confirm = trpc.accounts.confirmSelf.useMutation()
  const [problem, setProblem] = useState<string>()
  // A code works once, but effects may run twice (StrictMode).
  const isDone = useRef(false)
  useEffect(() => {
    if (isDone.current) return
    isDone.current = true
    if (kind === 'linked') {
      void changed('signIn')
      showDone(t`Linked. From now on you can log in with it.`)
    }
    if (kind === 'oidc-confirm')
      confirm.mutate(
        { provider: value },
        {
          onSuccess() {
            rememberProof()
            showDone(t`Thank you. Please go on with what you were about to do.`)
          },
          onError: (error) => setProblem(errorText(error)),
        },
      )
    // oxlint-disable-next-line react/exhaustive-deps -- once
  }, [])
  const text = kind === 'oidc-error' ? failureText(value, { passwordLogin }) : problem
  return text === undefined ? null : (
    <Callout tone="error" className="mt-6">
      {text}
    </Callout>
  )
}
