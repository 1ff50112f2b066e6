import { Link } from '@tanstack/react-router'
import { QueryClientProvider } from '@tanstack/react-query'
import { httpBatchLink } from '@trpc/client'
import { Eye } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { LoadError } from '#client/load-error.tsx'
import { SessionReader } from '#client/session.ts'
import { createClients, trpc } from '#client/trpc.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'

const noSession = () => null

/** The member’s own profile as visitors see it: `children` get no session, and what they load is requested without a token. */
export function VisitorView({ userId, children }: { userId: number; children: ReactNode }) {
  const [{ queryClient, trpcClient }] = useState(() =>
    createClients(httpBatchLink({ url: '/trpc', maxURLLength: 3_000, maxItems: 20 })),
  )
  return (
    <>
      <div className="page py-4">
        <Callout
          icon={<Eye aria-hidden />}
          title="Preview of your profile"
          action={
            <ButtonLink
              variant="outline"
              render={<Link to="/user/$userId" params={{ userId: String(userId) }} replace />}
            >
              Back to your profile
            </ButtonLink>
          }
        >
          Everybody who does not follow you sees this.
        </Callout>
      </div>
      <SessionReader value={noSession}>
        <trpc.Provider client={trpcClient} queryClient={queryClient}>
          <QueryClientProvider client={queryClient}>
            <Loaded userId={userId}>{children}</Loaded>
          </QueryClientProvider>
        </trpc.Provider>
      </SessionReader>
    </>
  )
}

function Loaded({ userId, children }: { userId: number; children: ReactNode }) {
  const profile = trpc.accounts.profile.useQuery({ id: userId })
  if (!profile.isLoadingError) return children
  return (
    <div className="page py-12">
      <LoadError title="The preview did not load" error={profile.error} onRetry={profile.refetch} />
    </div>
  )
}
