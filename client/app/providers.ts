import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { inPlace } from './links.ts'
import type { RouterContext } from './loader-context.ts'
import { type RouterOutputs, trpc } from './trpc.ts'

/** Services that members log in with, by OpenID Connect. Texts call them by their names, or “service”. */
export type Provider = RouterOutputs['accounts']['providers']['providers'][number]

const none: RouterOutputs['accounts']['providers'] = { providers: [], passwordLogin: true }

/** Only the server waits: in a browser, the form does not move when the providers arrive below it. */
export function loadProviders({ trpc: utils }: RouterContext): Promise<void> | undefined {
  const loading = utils.accounts.providers.prefetch()
  return import.meta.env.SSR ? loading : undefined
}

export function useProviders(): RouterOutputs['accounts']['providers'] {
  return trpc.accounts.providers.useQuery(undefined, { staleTime: Number.POSITIVE_INFINITY }).data ?? none
}

const returned = /^(oidc|oidc-error|oidc-confirm|linked)=([\w-]{1,100})$/
export type Returned = { kind: string; value: string }

/**
 * Returns how the login with a provider has ended, from the fragment of the address. The fragment goes from the address at once, so that a
 * reload, Back and a copied address do not repeat it.
 */
export function useReturned(): [found: Returned | undefined, forget: () => void] {
  const hash = useLocation({ select: (location) => location.hash })
  const navigate = useNavigate()
  const [found, setFound] = useState<Returned>()
  useEffect(() => {
    const [, kind, value] = returned.exec(hash) ?? []
    if (kind === undefined || value === undefined) return
    setFound({ kind, value })
    void navigate({ to: '.', search: (search) => search, hash: '', ...inPlace })
    // oxlint-disable-next-line react/exhaustive-deps -- once for each fragment
  }, [hash])
  return [found, () => setFound(undefined)]
}
